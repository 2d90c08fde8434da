/** Viewing limits, options and activity of the profiles of the account, for parents. */
import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import type { BodyOf, ReplyOf } from '../contract/endpoint.ts'
import * as activityCalls from '../contract/family-activity.ts'
import * as calls from '../contract/viewing-time.ts'
import * as requestCalls from '../contract/watch-requests.ts'
import { createStorePerProfile } from './family.ts'
import { $profileId } from './profile.ts'
import { createReadStore } from './query.ts'
import { showToast } from './toast.ts'

export const getViewingLimitsStore = createStorePerProfile(calls.getViewingLimits)
export const getActivityStore = createStorePerProfile(activityCalls.getProfileActivity)

export const getChildOptionsStore = createStorePerProfile(requestCalls.getChildOptions)

export const $familySettings = createReadStore(
  calls.getFamilySettings,
  computed($profileId, (id) => (id ? {} : null)),
)

/** Saves limits and shows a message on failure. Returns true on success. */
export async function saveViewingLimits(
  profileId: string,
  limits: calls.ViewingLimitFields,
): Promise<boolean> {
  const store = getViewingLimitsStore(profileId)
  const previousReply = store.get().data
  if (previousReply) store.mutate({ ...previousReply, limits })
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  try {
    store.mutate(
      await callApi(calls.putViewingLimits, {
        params: { id: profileId },
        body: { ...limits, ...(timeZone && { time_zone: timeZone }) },
      }),
    )
    return true
  } catch {
    store.mutate(previousReply)
    showToast('errors:failed', { kind: 'bad' })
    return false
  }
}

/** Adds viewing time for today. */
export async function addViewingTime(profileId: string, minutes: number): Promise<void> {
  const store = getViewingLimitsStore(profileId)
  try {
    const viewingTimeToday = await callApi(calls.addViewingTime, {
      params: { id: profileId },
      body: { minutes },
    })
    const previousReply = store.get().data
    if (previousReply) store.mutate({ ...previousReply, today: viewingTimeToday })
    showToast('viewingtime:added')
  } catch {
    showToast('errors:failed', { kind: 'bad' })
  }
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

/** Saves the options of a child, which a parent sets. Returns true on success. */
export async function saveChildOptions(
  profileId: string,
  options: ReplyOf<typeof requestCalls.getChildOptions>,
): Promise<boolean> {
  const store = getChildOptionsStore(profileId)
  const previousReply = store.get().data
  store.mutate(options)
  try {
    await callApi(requestCalls.putChildOptions, { params: { id: profileId }, body: options })
    return true
  } catch {
    store.mutate(previousReply)
    showToast('errors:failed', { kind: 'bad' })
    return false
  }
}
