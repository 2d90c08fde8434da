/**
 * Viewing time of a profile (decision record 40): how playing time is counted, and whether the profile may play now.
 * Durations are in milliseconds, times in milliseconds since 1970.
 */
import type { LocalTime } from './local-time.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** How long a child may continue a started video after the viewing time is used up. Allowed once a day. */
export const GRACE_DURATION_MS = 15 * MINUTE_MS
/** Remaining viewing time at which the player shows the first warning. */
export const WARNING_LEAD_MS = 10 * MINUTE_MS
/**
 * Reports of a device arrive at uneven intervals, so a report may contain a little more playing time than has passed
 * since the previous report. At most this much of the additional playing time is counted.
 */
const REPORT_JITTER_MS = 5_000
/**
 * If `coveredUntilMs` is later than the current time by more than this tolerance, the clock of the server was set
 * back. `coveredUntilMs` is then ignored.
 */
const CLOCK_SETBACK_TOLERANCE_MS = 60_000

export const WEEKENDS = { sat_sun: [6, 0], fri_sat: [5, 6] } as const
export type Weekend = keyof typeof WEEKENDS

export interface ViewingLimits {
  /** Minutes per day; null means no limit. */
  schoolDayMinutes: number | null
  weekendMinutes: number | null
  /** Quiet hours in minutes since midnight. They may span midnight. Null without quiet hours. */
  quietStartMinute: number | null
  quietEndMinute: number | null
  weekend: Weekend
}

/** Playing time of today, and exceptions: time added by a parent, a period without quiet hours, and grace. */
export interface ViewingDayState {
  playedMs: number
  extraMs: number
  /** Start and end of the period in which quiet hours do not apply. */
  quietOffFromMs: number | null
  quietOffUntilMs: number | null
  /** Time at which the child chose to finish an episode. `graceDay` is the local day of that choice. */
  graceStartedAtMs: number | null
  graceDay: string | null
  hasGraceEnded: boolean
}

export interface ViewingTimeState {
  /** `grace`: the child may only finish the video that it had started. */
  status: 'unlimited' | 'allowed' | 'grace' | 'over'
  /** What ends or has ended playing: the minutes of the day, or quiet hours. Null when no limit applies today. */
  reason: 'minutes' | 'quiet_hours' | null
  /** Time until playing has to stop; null when no limit applies today. */
  remainingMs: number | null
  /** Playing time that is allowed today, including added time; null when the minutes of the day are not limited. */
  allowanceMs: number | null
  /** True when `status` is `over` and the child has not used grace today. */
  canFinishEpisode: boolean
}

function getDayAllowanceMs(limits: ViewingLimits, { weekday }: Pick<LocalTime, 'weekday'>): number | null {
  const isWeekend = (WEEKENDS[limits.weekend] as readonly number[]).includes(weekday)
  const allowanceMinutes = isWeekend ? limits.weekendMinutes : limits.schoolDayMinutes
  return allowanceMinutes === null ? null : allowanceMinutes * MINUTE_MS
}

/**
 * Returns the time until quiet hours begin. Returns 0 during quiet hours, and null if the profile has no quiet hours.
 */
export function getTimeUntilQuietMs(limits: ViewingLimits, { timeOfDayMs }: LocalTime): number | null {
  const { quietStartMinute, quietEndMinute } = limits
  if (quietStartMinute === null || quietEndMinute === null || quietStartMinute === quietEndMinute) return null
  const quietStartMs = quietStartMinute * MINUTE_MS
  const quietEndMs = quietEndMinute * MINUTE_MS
  const isInQuietHours =
    quietStartMs < quietEndMs
      ? timeOfDayMs >= quietStartMs && timeOfDayMs < quietEndMs
      : timeOfDayMs >= quietStartMs || timeOfDayMs < quietEndMs
  return isInQuietHours ? 0 : (quietStartMs - timeOfDayMs + DAY_MS) % DAY_MS
}

export interface ViewingTimeFacts {
  limits: ViewingLimits
  state: ViewingDayState
  localTime: LocalTime
  nowMs: number
}

/** Computes whether a profile may play now, and for how long. */
export function computeViewingTime({ limits, state, localTime, nowMs }: ViewingTimeFacts): ViewingTimeState {
  const dayAllowanceMs = getDayAllowanceMs(limits, localTime)
  const allowanceMs = dayAllowanceMs === null ? null : dayAllowanceMs + state.extraMs
  const remainingAllowanceMs = allowanceMs === null ? null : Math.max(0, allowanceMs - state.playedMs)
  const quietRemainingMs = getQuietRemainingMs(limits, state, localTime, nowMs)
  if (remainingAllowanceMs === null && quietRemainingMs === null)
    return {
      status: 'unlimited',
      reason: null,
      remainingMs: null,
      allowanceMs: null,
      canFinishEpisode: false,
    }
  const areQuietHoursFirst =
    quietRemainingMs !== null && (remainingAllowanceMs === null || quietRemainingMs <= remainingAllowanceMs)
  const remainingMs = areQuietHoursFirst ? quietRemainingMs : (remainingAllowanceMs ?? 0)
  const reason = areQuietHoursFirst ? 'quiet_hours' : 'minutes'
  if (remainingMs > 0) return { status: 'allowed', reason, remainingMs, allowanceMs, canFinishEpisode: false }
  const graceRemainingMs = getGraceRemainingMs(state, nowMs)
  if (graceRemainingMs > 0)
    return { status: 'grace', reason, remainingMs: graceRemainingMs, allowanceMs, canFinishEpisode: false }
  return {
    status: 'over',
    reason,
    remainingMs: 0,
    allowanceMs,
    canFinishEpisode: state.graceDay !== localTime.day,
  }
}

