/** Watch progress (Spec §4). Positions and durations are seconds, instants are milliseconds since 1970. */

/** From here on the credits run; a title counts as watched (api.md §3). */
const FINISHED = 0.9
/** Somebody who goes back before the middle of what was finished is watching it again. */
const STARTED_OVER = 0.5
/** A device's clock may be this far ahead of ours; what is further ahead counts as ours. */
const AHEAD_MS = 5_000

/** Progress divided by duration, times 100; 0 when there is no duration. Between 0 and 100. */
export function percentage(progress: number, duration: number): number {
  if (!(duration > 0) || !(progress > 0)) return 0
  return Math.min(100, (progress / duration) * 100)
}

/** Watched: 90 %, or past the mark where the credits begin. Never without a duration. */
export function isFinished(progress: number, duration: number, creditsAt: number | null = null): boolean {
  if (!(duration > 0)) return false
  return progress >= duration * FINISHED || (creditsAt !== null && creditsAt > 0 && progress >= creditsAt)
}

export interface StoredProgress {
  progress: number
  duration: number
  finished: boolean
  /** How often it was finished. */
  plays: number
  /** The instant of the report that is stored. */
  updated_at: number
  /** Number of that report on its device, where the device counts. */
  sequence?: number | undefined
}

export interface ProgressReport {
  progress: number
  duration: number
  /** When the position was true on the device. */
  updated_at: number
  sequence?: number | undefined
}

export interface Merged {
  /** What is stored from now on; null when nothing was stored and the report says nothing. */
  stored: StoredProgress | null
  outcome: 'applied' | 'failed_start' | 'late' | 'duplicate'
}

interface Facts {
  creditsAt?: number | null
  /** Our clock; with it, a report from the future is taken as of now. */
  now?: number
}

/**
 * What is stored after a report. A report that is older than what is stored, or the same one again, changes nothing; a
 * newer one always wins, also when it goes back: somebody sought. A start that failed (no position, or no duration)
 * says nothing. Merging reports in any order ends in the state of the newest; only `plays` depends on what was seen.
 */
export function mergeProgress(
  stored: StoredProgress | null,
  report: ProgressReport,
  { creditsAt = null, now = Number.POSITIVE_INFINITY }: Facts = {},
): Merged {
  const { progress, duration, sequence } = report
  if (!(progress > 0) || !(duration > 0) || !Number.isFinite(progress + duration + report.updated_at)) {
    return { stored, outcome: 'failed_start' }
  }
  const at = Math.min(report.updated_at, now + AHEAD_MS)
  const order = stored ? compareReports({ updated_at: at, sequence }, stored) : 1
  if (stored && !(order > 0)) return { stored, outcome: order === 0 ? 'duplicate' : 'late' }
  const position = Math.min(progress, duration)
  const again = !stored?.finished || position < duration * STARTED_OVER
  const reached = isFinished(position, duration, creditsAt)
  return {
    outcome: 'applied',
    stored: {
      progress: position,
      duration,
      finished: reached || !again,
      plays: (stored?.plays ?? 0) + (reached && again ? 1 : 0),
      updated_at: at,
      ...(sequence !== undefined && { sequence }),
    },
  }
}

/** By instant; at the same instant by number, where both are numbered. NaN instants are older than everything. */
function compareReports(
  a: { updated_at: number; sequence?: number | undefined },
  b: { updated_at: number; sequence?: number | undefined },
): number {
  if (a.updated_at !== b.updated_at) return a.updated_at > b.updated_at ? 1 : -1
  if (a.sequence === undefined || b.sequence === undefined) return 0
  return a.sequence - b.sequence
}
