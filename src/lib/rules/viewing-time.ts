/**
 * Viewing time of a profile (decision 40): how playing time is counted, and whether the profile may play now. Durations are
 * in milliseconds, times in milliseconds since 1970.
 */
import type { LocalTime } from './local-time.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** How long a child may continue a started video after the viewing time is used up. Allowed once a day. */
export const FINISH_EPISODE_MS = 15 * MINUTE_MS
/** Time before the end of playing at which the player shows a warning. */
export const WARNING_MS = 10 * MINUTE_MS
/** How far into the future playing time may be counted. The reports of a device arrive at uneven intervals. */
const REPORT_JITTER_MS = 5_000
/** If playing time is counted further into the future than this, the clock of the server was set back. */
const CLOCK_STEP_MS = 60_000

export const WEEKENDS = { sat_sun: [6, 0], fri_sat: [5, 6] } as const
export type Weekend = keyof typeof WEEKENDS

export interface ViewingLimits {
  /** Minutes per day; null means no limit. */
  schoolDayMinutes: number | null
  weekendMinutes: number | null
  /** Quiet hours in minutes since midnight. They may span midnight. Null without quiet hours. */
  quietStart: number | null
  quietEnd: number | null
  weekend: Weekend
}

/** Playing time of today, and exceptions that a parent or the child has used. */
export interface ViewingDayState {
  playedMs: number
  extraMs: number
  /** Start and end of the period in which quiet hours do not apply. */
  quietOffFrom: number | null
  quietOffUntil: number | null
  /** Time at which the child chose to finish an episode. `graceDay` is the local day of that choice. */
  graceStartedAt: number | null
  graceDay: string | null
  hasGraceEnded: boolean
}

export interface ViewingTimeState {
  /** `grace`: the child may only finish the episode that it had started. */
  status: 'unlimited' | 'allowed' | 'grace' | 'over'
  /** What ends or has ended playing: the minutes of the day, or quiet hours. Null when no limit applies today. */
  reason: 'minutes' | 'quiet_hours' | null
  /** Time until playing has to stop; null when nothing stops it within a day. */
  remainingMs: number | null
  /** Playing time that the day allows, including added time; null without a limit. */
  allowanceMs: number | null
  /** True when the child may still finish the current episode. */
  canFinishEpisode: boolean
}

function getDayAllowanceMs(limits: ViewingLimits, { weekday }: Pick<LocalTime, 'weekday'>): number | null {
  const isWeekend = (WEEKENDS[limits.weekend] as readonly number[]).includes(weekday)
  const minutes = isWeekend ? limits.weekendMinutes : limits.schoolDayMinutes
  return minutes === null ? null : minutes * MINUTE_MS
}

/** Returns the time until quiet hours begin. Returns 0 during quiet hours, and null when there are none. */
export function getTimeUntilQuietMs(limits: ViewingLimits, { timeOfDayMs }: LocalTime): number | null {
  const { quietStart, quietEnd } = limits
  if (quietStart === null || quietEnd === null || quietStart === quietEnd) return null
  const startMs = quietStart * MINUTE_MS
  const endMs = quietEnd * MINUTE_MS
  const isQuiet =
    startMs < endMs
      ? timeOfDayMs >= startMs && timeOfDayMs < endMs
      : timeOfDayMs >= startMs || timeOfDayMs < endMs
  return isQuiet ? 0 : (startMs - timeOfDayMs + DAY_MS) % DAY_MS
}

interface ViewingTimeFacts {
  limits: ViewingLimits
  state: ViewingDayState
  local: LocalTime
  nowMs: number
}

/** Computes whether a profile may play now, and for how long. */
export function computeViewingTime({ limits, state, local, nowMs }: ViewingTimeFacts): ViewingTimeState {
  const dayMs = getDayAllowanceMs(limits, local)
  const allowanceMs = dayMs === null ? null : dayMs + state.extraMs
  const minutesMs = allowanceMs === null ? null : Math.max(0, allowanceMs - state.playedMs)
  const quietMs = getQuietRemainingMs(limits, state, local, nowMs)
  if (minutesMs === null && quietMs === null)
    return {
      status: 'unlimited',
      reason: null,
      remainingMs: null,
      allowanceMs: null,
      canFinishEpisode: false,
    }
  const isQuietFirst = quietMs !== null && (minutesMs === null || quietMs <= minutesMs)
  const remainingMs = isQuietFirst ? quietMs : (minutesMs ?? 0)
  const reason = isQuietFirst ? 'quiet_hours' : 'minutes'
  if (remainingMs > 0) return { status: 'allowed', reason, remainingMs, allowanceMs, canFinishEpisode: false }
  const graceMs = getGraceRemainingMs(state, nowMs)
  if (graceMs > 0)
    return { status: 'grace', reason, remainingMs: graceMs, allowanceMs, canFinishEpisode: false }
  return {
    status: 'over',
    reason,
    remainingMs: 0,
    allowanceMs,
    canFinishEpisode: state.graceDay !== local.day,
  }
}

