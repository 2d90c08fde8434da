/**
 * Viewing time of profiles (decision record 40): how long a profile or a group may still watch. Players report the
 * playing time with the progress. The playing time is counted for kids profiles and for profiles with limits.
 */
import type { ViewingTime } from '../../../src/lib/contract/viewing-time.ts'
import { getLocalTime } from '../../../src/lib/rules/local-time.ts'
import { computeViewingTime, type ViewingTimeFacts } from '../../../src/lib/rules/viewing-time.ts'
import { Problem } from '../../core/problem.ts'
import type { Db } from '../../db/database.ts'
import type { CallerProfile } from '../../queries/profile.ts'
import { selectViewingDay, selectViewingRules, type ViewingRules } from '../../queries/viewing-time.ts'
import { listViewerIds } from '../auth/caller.ts'
import type { ProfileContext, ViewerContext } from '../context.ts'
import type { Deps } from '../deps.ts'

export const DEFAULT_TIME_ZONE = 'UTC'
/**
 * Streams continue for this long after the viewing time is used up, so that the player stops before the
 * stream does.
 */
const STREAM_TOLERANCE_MS = 30_000

/** The stored rules of a profile and the facts from which its viewing time is computed. */
export interface LoadedViewingFacts extends ViewingTimeFacts {
  rules: ViewingRules
}

export const hasViewingLimits = (rules: ViewingRules) =>
  rules.school_day_minutes !== null || rules.weekend_minutes !== null || rules.quiet_start !== null
const isViewingTimeCounted = (rules: ViewingRules) => rules.kids === 1 || hasViewingLimits(rules)

export async function loadViewingFacts(
  db: Db,
  profileId: string,
  nowMs: number,
): Promise<LoadedViewingFacts | null> {
  const rules = await selectViewingRules(db, profileId)
  if (!rules || !isViewingTimeCounted(rules)) return null
  const localTime = getLocalTime(nowMs, rules.time_zone ?? DEFAULT_TIME_ZONE)
  const { played_ms, extra_ms } = await selectViewingDay(db, profileId, localTime.day)
  return {
    rules,
    localTime,
    nowMs,
    limits: {
      schoolDayMinutes: rules.school_day_minutes,
      weekendMinutes: rules.weekend_minutes,
      quietStartMinute: rules.quiet_start,
      quietEndMinute: rules.quiet_end,
      weekend: rules.weekend ?? 'sat_sun',
    },
    state: {
      playedMs: played_ms,
      extraMs: extra_ms,
      quietOffFromMs: rules.quiet_off_from,
      quietOffUntilMs: rules.quiet_off_until,
      graceStartedAtMs: rules.grace_started_at,
      graceDay: rules.grace_day,
      hasGraceEnded: rules.grace_ended === 1,
    },
  }
}

const toSeconds = (durationMs: number) => Math.ceil(durationMs / 1_000)

const UNLIMITED_VIEWING_TIME: ViewingTime = {
  status: 'unlimited',
  reason: null,
  remaining_seconds: null,
  played_seconds: 0,
  allowed_seconds: null,
  can_finish_episode: false,
  quiet_until: null,
}

export function toViewingTime(facts: LoadedViewingFacts | null): ViewingTime {
  if (!facts) return UNLIMITED_VIEWING_TIME
  const { status, reason, remainingMs, allowanceMs, canFinishEpisode } = computeViewingTime(facts)
  return {
    status,
    reason,
    remaining_seconds: remainingMs === null ? null : toSeconds(remainingMs),
    played_seconds: Math.floor(facts.state.playedMs / 1_000),
    allowed_seconds: allowanceMs === null ? null : toSeconds(allowanceMs),
    can_finish_episode: canFinishEpisode,
    quiet_until: facts.limits.quietEndMinute,
  }
}

/**
 * Returns the viewing time that ends first; undefined for an empty list. A group has the strictest viewing time of its
 * members. The group may finish its video only if each member whose time is over may finish it.
 */
