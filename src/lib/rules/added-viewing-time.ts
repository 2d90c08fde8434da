/** The fields of `ViewingTime` that show whether a parent has added viewing time. */
interface ViewingTimeFields {
  status: 'unlimited' | 'allowed' | 'grace' | 'over'
  reason: 'minutes' | 'quiet_hours' | null
  remaining_seconds: number | null
  played_seconds: number
  allowed_seconds: number | null
}

/** Numbers of minutes that a parent can choose to add. */
export const ADDED_MINUTES_CHOICES = [15, 30, 60] as const

/** Maximum number of minutes that a parent can add at once. */
export const MAX_ADDED_MINUTES = 240

/**
 * True when playing is allowed again because a parent has added time, or because the child may finish the video. False
 * while playing is not allowed. Also false when playing is allowed again only because a new day has begun or the quiet
 * hours have ended, because perhaps nobody is watching then.
 */
export function isViewingTimeAdded(
  endedViewingTime: ViewingTimeFields,
  newViewingTime: ViewingTimeFields,
): boolean {
  if (newViewingTime.status === 'over') return false
  if (newViewingTime.status === 'grace') return true
  // The number of played seconds decreases only when a new day begins.
  if (newViewingTime.played_seconds < endedViewingTime.played_seconds) return false
  const getAllowedSeconds = ({ allowed_seconds }: ViewingTimeFields) =>
    allowed_seconds ?? Number.POSITIVE_INFINITY
  if (getAllowedSeconds(newViewingTime) > getAllowedSeconds(endedViewingTime)) return true
  // Without a limit in minutes, a parent adds time by postponing the quiet hours by at most MAX_ADDED_MINUTES. If more
  // time remains, the quiet hours have ended, and the time lasts until the next quiet hours.
  return (
    endedViewingTime.reason === 'quiet_hours' &&
    newViewingTime.reason === 'quiet_hours' &&
    (newViewingTime.remaining_seconds ?? Number.POSITIVE_INFINITY) <= MAX_ADDED_MINUTES * 60
  )
}
