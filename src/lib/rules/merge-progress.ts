/**
 * Merges reports of progress. The server merges every report in this way, and the player merges the reports that the
 * server may not have stored yet. Positions and durations are in seconds, times in milliseconds since 1970.
 */
import { isFinished } from './progress.ts'

/**
 * A finished movie or episode counts as being watched again if its new position is below this share of the duration.
 */
const REWATCH_POSITION_FRACTION = 0.5
/** The clock of a device may be this far ahead of the server. A time further ahead becomes the latest allowed time. */
const CLOCK_TOLERANCE_MS = 5_000

export interface StoredProgress {
  progress: number
  duration: number
  finished: boolean
  /** Number of times that the movie or episode was finished. */
  plays: number
  /** Time at which the device was at the stored position. */
  updated_at: number
  /** Sequence number of the report, if the device sends one. */
  sequence?: number | undefined
}

export interface ProgressReport {
  progress: number
  duration: number
  /** Time at which the device was at this position. */
  updated_at: number
  sequence?: number | undefined
}

export interface ProgressMergeResult {
  /** The progress after the report. Null when there was no progress and the report was ignored. */
  mergedProgress: StoredProgress | null
  outcome: 'applied' | 'failed_start' | 'late' | 'duplicate'
}

interface ProgressMergeOptions {
  /** Start of the credits, if the stream has a credits mark. */
  creditsAtSeconds?: number | null
  /** Time of the server. When it is given, a report from the future gets the latest allowed time. */
  nowMs?: number
}

/**
 * Merges a report into the stored progress. An older or repeated report changes nothing. A newer report always replaces
 * the position, even if its position is earlier in the video, because the viewer may have sought backwards. A report
 * without position or duration comes from a failed start and is ignored. The order in which reports arrive does not
 * affect the final position, but it can affect `finished` and `plays`.
 */
export function mergeProgress(
  storedProgress: StoredProgress | null,
  report: ProgressReport,
  { creditsAtSeconds = null, nowMs = Number.POSITIVE_INFINITY }: ProgressMergeOptions = {},
): ProgressMergeResult {
  const { progress, duration, sequence } = report
  if (!(progress > 0) || !(duration > 0) || !Number.isFinite(progress + duration + report.updated_at)) {
    return { mergedProgress: storedProgress, outcome: 'failed_start' }
  }
  const updatedAtMs = Math.min(report.updated_at, nowMs + CLOCK_TOLERANCE_MS)
  const reportOrder = storedProgress
    ? compareReports({ updated_at: updatedAtMs, sequence }, storedProgress)
    : 1
  if (storedProgress && !(reportOrder > 0))
    return { mergedProgress: storedProgress, outcome: reportOrder === 0 ? 'duplicate' : 'late' }
  const positionSeconds = Math.min(progress, duration)
  const isNewViewing = !storedProgress?.finished || positionSeconds < duration * REWATCH_POSITION_FRACTION
  const isEndReached = isFinished(positionSeconds, duration, creditsAtSeconds)
  return {
    outcome: 'applied',
    mergedProgress: {
      progress: positionSeconds,
      duration,
      finished: isEndReached || !isNewViewing,
      plays: (storedProgress?.plays ?? 0) + (isEndReached && isNewViewing ? 1 : 0),
      updated_at: updatedAtMs,
      ...(sequence !== undefined && { sequence }),
    },
  }
}

/**
 * Compares reports by time, then by sequence number if both have one. Negative when `a` is older or a time is NaN.
 */
function compareReports(
  a: { updated_at: number; sequence?: number | undefined },
  b: { updated_at: number; sequence?: number | undefined },
): number {
  if (a.updated_at !== b.updated_at) return a.updated_at > b.updated_at ? 1 : -1
  if (a.sequence === undefined || b.sequence === undefined) return 0
  return a.sequence - b.sequence
}
