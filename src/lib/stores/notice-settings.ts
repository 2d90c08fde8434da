/** Settings for the notices that reach the acting profile outside the site, and push notifications in this browser. */
import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import * as calls from '../contract/notice-delivery.ts'
import { saveOptimistically } from './optimistic-writes.ts'
import { $profile } from './profile.ts'
import { createReadStore, refetch } from './query.ts'
import { showToast } from './toast.ts'

const $profileParams = computed($profile, (profile) =>
  profile && !profile.kids ? { params: { id: profile.profile_id } } : null,
)
export const $noticeSettings = createReadStore(calls.getNoticeSettings, $profileParams)

const getProfileId = () => $profile.get()?.profile_id ?? ''

type NoticeSettingsChange = Partial<Pick<calls.NoticeSettings, 'quiet' | 'digest' | 'digest_day'>>

/**
 * Saves settings together with the time zone of this device, because the times in the settings are local times. Shows a
 * message on failure.
 */
export async function saveNoticeSettings(change: NoticeSettingsChange): Promise<void> {
  const { timeZone: time_zone } = Intl.DateTimeFormat().resolvedOptions()
  const params = { id: getProfileId() }
  await saveOptimistically(
    $noticeSettings,
    {
      applyChange: (settings) => ({ ...settings, ...change }),
      send: () => callApi(calls.changeNoticeSettings, { params, body: { ...change, time_zone } }),
    },
    'errors:generic',
  )
}

/** `blocked`: the user has refused notifications of this site. Only the browser settings can allow them again. */
export type PushSupport = 'available' | 'blocked' | 'unsupported'

export function getPushSupport(): PushSupport {
  if (!('Notification' in globalThis && 'PushManager' in globalThis && navigator.serviceWorker))
    return 'unsupported'
  return Notification.permission === 'denied' ? 'blocked' : 'available'
}

/**
 * Asks for the permission and turns on notifications of the profile on this device. Must be called in an event handler
 * of a click, because browsers reject other permission requests. Returns the reason for a failure, or null.
 */
export async function turnOnPush(
  applicationServerKey: string,
): Promise<'blocked' | 'dismissed' | 'failed' | null> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'blocked' : 'dismissed'
  try {
    const subscription = (await subscribeBrowser(applicationServerKey)).toJSON()
    const { p256dh = '', auth = '' } = subscription.keys ?? {}
    const subscriptionBody = { endpoint: subscription.endpoint ?? '', keys: { p256dh, auth } }
    $noticeSettings.mutate(
      await callApi(calls.subscribeDevice, { params: { id: getProfileId() }, body: subscriptionBody }),
    )
    return null
  } catch {
    return 'failed'
  }
}

/**
 * Subscribes with the key of this server. If that fails and the browser has an older subscription, ends the older
 * subscription and tries again: a subscription with the key of an earlier installation prevents a new subscription.
 */
async function subscribeBrowser(applicationServerKey: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register('/sw.js')
  const { pushManager } = await navigator.serviceWorker.ready
  const subscribeOptions = { userVisibleOnly: true, applicationServerKey }
  try {
    return await pushManager.subscribe(subscribeOptions)
  } catch (error) {
    const oldSubscription = await pushManager.getSubscription()
    if (!oldSubscription) throw error
    await oldSubscription.unsubscribe()
    return pushManager.subscribe(subscribeOptions)
  }
}

/** Turns off notifications of the profile on a device. Shows a message on failure. */
export async function turnOffPush(deviceId: string): Promise<void> {
  try {
    const params = { id: getProfileId(), deviceId }
    $noticeSettings.mutate(await callApi(calls.unsubscribeDevice, { params }))
  } catch {
    refetch(calls.getNoticeSettings)
    showToast('errors:generic', { kind: 'bad' })
  }
}

/** Sends a notification to this device, and shows whether it was sent. */
export async function sendTestPush(): Promise<void> {
  const isDelivered = await callApi(calls.sendTestNotice, { params: { id: getProfileId() } }).then(
    ({ delivered }) => delivered,
    () => false,
  )
  if (isDelivered) showToast('notices:testSent')
  else showToast('notices:testFailed', { kind: 'bad' })
  refetch(calls.getNoticeSettings)
}
