/** Reads the history of profiles as entries of the Marquee export format. */
import { toIsoTime } from '../../core/dates.ts'
import type { Db } from '../../db/database.ts'
import type { ExportEntry } from '../../importers/history/marquee-entries.ts'
import {
  HISTORY_EXPORT_SECTION_NAMES,
  type HistoryExportRow,
  type HistoryExportSection,
  readHistoryExportRows,
  selectEnglishTitleNames,
} from '../../queries/history-export.ts'
import type { Audience } from '../../queries/title-scope.ts'
import { createEventLoopYield } from '../history-import/yield-to-event-loop.ts'

export interface ExportedProfile {
  profileId: string
  audience: Audience
  /** Name of the profile, which is added to each entry of an account export; absent in the export of one profile. */
  name?: string
}

/** Yields the entries in file order: by kind, then by profile, then by time. */
export async function* readHistoryEntries(
  db: Db,
  profiles: readonly ExportedProfile[],
): AsyncGenerator<ExportEntry> {
  const yieldToEventLoop = createEventLoopYield()
  for (const section of HISTORY_EXPORT_SECTION_NAMES) {
    for (const { profileId, audience, name } of profiles) {
      for await (const rows of readHistoryExportRows(db, audience, profileId, section)) {
        const namesByTitleId = await selectEnglishTitleNames(db, [
          ...new Set(rows.map((row) => row.title_id)),
        ])
        for (const row of rows) {
          const exportEntry = toExportEntry(
            section,
            row,
            namesByTitleId.get(row.title_id) ?? row.original_title,
          )
          yield name === undefined ? exportEntry : { ...exportEntry, profile: name }
          await yieldToEventLoop()
        }
      }
    }
  }
}

/**
 * Returns the number of a season or an episode; null for -1, which marks an unknown number. Also returns null for a
 * fraction, because older versions could store a number such as 12.5 in SQLite.
 */
const toWholeNumberOrNull = (number: unknown) =>
  Number.isInteger(Number(number)) && Number(number) >= 0 ? Number(number) : null
/**
 * Formats a stored time in milliseconds for export files. Returns null for 0, which marks an unknown time.
 */
export const toExportTime = (timeMs: unknown) => (Number(timeMs) > 0 ? toIsoTime(Number(timeMs)) : null)

function toExportEntry(section: HistoryExportSection, row: HistoryExportRow, title: string): ExportEntry {
  const { type, year, imdb_id, tmdb_id } = row
  const titleFields = { type: type as 'movie' | 'tv', title, year, imdb_id, tmdb_id }
  const isSeries = type === 'tv'
  const episodeFields = {
    season: isSeries ? toWholeNumberOrNull(row['season_number']) : null,
    episode: isSeries ? toWholeNumberOrNull(row['episode_number']) : null,
  }
  switch (section) {
    case 'list': {
      const watchState = row['in_watchlist'] === 1 ? (row['state'] ?? 'planned') : null
      return {
        kind: 'list',
        ...titleFields,
        state: watchState as 'planned' | 'watching' | 'completed' | null,
        favorite: row['favorite'] === 1,
        added_at: watchState === null ? null : toExportTime(row.at),
      }
    }
    case 'progress':
      return {
        kind: 'progress',
        ...titleFields,
        ...episodeFields,
        progress: Number(row['progress']),
        video_duration: Number(row['duration']),
        finished: row['finished'] === 1,
        plays: Math.trunc(Number(row['plays'])),
        updated_at: toExportTime(row.at),
      }
    case 'play':
      return {
        kind: 'play',
        ...titleFields,
        ...episodeFields,
        episode_title: String(row['name'] ?? '') || null,
        watched_at: row['by_day'] === 1 ? (toExportTime(row.at)?.slice(0, 10) ?? null) : toExportTime(row.at),
        ...(row['marked'] === 1 && { marked: true as const }),
        ...(typeof row['note'] === 'string' && { note: row['note'] }),
      }
    case 'feedback':
      return {
        kind: 'feedback',
        ...titleFields,
        feedback: row['feedback'] === 'liked' ? 'like' : 'dislike',
        updated_at: toExportTime(row.at),
      }
    case 'rating':
      return {
        kind: 'rating',
        ...titleFields,
        rating: Number(row['rating']),
        updated_at: toExportTime(row.at),
      }
  }
}
