/**
 * Viewing time of profiles (decision record 40). Players report the playing time with the progress. The playing time
 * is counted for kids profiles and for profiles with limits.
 */
import type { ViewingTime } from '../../../src/lib/contract/viewing-time.ts'
import { getLocalTime, type LocalTime } from '../../../src/lib/rules/local-time.ts'
import {
  addViewingTime as computeAddedTime,
  computeViewingTime,
  type ViewingDayState,
  type ViewingLimits,
} from '../../../src/lib/rules/viewing-time.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import type { Db } from '../../db/database.ts'
import type { CallerProfile } from '../../queries/profile.ts'
import {
  addToViewingDay,
  clearViewingTimeAddition,
  insertViewingTimeAddition,
  lockViewingTime,
  selectViewingDay,
  selectViewingRules,
  selectViewingTimeAddition,
  updateViewingLimits,
  type ViewingRules,
  type ViewingTimeAdditionRow,
} from '../../queries/viewing-time.ts'
import { listViewerIds, type ProfileCaller } from '../auth/caller.ts'
import { createRandomId } from '../auth/secret.ts'
import type { ProfileContext, RequestContext, ViewerContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import { publishSharedEvent } from '../events/account-events.ts'
import { recordCallerAction } from '../operations/audit.ts'

export const DEFAULT_TIME_ZONE = 'UTC'
/**
 * Streams continue for this long after the viewing time is used up, so that the player stops before the
 * stream does.
 */
const STREAM_TOLERANCE_MS = 30_000
const MINUTE_MS = 60_000

interface ViewingTimeFacts {
  limits: ViewingLimits
  state: ViewingDayState
  localTime: LocalTime
  nowMs: number
  rules: ViewingRules
}

const hasViewingLimits = (rules: ViewingRules) =>
  rules.school_day_minutes !== null || rules.weekend_minutes !== null || rules.quiet_start !== null
const isTimeCounted = (rules: ViewingRules) => rules.kids === 1 || hasViewingLimits(rules)

export async function loadViewingFacts(
  db: Db,
  profileId: string,
  nowMs: number,
): Promise<ViewingTimeFacts | null> {
  const rules = await selectViewingRules(db, profileId)
  if (!rules || !isTimeCounted(rules)) return null
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

export function toViewingTime(facts: ViewingTimeFacts | null): ViewingTime {
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
 * Returns the viewing time that ends first. A group has the strictest viewing time of its members. The group may finish
 * its video only if each member whose time is over may finish it.
 */
export function findStrictestViewingTime(viewingTimes: readonly ViewingTime[]): ViewingTime | undefined {
  const getRank = ({ status, remaining_seconds }: ViewingTime) =>
    status === 'over' ? -1 : (remaining_seconds ?? Number.POSITIVE_INFINITY)
  const strictestTime = [...viewingTimes].sort((a, b) => getRank(a) - getRank(b))[0]
  if (strictestTime?.status !== 'over') return strictestTime
  const endedTimes = viewingTimes.filter(({ status }) => status === 'over')
  return {
    ...strictestTime,
    can_finish_episode: endedTimes.every(({ can_finish_episode }) => can_finish_episode),
  }
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

interface ViewerTime {
  profileId: string
  /** Null when the viewing time of the profile is not counted. */
  facts: ViewingTimeFacts | null
  viewingTime: ViewingTime
}

async function loadViewerTimes(db: Db, profileIds: readonly string[], nowMs: number): Promise<ViewerTime[]> {
  const viewers: ViewerTime[] = []
  for (const profileId of profileIds) {
    const facts = await loadViewingFacts(db, profileId, nowMs)
    viewers.push({ profileId, facts, viewingTime: toViewingTime(facts) })
  }
  return viewers
}

async function loadStrictestViewingTime(
  db: Db,
  profileIds: readonly string[],
  nowMs: number,
): Promise<ViewingTime> {
  const viewers = await loadViewerTimes(db, profileIds, nowMs)
  return findStrictestViewingTime(viewers.map(({ viewingTime }) => viewingTime)) ?? UNLIMITED_VIEWING_TIME
}

/**
 * Starts the grace for a video, for each viewer whose time is over. Throws 409 if one of them has used the grace of
 * today, or if no time is over.
 */
export async function startGrace(context: ProfileContext, videoKey: string): Promise<ViewingTime> {
  const { deps, caller } = context
  const nowMs = deps.now()
  const viewingTime = await deps.database.primary.transaction().execute(async (trx) => {
    const profileIds = listViewerIds(caller).toSorted()
    for (const profileId of profileIds) await lockViewingTime(trx, profileId)
    const viewers = await loadViewerTimes(trx, profileIds, nowMs)
    const strictestTime = findStrictestViewingTime(viewers.map((viewer) => viewer.viewingTime))
    // The client repeats a request if the first response was lost. Both requests get the same response.
    if (
      strictestTime?.status === 'grace' &&
      viewers.every(
        ({ facts, viewingTime: { status } }) => status !== 'grace' || facts?.rules.grace_video === videoKey,
      )
    )
      return strictestTime
    if (!strictestTime?.can_finish_episode)
      throw new Problem('conflict', { errors: { grace: ['not_available'] } })
    for (const { profileId, facts, viewingTime: viewerTime } of viewers)
      if (facts && viewerTime.status === 'over')
        await updateViewingLimits(trx, profileId, {
          grace_started_at: nowMs,
          grace_day: facts.localTime.day,
          grace_video: videoKey,
          grace_ended: 0,
        })
    return loadStrictestViewingTime(trx, profileIds, nowMs)
  })
  publishSharedEvent({ deps, caller }, 'viewing_time')
  return viewingTime
}

/**
 * Adds viewing time for today, so that at least `minutes` remain; quiet hours are paused if necessary. While a group
 * watches with the profile, adds the time for each member whose time is over or, if nobody's time is over, for each
 * member with limits. A repeated call with the same key adds nothing. Throws 409 for a profile without limits, and 422
 * when a call with other minutes has used the key.
 */
export async function addViewingTime(
  context: RequestContext<ProfileCaller>,
  { minutes, key = createRandomId() }: { minutes: number; key?: string | undefined },
): Promise<ViewingTime> {
  const { deps, caller } = context
  const nowMs = deps.now()
  const viewingTime = await deps.database.primary.transaction().execute(async (trx) => {
    const profileIds = listViewerIds(caller).toSorted()
    for (const profileId of profileIds) await lockViewingTime(trx, profileId)
    const viewers = await loadViewerTimes(trx, profileIds, nowMs)
    const limitedViewers = viewers.flatMap(({ profileId, facts, viewingTime: { status } }) =>
      facts && hasViewingLimits(facts.rules) ? [{ profileId, facts, status }] : [],
    )
    if (limitedViewers.length === 0) throw new Problem('conflict', { errors: { limits: ['none'] } })
    const additions = await Promise.all(
      limitedViewers.map(({ profileId }) => selectViewingTimeAddition(trx, profileId, key)),
    )
    // An addition that was taken back has 0 minutes.
    if (additions.some((addition) => addition && addition.minutes > 0 && addition.minutes !== minutes))
      throw createFieldProblem('key', 'reused')
    const isRepeated = additions.some((addition) => addition !== undefined)
    const endedViewers = limitedViewers.filter(({ status }) => status === 'over')
    const extendedViewers = endedViewers.length > 0 ? endedViewers : limitedViewers
    for (const { profileId, facts } of isRepeated ? [] : extendedViewers) {
      await storeAddition(trx, { profileId, facts, minutes, key })
      await recordCallerAction(trx, context, { action: 'viewing_time_add', profileId })
    }
    return loadStrictestViewingTime(trx, profileIds, nowMs)
  })
  publishSharedEvent({ deps, caller }, 'viewing_time')
  return viewingTime
}

interface Addition {
  profileId: string
  facts: ViewingTimeFacts
  minutes: number
  key: string
}

async function storeAddition(trx: Db, { profileId, facts, minutes, key }: Addition): Promise<void> {
  const { state, localTime, nowMs } = facts
  const newState = computeAddedTime(facts, minutes)
  const extraMs = newState.extraMs - state.extraMs
  if (extraMs > 0) await addToViewingDay(trx, { profileId, day: localTime.day }, { extraMs })
  await insertViewingTimeAddition(trx, {
    profile_id: profileId,
    addition_key: key,
    day: localTime.day,
    minutes,
    extra_ms: extraMs,
    quiet_ms: newState.quietOffUntilMs === state.quietOffUntilMs ? 0 : minutes * MINUTE_MS,
    created_at: nowMs,
  })
  await updateViewingLimits(trx, profileId, {
    quiet_off_from: newState.quietOffFromMs,
    quiet_off_until: newState.quietOffUntilMs,
  })
}

/**
 * Takes back the viewing time that one call of `addViewingTime` added with this key: for the profile, and for each
 * member of the group that received it in the same call. Throws 404 for an unknown key.
 */
export async function removeAddedViewingTime(
  context: RequestContext<ProfileCaller>,
  key: string,
): Promise<ViewingTime> {
  const { deps, caller } = context
  const viewerIds = listViewerIds(caller)
  const viewingTime = await deps.database.primary.transaction().execute(async (trx) => {
    const additions: ViewingTimeAdditionRow[] = []
    for (const profileId of caller.profiles.map(({ profile_id }) => profile_id).toSorted()) {
      await lockViewingTime(trx, profileId)
      const addition = await selectViewingTimeAddition(trx, profileId, key)
      if (addition) additions.push(addition)
    }
    // Another call may have used the same key for a profile outside the group.
    const callTimes = new Set(
      additions.filter((row) => viewerIds.includes(row.profile_id)).map((row) => row.created_at),
    )
    if (callTimes.size === 0) throw new Problem('not_found')
    for (const addition of additions.filter((row) => row.minutes > 0 && callTimes.has(row.created_at))) {
      await takeBackAddition(trx, addition)
      await recordCallerAction(trx, context, {
        action: 'viewing_time_remove',
        profileId: addition.profile_id,
      })
    }
    return loadStrictestViewingTime(trx, viewerIds, deps.now())
  })
  publishSharedEvent({ deps, caller }, 'viewing_time')
  return viewingTime
}

async function takeBackAddition(
  trx: Db,
  { profile_id: profileId, addition_key, day, extra_ms, quiet_ms }: ViewingTimeAdditionRow,
): Promise<void> {
  await addToViewingDay(trx, { profileId, day }, { extraMs: -extra_ms })
  const rules = await selectViewingRules(trx, profileId)
  // If `quiet_off_until` is null, new quiet hours have replaced the quiet hours that the addition had postponed.
  if (rules?.quiet_off_until && quiet_ms > 0)
    await updateViewingLimits(trx, profileId, { quiet_off_until: rules.quiet_off_until - quiet_ms })
  await clearViewingTimeAddition(trx, profileId, addition_key)
}