export function findStrictestViewingTime(viewingTimes: readonly ViewingTime[]): ViewingTime | undefined {
  const getStrictnessRank = ({ status, remaining_seconds }: ViewingTime) =>
    status === 'over' ? -1 : (remaining_seconds ?? Number.POSITIVE_INFINITY)
  const strictestViewingTime = [...viewingTimes].sort(
    (a, b) => getStrictnessRank(a) - getStrictnessRank(b),
  )[0]
  if (strictestViewingTime?.status !== 'over') return strictestViewingTime
  const endedViewingTimes = viewingTimes.filter(({ status }) => status === 'over')
  return {
    ...strictestViewingTime,
    can_finish_episode: endedViewingTimes.every(({ can_finish_episode }) => can_finish_episode),
  }
}

/** Viewing time of one of the profiles that watch together. */
export interface ViewerTime {
  profileId: string
  /** Null when the viewing time of the profile is not counted. */
  facts: LoadedViewingFacts | null
  viewingTime: ViewingTime
}

export async function loadViewerTimes(
  db: Db,
  profileIds: readonly string[],
  nowMs: number,
): Promise<ViewerTime[]> {
  const viewers: ViewerTime[] = []
  for (const profileId of profileIds) {
    const facts = await loadViewingFacts(db, profileId, nowMs)
    viewers.push({ profileId, facts, viewingTime: toViewingTime(facts) })
  }
  return viewers
}

export async function loadStrictestViewingTime(
  db: Db,
  profileIds: readonly string[],
  nowMs: number,
): Promise<ViewingTime> {
  const viewers = await loadViewerTimes(db, profileIds, nowMs)
  return findStrictestViewingTime(viewers.map(({ viewingTime }) => viewingTime)) ?? UNLIMITED_VIEWING_TIME
}

/** Returns how long the profile may still watch, together with its group if it has one. */
export async function loadViewingTime({ deps, caller }: ProfileContext): Promise<ViewingTime> {
  const viewingTimes = await Promise.all(
    listViewerIds(caller).map(async (profileId) =>
      toViewingTime(await loadViewingFacts(deps.database.primary, profileId, deps.now())),
    ),
  )
  return findStrictestViewingTime(viewingTimes) ?? UNLIMITED_VIEWING_TIME
}

/**
 * True while a stream of the profile may continue: always for a profile without limits, and otherwise until
 * STREAM_TOLERANCE_MS after the viewing time is used up.
 */
export async function mayKeepPlaying(deps: Deps, profileId: string): Promise<boolean> {
  const facts = await loadViewingFacts(deps.database.primary, profileId, deps.now())
  if (!facts || !hasViewingLimits(facts.rules)) return true
  if (computeViewingTime(facts).status !== 'over') return true
  const { state: dayState, limits, localTime, nowMs } = facts
  const factsWithTolerance = {
    limits,
    localTime: { ...localTime, timeOfDayMs: Math.max(0, localTime.timeOfDayMs - STREAM_TOLERANCE_MS) },
    nowMs: nowMs - STREAM_TOLERANCE_MS,
    state: { ...dayState, playedMs: Math.max(0, dayState.playedMs - STREAM_TOLERANCE_MS) },
  }
  return computeViewingTime(factsWithTolerance).status !== 'over'
}

/**
 * True if a device without an acting profile may play. The playing time on such a device is not counted for any
 * profile. The device may therefore play only if no profile of the account has viewing limits, or if the device
 * can enter a profile without viewing limits.
 */
export const mayPlayWithoutProfile = (profiles: readonly CallerProfile[]): boolean =>
  profiles.every((profile) => profile.has_viewing_limits === 0) ||
  profiles.some((profile) => profile.enterable && profile.has_viewing_limits === 0)

/**
 * Throws 403 with the reason in `errors.viewing_time` when the acting profile or its group may not play now. The reason
 * is `no_profile` when a profile must be chosen first.
 */
export async function requireViewingTime(context: ViewerContext): Promise<void> {
  const { acting: actingProfile, profiles } = context.caller
  if (!actingProfile) {
    if (mayPlayWithoutProfile(profiles)) return
    throw new Problem('forbidden', {
      message: 'A profile must be chosen, because viewing time is limited.',
      errors: { viewing_time: ['no_profile'] },
    })
  }
  const profile = { ...actingProfile, enterable: true }
  const { status, reason } = await loadViewingTime({ ...context, caller: { ...context.caller, profile } })
  if (status === 'over')
    throw new Problem('forbidden', {
      message: 'The viewing time of this profile is used up.',
      errors: { viewing_time: [reason ?? 'minutes'] },
    })
}
