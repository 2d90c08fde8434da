/** Delays the next scheduled start of a job after a failure or a cancellation. */
import { isInFuture } from '../../core/dates.ts'
import type { JobRow } from '../../queries/job.ts'

/** Minimum time between the end of a failed or cancelled job and the next scheduled job of its kind. */
export const JOB_RETRY_DELAY_MS = 3_600_000

/**
 * Returns the earliest time of the next scheduled job of a kind, in milliseconds since 1970. `lastJob` is the last job
 * of this kind. Returns 0 unless that job has failed or was cancelled. Also returns 0 if that job ended in the future,
 * because the clock was ahead.
 */
export function computeRetryTimeMs(lastJob: JobRow | undefined, nowMs: number): number {
  if (lastJob?.status !== 'failed' && lastJob?.status !== 'cancelled') return 0
  const endedAtMs = lastJob.finished_at ?? lastJob.created_at
  return isInFuture(endedAtMs, nowMs) ? 0 : endedAtMs + JOB_RETRY_DELAY_MS
}
