/** Marquee exports, as described in docs/importing-history.md. */
import { type ExportEntry, entriesOfCsv, entriesOfJson, FIRST_COLUMN } from './marquee-format.ts'
import { type Format, type HistoryRow, type Ids, row } from './row.ts'

export const marqueeJson: Format = {
  id: 'marquee-json',
  source: 'marquee',
  fits: (_path, head) => /^\s*\{\s*"format"\s*:\s*"marquee-export"/.test(head.text),
  async *read(open) {
    for await (const parsed of entriesOfJson(open())) {
      yield 'entry' in parsed ? toRow(parsed.entry, parsed.line) : { line: parsed.line, skip: 'bad_row' }
    }
  },
}

export const marqueeCsv: Format = {
  id: 'marquee-csv',
  source: 'marquee',
  fits: (_path, head) => head.header[0] === FIRST_COLUMN,
  async *read(open) {
    for await (const parsed of entriesOfCsv(open())) {
      yield 'entry' in parsed ? toRow(parsed.entry, parsed.line) : { line: parsed.line, skip: 'bad_row' }
    }
  },
}

function toRow(entry: ExportEntry, line: number): HistoryRow {
  const ids: Ids = {}
  if (entry.imdb_id) ids.imdb = entry.imdb_id
  if (entry.tmdb_id) ids.tmdb = entry.tmdb_id
  const { title, type, year } = entry
  const commonFields = { source: 'marquee', line, ids, title, type, year, profile: entry.profile } as const
  if (entry.kind === 'list') {
    const { state, favorite, added_at } = entry
    return row({ ...commonFields, kind: 'listed', state, favorite, at: added_at })
  }
  if (entry.kind === 'feedback') {
    return row({
      ...commonFields,
      kind: entry.feedback === 'like' ? 'liked' : 'disliked',
      at: entry.updated_at,
    })
  }
  if (entry.kind === 'play') {
    const { season, episode, episode_title, watched_at } = entry
    return row({
      ...commonFields,
      kind: 'played',
      season,
      episode,
      episodeTitle: episode_title,
      at: watched_at,
    })
  }
  return row({
    ...commonFields,
    kind: 'watched',
    season: entry.season,
    episode: entry.episode,
    progress: entry.progress,
    durationSeconds: entry.video_duration,
    finished: entry.finished,
    plays: entry.plays,
    at: entry.updated_at,
  })
}