function getQuietRemainingMs(
  limits: ViewingLimits,
  { quietOffFromMs, quietOffUntilMs }: ViewingDayState,
  localTime: LocalTime,
  nowMs: number,
): number | null {
  const timeUntilQuietMs = getTimeUntilQuietMs(limits, localTime)
  if (timeUntilQuietMs === null) return null
  // If the period without quiet hours starts in the future, the clock was set back. The period is then ignored.
  // Otherwise, it would last longer than the parent has chosen, because its end is a time of the wrong clock.
  const hasQuietExceptionStarted =
    quietOffFromMs !== null && quietOffUntilMs !== null && nowMs >= quietOffFromMs
  return hasQuietExceptionStarted ? Math.max(timeUntilQuietMs, quietOffUntilMs - nowMs, 0) : timeUntilQuietMs
}

function getGraceRemainingMs({ graceStartedAtMs, hasGraceEnded }: ViewingDayState, nowMs: number): number {
  if (graceStartedAtMs === null || hasGraceEnded || nowMs < graceStartedAtMs) return 0
  return Math.max(0, graceStartedAtMs + GRACE_DURATION_MS - nowMs)
}

/**
 * Returns the state after a parent has added time: at least `minutes` of the allowance of the day remain. Quiet hours
 * are postponed if the current time is within them, even if an earlier addition has already postponed them. Quiet hours
 * are also postponed if the minutes of the day are not limited.
 */
export function computeStateAfterAddition(facts: ViewingTimeFacts, minutes: number): ViewingDayState {
  const { limits, state, localTime, nowMs } = facts
  const addedMs = minutes * MINUTE_MS
  const dayAllowanceMs = getDayAllowanceMs(limits, localTime)
  const playedBeyondAllowanceMs =
    dayAllowanceMs === null ? 0 : Math.max(0, state.playedMs - dayAllowanceMs - state.extraMs)
  const extraMs = dayAllowanceMs === null ? state.extraMs : state.extraMs + playedBeyondAllowanceMs + addedMs
  const quietRemainingMs = getQuietRemainingMs(limits, state, localTime, nowMs)
  const areQuietHoursActive = getTimeUntilQuietMs(limits, localTime) === 0
  const shouldMoveQuietHours = quietRemainingMs !== null && (areQuietHoursActive || dayAllowanceMs === null)
  return {
    ...state,
    extraMs,
    ...(shouldMoveQuietHours && {
      quietOffFromMs: nowMs,
      quietOffUntilMs: nowMs + quietRemainingMs + addedMs,
    }),
  }
}

export interface PlayedTimeReport {
  /** Playing time of this player since it was opened. */
  totalMs: number
  /** The part of `totalMs` that earlier reports of the player have contained. */
  recordedTotalMs: number
  /**
   * Time up to which the playing time of this device has already been counted; null if none has been counted yet.
   */
  coveredUntilMs: number | null
  nowMs: number
}

/**
 * Returns how much of a report counts. Each player reports its total, so a repeated or late report adds nothing.
 * Playing time of two players that run at the same time on one device counts once.
 */
export function countPlayedTime({ totalMs, recordedTotalMs, coveredUntilMs, nowMs }: PlayedTimeReport): {
  countedMs: number
  recordedTotalMs: number
  coveredUntilMs: number
} {
  const newPlayedMs = Math.min(Math.max(0, totalMs - recordedTotalMs), DAY_MS)
  const isClockSetBack = coveredUntilMs !== null && coveredUntilMs > nowMs + CLOCK_SETBACK_TOLERANCE_MS
  const periodStartMs =
    coveredUntilMs === null || isClockSetBack
      ? nowMs - newPlayedMs
      : Math.max(coveredUntilMs, nowMs - newPlayedMs)
  const countedMs = Math.min(newPlayedMs, Math.max(0, nowMs + REPORT_JITTER_MS - periodStartMs))
  return {
    countedMs,
    recordedTotalMs: Math.max(recordedTotalMs, totalMs),
    coveredUntilMs: periodStartMs + countedMs,
  }
}

/** Splits counted time at local midnight. The part before midnight belongs to the previous day. */
export function splitAtMidnight(
  countedMs: number,
  { timeOfDayMs }: Pick<LocalTime, 'timeOfDayMs'>,
): { todayMs: number; previousDayMs: number } {
  const todayMs = Math.min(countedMs, timeOfDayMs)
  return { todayMs, previousDayMs: countedMs - todayMs }
}

export interface PlaybackSample {
  /** Monotonic time in milliseconds. */
  atMs: number
  positionSeconds: number
  playbackRate: number
}

/**
 * Returns the playing time between two samples of a video. It is the forward movement of the position, divided by the
 * playback rate, but at most the elapsed time. So a jump forward counts only as the elapsed time. A jump backward, a
 * stall and a pause count as 0.
 */
export function measurePlayedMs(previousSample: PlaybackSample, nextSample: PlaybackSample): number {
  const elapsedMs = nextSample.atMs - previousSample.atMs
  const playbackRate = previousSample.playbackRate > 0 ? previousSample.playbackRate : 1
  const positionAdvanceMs =
    ((nextSample.positionSeconds - previousSample.positionSeconds) * 1_000) / playbackRate
  return Math.max(0, Math.min(elapsedMs, positionAdvanceMs))
}
