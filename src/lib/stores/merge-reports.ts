/** Adds progress reports that the server may not have stored yet to the progress in a title. */
import type { PlaybackProgress, TitleProgress } from '../contract/progress.ts'
import { mergeProgress } from '../rules/merge-progress.ts'
import { findRequestedProgress } from '../rules/playback-start.ts'
import { getProgressPercentage } from '../rules/progress.ts'
import type { ProgressWrite } from './progress-body.ts'

/** Saved progress, or a report that the server may not have stored yet (`isUnsent`). */
export type ProgressOrReport = PlaybackProgress & { isUnsent?: true }
export interface ProgressWithReports extends TitleProgress {
  latest: ProgressOrReport | null
  episodes: ProgressOrReport[]
}

/**
 * Returns the progress with the reports, merged by the rules of the server. Ignores a report older than the progress.
 */
export const mergeReports = (
  titleProgress: ProgressWithReports,
  reports: readonly ProgressWrite[],
): ProgressWithReports => reports.reduce(mergeReport, titleProgress)

function mergeReport(titleProgress: ProgressWithReports, report: ProgressWrite): ProgressWithReports {
  const { title, place } = report
  const storedProgress = findRequestedProgress(titleProgress, { type: title.type, slug: '', ...place })
  const { mergedProgress, outcome } = mergeProgress(
    storedProgress
      ? {
          progress: storedProgress.progress,
          duration: storedProgress.data.video_duration,
          finished: storedProgress.finished,
          plays: storedProgress.plays ?? 0,
          updated_at: Date.parse(storedProgress.updated_at),
        }
      : null,
    { progress: report.progress, duration: report.duration, updated_at: Date.parse(report.at) },
    { creditsAtSeconds: report.creditsAtSeconds ?? null },
  )
  if (outcome !== 'applied' || !mergedProgress) return titleProgress
  const { progress, duration, finished, plays } = mergedProgress
  const newProgress: ProgressOrReport = {
    type: title.type,
    media_id: title.id,
    ...place,
    progress,
    data: { video_duration: duration },
    percentage: getProgressPercentage(progress, duration),
    finished,
    plays,
    updated_at: report.at,
    isUnsent: true,
  }
  if (title.type === 'movie') return { ...titleProgress, latest: newProgress }
  const otherEpisodes = titleProgress.episodes.filter((episodeProgress) => episodeProgress !== storedProgress)
  return { ...titleProgress, latest: newProgress, episodes: [...otherEpisodes, newProgress] }
}
