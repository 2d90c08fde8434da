/** Viewing time that a parent adds for today, and takes back (decision record 40). */
import type { ViewingTime } from '../../../src/lib/contract/viewing-time.ts'
import { computeStateAfterAddition } from '../../../src/lib/rules/viewing-time.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import type { Db } from '../../db/database.ts'
import {
  addToViewingDay,
  clearViewingTimeAddition,
  insertViewingTimeAddition,
  lockViewingTime,
  selectViewingRules,
  selectViewingTimeAddition,
  updateViewingLimits,
  type ViewingTimeAdditionRow,
} from '../../queries/viewing-time.ts'
import { listViewerIds, type ProfileCaller } from '../auth/caller.ts'
import { createRandomId } from '../auth/secret.ts'
import type { RequestContext } from '../context.ts'
import { publishSharedEvent } from '../events/account-events.ts'
import { recordCallerAction } from '../operations/audit.ts'
import {
  hasViewingLimits,
  type LoadedViewingFacts,
  loadStrictestViewingTime,
  loadViewerTimes,
} from './viewing-time.ts'

const MINUTE_MS = 60_000

/**
 * Adds viewing time for today, so that at least `minutes` remain; quiet hours are postponed if necessary. While a group
 * watches with the profile, adds the time for each member whose time is over or, if nobody's time is over, for each
 * member with limits. A repeated call with the same key adds nothing. Throws 409 if none of these profiles has limits,
 * and 422 when a call with other minutes has used the key.
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
    // An addition that was taken back has 0 minutes, so its minutes are not compared.
    if (additions.some((addition) => addition && addition.minutes > 0 && addition.minutes !== minutes))
      throw createFieldProblem('key', 'reused')
    const isRepeated = additions.some((addition) => addition !== undefined)
    const viewersWithoutTimeLeft = limitedViewers.filter(({ status }) => status === 'over')
    const extendedViewers = viewersWithoutTimeLeft.length > 0 ? viewersWithoutTimeLeft : limitedViewers
    for (const { profileId, facts } of isRepeated ? [] : extendedViewers) {
      await storeAddition(trx, { profileId, facts, minutes, key })
      await recordCallerAction(trx, context, { action: 'viewing_time_add', profileId })
    }
    return loadStrictestViewingTime(trx, profileIds, nowMs)
  })
  publishSharedEvent({ deps, caller }, 'viewing_time')
  return viewingTime
}

interface AdditionRequest {
  profileId: string
  facts: LoadedViewingFacts
  minutes: number
  key: string
}

async function storeAddition(trx: Db, { profileId, facts, minutes, key }: AdditionRequest): Promise<void> {
  const { state, localTime, nowMs } = facts
  const newState = computeStateAfterAddition(facts, minutes)
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
    // Another call may have used the same key for other profiles. All additions of one call have the same `created_at`.
    // Take back only the additions of the calls that have added time for a current viewer.
    const callTimesMs = new Set(
      additions.filter((row) => viewerIds.includes(row.profile_id)).map((row) => row.created_at),
    )
    if (callTimesMs.size === 0) throw new Problem('not_found')
    for (const addition of additions.filter((row) => row.minutes > 0 && callTimesMs.has(row.created_at))) {
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
