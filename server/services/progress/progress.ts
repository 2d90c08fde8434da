/** Watch progress per movie and episode. A late or repeated report never overwrites newer progress. */

import type { PlaybackProgress } from '../../../src/lib/contract/progress.ts'
import { getProgressPercentage, mergeProgress } from '../../../src/lib/rules/progress.ts'
import { toIsoTime } from '../../core/dates.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import { incrementPlaybackStarts } from '../../queries/dashboard.ts'
import {
  insertViewing,
  lockAndSelectProgress,
  moveProgressToRemoved,
  type ProgressRow,
  restoreRemovedProgress,
  selectProgressOfTitle,
  upsertProgress,
} from '../../queries/progress.ts'
import type { TitleRow, TitleType } from '../../queries/title.ts'
import { hasEpisode } from '../../queries/title-details.ts'
import { type ProfileContext, requireTitle, type TitleRef } from '../context.ts'
import { publishAccountEvent } from '../events/account-events.ts'
import { reportWatchedPosition } from '../media-servers/report-playback.ts'
import { completeWatchedTitle } from '../viewings/complete-titles.ts'

export function toProgress(title: TitleRow, row: ProgressRow): PlaybackProgress {
  return {
    type: title.type as TitleType,
    media_id: String(title.title_id),
    ...(title.type === 'tv' && { season: row.season_number, episode: row.episode_number }),
    progress: row.progress,
    data: { video_duration: row.duration },
    percentage: getProgressPercentage(row.progress, row.duration),
    finished: row.finished === 1,
    updated_at: toIsoTime(row.updated_at),
  }
}

/** A report after a longer pause than this counts as a new play in the dashboard statistics. */
const NEW_PLAY_PAUSE_MS = 1_800_000

/** Media servers are told of younger reports only. */
const MAX_REPORT_AGE_MS = 120_000

interface ProgressReport {
  type: TitleType
  media_id: string
  season?: number | undefined
  episode?: number | undefined
  progress: number
  data: { video_duration: number }
  at?: string | undefined
}

/**
 * Saves a progress report and returns the progress that is stored afterwards. A report that is older than the stored one, or has no
 * duration because playback failed to start, changes nothing. A newer report may have a lower position: the user moved back in the video.
 */
export async function saveProgress(
  context: ProfileContext,
  report: ProgressReport,
): Promise<PlaybackProgress> {
  const title = await requireTitle(context, { type: report.type, mediaId: report.media_id })
  const { season, episode } = await requireEpisode(context, title, report)
  const { deps, caller } = context
  const profileId = caller.profile.profile_id
  const duration = report.data.video_duration
  let isWatchStateChanged = false
  const row = await deps.database.primary.transaction().execute(async (trx) => {
    const previousRow = await lockAndSelectProgress(trx, {
      profileId,
      titleId: title.title_id,
      season,
      episode,
    })
    // A report without a time is from now. The row lock decides its order, because the clocks of two servers can differ.
    const nowMs = report.at ? deps.now() : Math.max(deps.now(), (previousRow?.updated_at ?? 0) + 1)
    const reportedAtMs = report.at ? Date.parse(report.at) : nowMs
    const storedProgress = previousRow ? { ...previousRow, finished: previousRow.finished === 1 } : null
    const reportedProgress = { progress: report.progress, duration, updated_at: reportedAtMs }
    const merged = mergeProgress(storedProgress, reportedProgress, {
      creditsAt: title.credits_at,
      nowMs,
    })
    const key = {
      profile_id: profileId,
      title_id: title.title_id,
      season_number: season,
      episode_number: episode,
    }
    if (!merged.stored)
      return { ...key, progress: 0, duration: 0, finished: 0, plays: 0, updated_at: reportedAtMs }
    const { progress, finished, plays, updated_at } = merged.stored
    const updatedRow: ProgressRow = {
      ...key,
      progress,
      duration: merged.stored.duration,
      finished: finished ? 1 : 0,
      plays,
      updated_at,
    }
    if (merged.outcome === 'applied') {
      await upsertProgress(trx, updatedRow)
      if (plays > (previousRow?.plays ?? 0)) {
        await insertViewing(trx, updatedRow)
        isWatchStateChanged = await completeWatchedTitle(trx, { profileId, title, nowMs: deps.now() })
      }
      if (reportedAtMs - (previousRow?.updated_at ?? 0) > NEW_PLAY_PAUSE_MS)
        await incrementPlaybackStarts(trx, updated_at)
    }
    return updatedRow
  })
  publishAccountEvent(context, 'progress')
  // A report that waited for a network says nothing of what plays now.
  if (!report.at || deps.now() - Date.parse(report.at) < MAX_REPORT_AGE_MS)
    reportWatchedPosition(deps, {
      viewerId: `${caller.login.sid} ${profileId}`,
      titleId: title.title_id,
      season,
      episode,
      positionSeconds: report.progress,
      durationSeconds: duration,
      isFinished: row.finished === 1,
    })
  if (isWatchStateChanged) publishAccountEvent(context, 'list')
  return toProgress(title, row)
}

async function requireEpisode(
  { deps }: ProfileContext,
  title: TitleRow,
  { season, episode }: ProgressReport,
) {
  if (title.type === 'movie') {
    if (season || episode) throw createFieldProblem('season', 'not_for_movies')
    return { season: 0, episode: 0 }
  }
  if (season === undefined || episode === undefined) throw createFieldProblem('episode', 'needed')
  if (!(await hasEpisode(deps.database.reader, { titleId: title.title_id, season, episode }))) {
    throw createFieldProblem('episode', 'unknown')
  }
  return { season, episode }
}

export async function loadProgress(context: ProfileContext, titleRef: TitleRef) {
  const title = await requireTitle(context, titleRef)
  const rows = await selectProgressOfTitle(
    context.deps.database.primary,
    context.caller.profile.profile_id,
    title.title_id,
  )
  const episodes = rows.map((row) => toProgress(title, row))
  return { latest: episodes[0] ?? null, episodes }
}

/** Time during which a reset or cleared progress can be restored. */
const UNDO_MS = 600_000

export async function resetProgress(context: ProfileContext, titleRef: TitleRef): Promise<void> {
  const title = await requireTitle(context, titleRef)
  await removeProgress(context, title.title_id)
}

export const clearProgress = (context: ProfileContext): Promise<void> => removeProgress(context)

async function removeProgress(context: ProfileContext, titleId?: number): Promise<void> {
  const { deps, caller } = context
  const filter = { profileId: caller.profile.profile_id, nowMs: deps.now(), ...(titleId && { titleId }) }
  await deps.database.primary.transaction().execute((trx) => moveProgressToRemoved(trx, filter))
  publishAccountEvent(context, 'progress')
}

/** Restores the progress that was reset or cleared last. Throws 404 when there is none, or it was too long ago. */
export async function undoProgressRemoval(context: ProfileContext): Promise<void> {
  const { deps, caller } = context
  const { profile_id } = caller.profile
  const restored = await deps.database.primary
    .transaction()
    .execute((trx) => restoreRemovedProgress(trx, profile_id, deps.now() - UNDO_MS))
  if (!restored) throw new Problem('not_found')
  publishAccountEvent(context, 'progress')
}
