/** Reads the exports of Marquee itself, which docs/importing-history.md describes. */

import {
  createHistoryRow,
  type ExternalIds,
  type HistoryFormat,
  type HistoryItem,
  type HistoryRow,
} from './history-row.ts'
import type { ExportEntry } from './marquee-entries.ts'
import {
  CSV_FORMAT_COLUMN,
  type ParsedExportEntry,
  parseExportCsv,
  parseExportJson,
} from './marquee-format.ts'

/**
 * Matches the name of the format. Also matches the start of an export that another program has saved with sorted keys:
 * the array `feedback` then comes before the name of the format and may be longer than the examined start of the file.
 */
const JSON_EXPORT_PATTERN =
  /^\s*\{(?:.*"format"\s*:\s*"marquee-export"|\s*"feedback"\s*:\s*\[\s*\{\s*"feedback"\s*:\s*"(?:dis)?like")/s

export const marqueeJsonFormat: HistoryFormat = {
  id: 'marquee-json',
  source: 'marquee',
  matches: (_path, head) => JSON_EXPORT_PATTERN.test(head.text),
  async *readRows(openFile) {
    for await (const parsedEntry of parseExportJson(openFile())) {
      yield toHistoryItem(parsedEntry)
    }
  },
}

export const marqueeCsvFormat: HistoryFormat = {
  id: 'marquee-csv',
  source: 'marquee',
  matches: (_path, head) => head.header[0] === CSV_FORMAT_COLUMN,
  async *readRows(openFile, _path, { nowMs }) {
    for await (const parsedEntry of parseExportCsv(openFile, nowMs)) {
      yield toHistoryItem(parsedEntry)
    }
  },
}

const toHistoryItem = (parsedEntry: ParsedExportEntry): HistoryItem =>
  'entry' in parsedEntry
    ? toHistoryRow(parsedEntry.entry, parsedEntry.line)
    : { line: parsedEntry.line, skip: 'bad_row' }

function toHistoryRow(entry: ExportEntry, line: number): HistoryRow {
  if (entry.kind === 'named_list') {
    const { kind: _kind, name, profile, ...namedList } = entry
    return createHistoryRow({
      source: 'marquee',
      line,
      kind: 'list',
      ids: {},
      title: name,
      list: name,
      profile,
      namedList,
    })
  }
  const ids: ExternalIds = {}
  if (entry.imdb_id) ids.imdb = entry.imdb_id
  if (entry.tmdb_id) ids.tmdb = entry.tmdb_id
  const { title, type, year } = entry
  const commonFields = { source: 'marquee', line, ids, title, type, year, profile: entry.profile } as const
  if (entry.kind === 'list') {
    const { state, favorite, added_at } = entry
    return createHistoryRow({ ...commonFields, kind: 'listed', state, favorite, at: added_at })
  }
  if (entry.kind === 'list_title')
    return createHistoryRow({ ...commonFields, kind: 'listed', list: entry.name, at: entry.added_at })
  if (entry.kind === 'feedback') {
    return createHistoryRow({
      ...commonFields,
      kind: entry.feedback === 'like' ? 'liked' : 'disliked',
      at: entry.updated_at,
    })
  }
  if (entry.kind === 'rating')
    return createHistoryRow({ ...commonFields, kind: 'rated', rating: entry.rating, at: entry.updated_at })
  if (entry.kind === 'play') {
    const { season, episode, episode_title, watched_at, marked, note } = entry
    return createHistoryRow({
      ...commonFields,
      kind: 'played',
      season,
      episode,
      episodeTitle: episode_title,
      at: watched_at,
      marked,
      note,
    })
  }
  return createHistoryRow({
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
