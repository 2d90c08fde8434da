/** What a profile has, as entries of our export format. */
import type { Db } from '../../db/open.ts'
import type { ExportEntry } from '../../importers/history/marquee-format.ts'
import {
  EXPORT_PARTS,
  type ExportPart,
  type ExportRow,
  englishNames,
  exportRows,
} from '../../queries/history-export.ts'
import type { Audience } from '../../queries/scope.ts'
import { breather } from '../history-import/breathe.ts'

export interface Of {
  profileId: string
  audience: Audience
  /** Said of each entry, where several profiles are in one file. */
  name?: string
}

/** By kind, then by profile, then by time: the order of the file. */
export async function* entriesOf(db: Db, profiles: readonly Of[]): AsyncGenerator<ExportEntry> {
  const breathe = breather()
  for (const part of EXPORT_PARTS) {
    for (const { profileId, audience, name } of profiles) {
      for await (const rows of exportRows(db, audience, profileId, part)) {
        const names = await englishNames(db, [...new Set(rows.map((row) => row.title_id))])
        for (const row of rows) {
          const entry = entryOf(part, row, names.get(row.title_id) ?? row.original_title)
          yield name === undefined ? entry : { ...entry, profile: name }
          await breathe()
        }
      }
    }
  }
}

const KNOWN = (number: unknown) => (Number(number) < 0 ? null : Number(number))
const instant = (ms: unknown) => (Number(ms) > 0 ? new Date(Number(ms)).toISOString() : null)

function entryOf(part: ExportPart, row: ExportRow, title: string): ExportEntry {
  const { type, year, imdb_id, tmdb_id } = row
  const named = { type: type as 'movie' | 'tv', title, year, imdb_id, tmdb_id }
  const series = type === 'tv'
  const place = {
    season: series ? KNOWN(row['season_number']) : null,
    episode: series ? KNOWN(row['episode_number']) : null,
  }
  switch (part) {
    case 'list': {
      const state = row['in_watchlist'] === 1 ? (row['state'] ?? 'planned') : null
      return {
        kind: 'list',
        ...named,
        state: state as 'planned' | 'watching' | 'completed' | null,
        favorite: row['favorite'] === 1,
        added_at: state === null ? null : instant(row.at),
      }
    }
    case 'progress':
      return {
        kind: 'progress',
        ...named,
        ...place,
        progress: Number(row['progress']),
        video_duration: Number(row['duration']),
        finished: row['finished'] === 1,
        plays: Number(row['plays']),
        updated_at: instant(row.at),
      }
    case 'play':
      return {
        kind: 'play',
        ...named,
        ...place,
        episode_title: String(row['name'] ?? '') || null,
        watched_at: row['by_day'] === 1 ? (instant(row.at)?.slice(0, 10) ?? null) : instant(row.at),
      }
    case 'feedback':
      return {
        kind: 'feedback',
        ...named,
        feedback: row['feedback'] === 'liked' ? 'like' : 'dislike',
        updated_at: instant(row.at),
      }
  }
}
