/** Watch progress per movie and episode: never moved back by a late or repeated report. */
import type { Progress } from '../../src/lib/contract/progress.ts'
import { mergeProgress, percentage } from '../../src/lib/rules/progress.ts'
import { invalid, Problem } from '../problem.ts'
import type { TitleRow, TitleType } from '../queries/catalogue.ts'
import { episodeExists } from '../queries/details.ts'
import { countPlay } from '../queries/overview.ts'
import {
  insertPlay,
  lockedProgress,
  type ProgressRow,
  progressOf,
  putProgress,
  removeProgress,
  restoreProgress,
} from '../queries/progress.ts'
import { tellAccount } from './live.ts'
import { type By, type Place, titleAt } from './tracking.ts'

export function progressRecord(title: TitleRow, row: ProgressRow): Progress {
  return {
    type: title.type as TitleType,
    media_id: String(title.title_id),
    ...(title.type === 'tv' && { season: row.season_number, episode: row.episode_number }),
    progress: row.progress,
    data: { video_duration: row.duration },
    percentage: percentage(row.progress, row.duration),
    finished: row.finished === 1,
    updated_at: new Date(row.updated_at).toISOString(),
  }
}

/** A report after a longer pause begins another play, for the figures of the dashboard. */
const SITTING_MS = 1_800_000

interface Report {
  type: TitleType
  media_id: string
  season?: number | undefined
  episode?: number | undefined
  progress: number
  data: { video_duration: number }
  at?: string | undefined
}

/**
 * Saves a report. One that is older than what is stored, or a start that failed (no duration), changes nothing; the
 * answer is what is stored then. A newer report may go back: somebody sought.
 */
export async function save(by: By, report: Report): Promise<Progress> {
  const title = await titleAt(by, { type: report.type, mediaId: report.media_id })
  const { season, episode } = await placeOf(by, title, report)
  const { deps, caller } = by
  const profileId = caller.profile.profile_id
  const at = report.at ? Date.parse(report.at) : deps.now()
  const duration = report.data.video_duration
  const row = await deps.database.primary.transaction().execute(async (trx) => {
    const before = await lockedProgress(trx, { profileId, titleId: title.title_id, season, episode })
    const stored = before ? { ...before, finished: before.finished === 1 } : null
    const sent = { progress: report.progress, duration, updated_at: at }
    const merged = mergeProgress(stored, sent, { creditsAt: title.credits_at, now: deps.now() })
    const place = {
      profile_id: profileId,
      title_id: title.title_id,
      season_number: season,
      episode_number: episode,
    }
    if (!merged.stored) return { ...place, progress: 0, duration: 0, finished: 0, plays: 0, updated_at: at }
    const { progress, finished, plays, updated_at } = merged.stored
    const after: ProgressRow = {
      ...place,
      progress,
      duration: merged.stored.duration,
      finished: finished ? 1 : 0,
      plays,
      updated_at,
    }
    if (merged.outcome === 'applied') {
      await putProgress(trx, after)
      if (plays > (before?.plays ?? 0)) await insertPlay(trx, after)
      if (at - (before?.updated_at ?? 0) > SITTING_MS) await countPlay(trx, updated_at)
    }
    return after
  })
  tellAccount(by, 'progress')
  return progressRecord(title, row)
}

async function placeOf({ deps }: By, title: TitleRow, { season, episode }: Report) {
  if (title.type === 'movie') {
    if (season || episode) throw invalid('season', 'not_for_movies')
    return { season: 0, episode: 0 }
  }
  if (season === undefined || episode === undefined) throw invalid('episode', 'needed')
  if (!(await episodeExists(deps.database.reader, { titleId: title.title_id, season, episode }))) {
    throw invalid('episode', 'unknown')
  }
  return { season, episode }
}

export async function history(by: By, place: Place) {
  const title = await titleAt(by, place)
  const rows = await progressOf(by.deps.database.primary, by.caller.profile.profile_id, title.title_id)
  const episodes = rows.map((row) => progressRecord(title, row))
  return { latest: episodes[0] ?? null, episodes }
}

/** How long what was reset or cleared can be brought back. */
const UNDO_MS = 600_000

export async function reset(by: By, place: Place): Promise<void> {
  const title = await titleAt(by, place)
  await forget(by, title.title_id)
}

export const clear = (by: By): Promise<void> => forget(by)

async function forget(by: By, titleId?: number): Promise<void> {
  const { deps, caller } = by
  const what = { profileId: caller.profile.profile_id, now: deps.now(), ...(titleId && { titleId }) }
  await deps.database.primary.transaction().execute((trx) => removeProgress(trx, what))
  tellAccount(by, 'progress')
}

/** Brings back what was reset or cleared last. Throws 404 when that was nothing, or too long ago. */
export async function undo(by: By): Promise<void> {
  const { deps, caller } = by
  const { profile_id } = caller.profile
  const restored = await deps.database.primary
    .transaction()
    .execute((trx) => restoreProgress(trx, profile_id, deps.now() - UNDO_MS))
  if (!restored) throw new Problem('not_found')
  tellAccount(by, 'progress')
}
