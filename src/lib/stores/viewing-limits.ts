/** Viewing limits, options and activity of the profiles of the account, for parents. */
import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import type { BodyOf, ReplyOf } from '../contract/endpoint.ts'
import * as activityCalls from '../contract/family-activity.ts'
import * as calls from '../contract/viewing-time.ts'
import * as requestCalls from '../contract/watch-requests.ts'
import { createStorePerProfile } from './family.ts'
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

/** Saves limits and shows a message on failure. Returns true on success. */
export async function saveViewingLimits(
  profileId: string,
  limits: calls.ViewingLimitFields,
): Promise<boolean> {
  const limitsStore = getViewingLimitsStore(profileId)
  const previousReply = limitsStore.get().data
  if (previousReply) limitsStore.mutate({ ...previousReply, limits })
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  try {
    limitsStore.mutate(
      await callApi(calls.putViewingLimits, {
        params: { id: profileId },
        body: { ...limits, ...(timeZone && { time_zone: timeZone }) },
      }),
    )
    // The first limits can set the time zone of the account.
    refetch(calls.getFamilySettings)
    return true
  } catch {
    limitsStore.mutate(previousReply)
    showToast('errors:failed', { kind: 'bad' })
    return false
  }
}

/** Adds minutes to the viewing time of a profile for today. Shows the result. */
export async function addViewingTime(profileId: string, minutes: number): Promise<void> {
  const limitsStore = getViewingLimitsStore(profileId)
  try {
    const viewingTimeToday = await callApi(calls.addViewingTime, {
      params: { id: profileId },
      body: { minutes },
    })
    const previousReply = limitsStore.get().data
    if (previousReply) limitsStore.mutate({ ...previousReply, today: viewingTimeToday })
    showToast('viewingtime:added')
  } catch {
    // The server may have added the time although no reply arrived. A parent must not add the same time twice.
    refetch(calls.getViewingLimits)
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

/** Saves whether a profile may send watch requests and whether labels are spoken. Returns true on success. */
export async function saveChildOptions(
  profileId: string,
  childOptions: ReplyOf<typeof requestCalls.getChildOptions>,
): Promise<boolean> {
  const optionsStore = getChildOptionsStore(profileId)
  const previousReply = optionsStore.get().data
  optionsStore.mutate(childOptions)
  try {
    await callApi(requestCalls.putChildOptions, { params: { id: profileId }, body: childOptions })
    return true
  } catch {
    optionsStore.mutate(previousReply)
    showToast('errors:failed', { kind: 'bad' })
    return false
  }
}
