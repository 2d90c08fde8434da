/** Watch progress. Positions and durations are in seconds. */

/** Share of the duration from which a movie or episode counts as finished. */
const FINISHED_FRACTION = 0.9

/** Returns progress in percent of the duration, from 0 to 100; 0 when the duration is not known. */
export function getProgressPercentage(positionSeconds: number, durationSeconds: number): number {
  if (!(durationSeconds > 0) || !(positionSeconds > 0)) return 0
  return Math.min(100, (positionSeconds / durationSeconds) * 100)
}

/** Returns whether 90 % of the duration or the start of the credits is reached; false without a duration. */
export function isFinished(
  positionSeconds: number,
  durationSeconds: number,
  creditsAtSeconds: number | null = null,
): boolean {
  if (!(durationSeconds > 0)) return false
  const isInCredits = creditsAtSeconds !== null && creditsAtSeconds > 0 && positionSeconds >= creditsAtSeconds
  return isInCredits || positionSeconds >= durationSeconds * FINISHED_FRACTION
}
