/** Watch progress (Spec §4). Positions and durations are seconds. */

/** From here on the credits run; a title counts as watched. */
const FINISHED = 0.9

/** Progress divided by duration, times 100; 0 when there is no duration. Never above 100. */
export function percentage(progress: number, duration: number): number {
  if (!(duration > 0)) return 0
  return Math.min(100, Math.max(0, (progress / duration) * 100))
}

/** Watched: 90 %, or past the mark where the credits begin. */
export function isFinished(progress: number, duration: number, creditsAt: number | null = null): boolean {
  if (!(duration > 0)) return false
  return progress >= duration * FINISHED || (creditsAt !== null && creditsAt > 0 && progress >= creditsAt)
}
