/** Viewing limits, options and activity of the profiles of the account, for parents. */
import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import { createEditKey } from '../client/edit-key.ts'
import { isClientError } from '../client/lost-reply.ts'
import { removeAddedViewingTime } from '../contract/added-viewing-time.ts'
import type { ReplyOf } from '../contract/endpoint.ts'
import * as activityCalls from '../contract/family-activity.ts'
import * as calls from '../contract/viewing-time.ts'
import * as requestCalls from '../contract/watch-requests.ts'
import { createStorePerProfile } from './family.ts'
import { saveOptimistically } from './optimistic-writes.ts'
import { perProfile } from './per-profile.ts'
import { $profileId } from './profile.ts'
import { createReadStore, refetch } from './query.ts'
import { showFailure, showToast } from './toast.ts'

export const getViewingLimitsStore = createStorePerProfile(calls.getViewingLimits)
export const getActivityStore = createStorePerProfile(activityCalls.getProfileActivity)

export const getChildOptionsStore = createStorePerProfile(requestCalls.getChildOptions)

export const $familySettings = createReadStore(
  calls.getFamilySettings,
  computed($profileId, (profileId) => (profileId ? {} : null)),
)

/**
 * Changes limits and shows a message on failure. Limits that are not given stay as they are, so that changes that were
 * made on other devices are kept. Returns true on success.
 */
export async function saveViewingLimits(
  profileId: string,
  limits: Partial<calls.ViewingLimitFields>,
): Promise<boolean> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const isSaved = await saveOptimistically(getViewingLimitsStore(profileId), {
    applyChange: (reply) => ({ ...reply, limits: { ...reply.limits, ...limits } }),
    send: () =>
      callApi(calls.putViewingLimits, {
        params: { id: profileId },
        body: { ...limits, ...(timeZone && { time_zone: timeZone }) },
      }),
  })
  // The time zone of the account is one of the family settings. If the account has none yet, the request has set it.
  if (isSaved) refetch(calls.getFamilySettings)
  return isSaved
}

/**
 * During this time after an unconfirmed addition, adding the same minutes again repeats the unconfirmed addition.
 * Later, adding the same minutes is a new addition, because by then the parent has seen the reloaded viewing time.
 */
const ADDITION_REPEAT_PERIOD_MS = 60_000
/** Additions that may have reached the server although no reply arrived, by profile and minutes. */
const $unconfirmedAdditions = perProfile(() => new Map<string, { key: string; startedAtMs: number }>())

/**
 * Adds minutes to the viewing time of a profile for today. Shows the result. After a lost reply, adding the same
 * minutes again within ADDITION_REPEAT_PERIOD_MS repeats the request, so that the time is added only once.
 */
export async function addViewingTime(profileId: string, minutes: number): Promise<void> {
  const unconfirmedAdditions = $unconfirmedAdditions.get()
  const profileAndMinutes = `${profileId} ${minutes}`
  const previousAddition = unconfirmedAdditions.get(profileAndMinutes)
  const isRepeated = previousAddition && Date.now() - previousAddition.startedAtMs < ADDITION_REPEAT_PERIOD_MS
  const addition = isRepeated ? previousAddition : { key: createEditKey(), startedAtMs: Date.now() }
  const { key } = addition
  unconfirmedAdditions.set(profileAndMinutes, addition)
  try {
    const viewingTimeToday = await callApi(calls.addViewingTime, {
      params: { id: profileId },
      body: { minutes, key },
    })
    unconfirmedAdditions.delete(profileAndMinutes)
    showViewingTimeToday(profileId, viewingTimeToday)
    showToast('viewingtime:added', { undo: () => void removeAddedTime(profileId, key) })
  } catch (error) {
    if (isClientError(error)) unconfirmedAdditions.delete(profileAndMinutes)
    // The server may have added the time although no reply arrived. The refetch shows the parent the time that the
    // server has stored.
    refetch(calls.getViewingLimits)
    showFailure(error)
  }
}

/** Removes the viewing time that the addition with this key has added. */
async function removeAddedTime(profileId: string, key: string): Promise<void> {
  try {
    const viewingTimeToday = await callApi(removeAddedViewingTime, {
      params: { id: profileId, key },
      body: {},
    })
    showViewingTimeToday(profileId, viewingTimeToday)
  } catch (error) {
    refetch(calls.getViewingLimits)
    showFailure(error)
  }
}

function showViewingTimeToday(profileId: string, today: ReplyOf<typeof calls.addViewingTime>): void {
  const limitsStore = getViewingLimitsStore(profileId)
  const previousReply = limitsStore.get().data
  if (previousReply) limitsStore.mutate({ ...previousReply, today })
}

export async function saveFamilySettings(
  change: Partial<Pick<calls.FamilySettings, 'time_zone' | 'weekend'>>,
): Promise<void> {
  await saveOptimistically($familySettings, {
    applyChange: (settings) => ({ ...settings, ...change }),
    send: () => callApi(calls.putFamilySettings, { body: change }),
  })
}

/** Sets the exit PIN, or removes it when `pin` is null. Returns true on success. */
export const saveExitPin = (pin: string | null): Promise<boolean> =>
  saveOptimistically($familySettings, {
    // Changes nothing in advance: the page must not say that a PIN is set before the server has stored the PIN.
    applyChange: (settings) => settings,
    send: () => callApi(calls.putExitPin, { body: { pin } }),
  })

/** Changes whether a profile may send watch requests and whether labels are spoken. Returns true on success. */
export const saveChildOptions = (
  profileId: string,
  changes: Partial<ReplyOf<typeof requestCalls.getChildOptions>>,
): Promise<boolean> =>
  saveOptimistically(getChildOptionsStore(profileId), {
    applyChange: (options) => ({ ...options, ...changes }),
    send: () => callApi(requestCalls.putChildOptions, { params: { id: profileId }, body: changes }),
  })