function getQuietRemainingMs(
  limits: ViewingLimits,
  { quietOffFrom, quietOffUntil }: ViewingDayState,
  local: LocalTime,
  nowMs: number,
): number | null {
  const untilQuietMs = getTimeUntilQuietMs(limits, local)
  if (untilQuietMs === null) return null
  // After the clock was set back, the exception is no longer valid. Otherwise it would last longer by that difference.
  const isOff = quietOffFrom !== null && quietOffUntil !== null && nowMs >= quietOffFrom
  return isOff ? Math.max(untilQuietMs, quietOffUntil - nowMs, 0) : untilQuietMs
}

function getGraceRemainingMs({ graceStartedAt, hasGraceEnded }: ViewingDayState, nowMs: number): number {
  if (graceStartedAt === null || hasGraceEnded || nowMs < graceStartedAt) return 0
  return Math.max(0, graceStartedAt + FINISH_EPISODE_MS - nowMs)
}

/** Returns the state after a parent has added time: from now on, at least `minutes` remain. */
export function addViewingTime(facts: ViewingTimeFacts, minutes: number): ViewingDayState {
  const { limits, state, local, nowMs } = facts
  const addedMs = minutes * MINUTE_MS
  const dayMs = getDayAllowanceMs(limits, local)
  const overrunMs = dayMs === null ? 0 : Math.max(0, state.playedMs - dayMs - state.extraMs)
  const extraMs = dayMs === null ? state.extraMs : state.extraMs + overrunMs + addedMs
  const quietMs = getQuietRemainingMs(limits, state, local, nowMs)
  const movesQuietHours = quietMs !== null && (quietMs === 0 || dayMs === null)
  return {
    ...state,
    extraMs,
    ...(movesQuietHours && { quietOffFrom: nowMs, quietOffUntil: nowMs + quietMs + addedMs }),
  }
}

export interface PlayedReport {
  /** Playing time of this player since it was opened. */
  totalMs: number
  /** The part of that playing time that is already counted. */
  knownMs: number
  /** Time until which playing on this device is counted; null when nothing is counted yet. */
  coveredUntilMs: number | null
  nowMs: number
}

/**
 * Returns how much of a report counts. Each player reports its total, so a repeated or late report adds nothing. Playing time
 * of two players that run at the same time on one device counts once.
 */
export function countPlayedTime({ totalMs, knownMs, coveredUntilMs, nowMs }: PlayedReport): {
  countedMs: number
  knownMs: number
  coveredUntilMs: number
} {
  const newMs = Math.min(Math.max(0, totalMs - knownMs), DAY_MS)
  const isClockSetBack = coveredUntilMs !== null && coveredUntilMs > nowMs + CLOCK_STEP_MS
  const startMs =
    coveredUntilMs === null || isClockSetBack ? nowMs - newMs : Math.max(coveredUntilMs, nowMs - newMs)
  const countedMs = Math.min(newMs, Math.max(0, nowMs + REPORT_JITTER_MS - startMs))
  return { countedMs, knownMs: Math.max(knownMs, totalMs), coveredUntilMs: startMs + countedMs }
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
 * Returns the playing time between two samples of a video: the forward movement of the position, but at most the elapsed
 * time. So a jump forward counts only as the elapsed time. A jump backward, a stall and a pause count as 0.
 */
export function measurePlayedMs(previousSample: PlaybackSample, nextSample: PlaybackSample): number {
  const elapsedMs = nextSample.atMs - previousSample.atMs
  const rate = previousSample.playbackRate > 0 ? previousSample.playbackRate : 1
  const movedMs = ((nextSample.positionSeconds - previousSample.positionSeconds) * 1_000) / rate
  return Math.max(0, Math.min(elapsedMs, movedMs))
}
