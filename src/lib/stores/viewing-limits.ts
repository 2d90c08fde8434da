/** Viewing limits, options and activity of the profiles of the account, for parents. */
import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import { createEditKey } from '../client/edit-key.ts'
import { isClientError } from '../client/lost-reply.ts'
import { removeAddedViewingTime } from '../contract/added-viewing-time.ts'
import type { BodyOf, ReplyOf } from '../contract/endpoint.ts'
import * as activityCalls from '../contract/family-activity.ts'
import * as calls from '../contract/viewing-time.ts'
import * as requestCalls from '../contract/watch-requests.ts'
import { createStorePerProfile } from './family.ts'
import { perProfile } from './per-profile.ts'
import { $profileId } from './profile.ts'
import { createReadStore, refetch } from './query.ts'
import { showToast } from './toast.ts'

export const getViewingLimitsStore = createStorePerProfile(calls.getViewingLimits)
export const getActivityStore = createStorePerProfile(activityCalls.getProfileActivity)

export const getChildOptionsStore = createStorePerProfile(requestCalls.getChildOptions)

export const $familySettings = createReadStore(
  calls.getFamilySettings,
  computed($profileId, (profileId) => (profileId ? {} : null)),
)

/**
 * Changes limits and shows a message on failure. Limits that are not given stay as they are, so that changes of other
 * devices are kept. Returns true on success.
 */
export async function saveViewingLimits(
  profileId: string,
  limits: Partial<calls.ViewingLimitFields>,
): Promise<boolean> {
  const limitsStore = getViewingLimitsStore(profileId)
  const previousReply = limitsStore.get().data
  if (previousReply) limitsStore.mutate({ ...previousReply, limits: { ...previousReply.limits, ...limits } })
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  try {
    limitsStore.mutate(
      await callApi(calls.putViewingLimits, {
        params: { id: profileId },
        body: { ...limits, ...(timeZone && { time_zone: timeZone }) },
      }),
    )
    // The first limits can set the time zone of the account, which is one of the family settings.
    refetch(calls.getFamilySettings)
    return true
  } catch {
    limitsStore.mutate(previousReply)
    showToast('errors:failed', { kind: 'bad' })
    return false
  }
}

/**
 * Adding the same minutes again after this time is a new addition, because by then the parent has seen the reloaded
 * viewing time.
 */
const REPEAT_PERIOD_MS = 60_000
/** Additions that may have reached the server although no reply arrived, by profile and minutes. */
const $unconfirmedAdditions = perProfile(() => new Map<string, { key: string; startedAtMs: number }>())

/**
 * Adds minutes to the viewing time of a profile for today. Shows the result. After a lost reply, adding the same
 * minutes again within REPEAT_PERIOD_MS repeats the request, so that the time is added only once.
 */
export async function addViewingTime(profileId: string, minutes: number): Promise<void> {
  const unconfirmedAdditions = $unconfirmedAdditions.get()
  const additionName = `${profileId} ${minutes}`
  const previousAddition = unconfirmedAdditions.get(additionName)
  const isRepeated = previousAddition && Date.now() - previousAddition.startedAtMs < REPEAT_PERIOD_MS
  const addition = isRepeated ? previousAddition : { key: createEditKey(), startedAtMs: Date.now() }
  const { key } = addition
  unconfirmedAdditions.set(additionName, addition)
  try {
    const viewingTimeToday = await callApi(calls.addViewingTime, {
      params: { id: profileId },
      body: { minutes, key },
    })
    unconfirmedAdditions.delete(additionName)
    showViewingTimeToday(profileId, viewingTimeToday)
    showToast('viewingtime:added', { undo: () => void removeAddedTime(profileId, key) })
  } catch (error) {
    if (isClientError(error)) unconfirmedAdditions.delete(additionName)
    // The server may have added the time although no reply arrived. The refetch shows the parent the time that the
    // server has stored.
    refetch(calls.getViewingLimits)
    showToast('errors:failed', { kind: 'bad' })
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
  } catch {
    refetch(calls.getViewingLimits)
    showToast('errors:failed', { kind: 'bad' })
  }
}

function showViewingTimeToday(profileId: string, today: ReplyOf<typeof calls.addViewingTime>): void {
  const limitsStore = getViewingLimitsStore(profileId)
  const previousReply = limitsStore.get().data
  if (previousReply) limitsStore.mutate({ ...previousReply, today })
}

export async function saveFamilySettings(change: BodyOf<typeof calls.putFamilySettings>): Promise<void> {
  await sendFamilySettings(() => callApi(calls.putFamilySettings, { body: change }))
}

/** Sets the exit PIN, or removes it when `pin` is null. Returns true on success. */
export const saveExitPin = (pin: string | null): Promise<boolean> =>
  sendFamilySettings(() => callApi(calls.putExitPin, { body: { pin } }))

async function sendFamilySettings(sendRequest: () => Promise<calls.FamilySettings>): Promise<boolean> {
  try {
    $familySettings.mutate(await sendRequest())
    return true
  } catch {
    showToast('errors:failed', { kind: 'bad' })
    return false
  }
}

/** Changes whether a profile may send watch requests and whether labels are spoken. Returns true on success. */
export async function saveChildOptions(
  profileId: string,
  changes: Partial<ReplyOf<typeof requestCalls.getChildOptions>>,
): Promise<boolean> {
  const childOptionsStore = getChildOptionsStore(profileId)
  const previousReply = childOptionsStore.get().data
  if (previousReply) childOptionsStore.mutate({ ...previousReply, ...changes })
  try {
    childOptionsStore.mutate(
      await callApi(requestCalls.putChildOptions, { params: { id: profileId }, body: changes }),
    )
    return true
  } catch {
    childOptionsStore.mutate(previousReply)
    showToast('errors:failed', { kind: 'bad' })
    return false
  }
}
