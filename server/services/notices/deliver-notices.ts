/**
 * Delivers new notices to devices (Web Push). A process claims notices for a device before it sends them, so that no
 * other process sends the same notices.
 */
import { getLocalDate } from '../../../src/lib/rules/local-time.ts'
import { runOptionalWrite } from '../../core/database-unavailable.ts'
import { DAY_MS } from '../../core/dates.ts'
import { toErrorFields } from '../../core/log.ts'
import { type PushSubscriptionData, sendPushMessage } from '../../providers/push-service.ts'
import { type NoticeRow, selectUnsentNotices } from '../../queries/notice.ts'
import {
  claimNotices,
  type DeliveryProfile,
  deletePushEndpoint,
  deletePushSubscription,
  type PushSubscriptionRow,
  recordPushDelivery,
  recordPushFailure,
  selectReadyPushSubscriptions,
} from '../../queries/push-subscription.ts'
import { selectTitlesByIds } from '../../queries/title.ts'
import type { Audience } from '../../queries/title-scope.ts'
import { loadProfilesAudience } from '../auth/audience.ts'
import { getTitleLanguage } from '../auth/caller.ts'
import { openSealedText } from '../auth/sealed-text.ts'
import { sha256 } from '../auth/secret.ts'
import { loadCardsById } from '../catalogue/cards.ts'
import type { Deps } from '../deps.ts'
import { runWithLease } from '../jobs/lease.ts'
import { sendDueDigests } from './digest.ts'
import { buildPushPayloads, type PushPayload } from './notice-messages.ts'
import { deriveNotices } from './notices.ts'
import { isInQuietHours } from './quiet-hours.ts'

/**
 * Maximum age of a notice that is delivered. Notices become older, for example, during a long failure, or while the
 * quiet hours last the whole day.
 */
const MAX_NOTICE_AGE_MS = 7 * DAY_MS
/** Interval at which notices are derived from the catalogue for each profile. */
const DERIVATION_INTERVAL_MS = 600_000
const FIRST_RETRY_DELAY_MS = 60_000
const MAX_RETRY_DELAY_MS = 6 * 3_600_000

/**
 * Members choose the push services of their devices, and a push service may take ten seconds for each response. The
 * notices of several accounts are therefore sent at the same time, and each account has a limited time.
 */
const MAX_CONCURRENT_ACCOUNTS = 8
const MAX_ACCOUNT_SENDING_MS = 30_000

type ProfileSubscription = PushSubscriptionRow & DeliveryProfile

/**
 * Sends new notices to devices, and weekly emails that are due. Does nothing while another process sends
 * them.
 */
export async function deliverNotices(deps: Deps): Promise<void> {
  await runWithLease(deps.database.primary, 'notices', async () => {
    await pushNewNotices(deps)
    await sendDueDigests(deps)
  })
}

/**
 * Times of `monotonicNow()` at which the notices of each profile were last derived. Processes do not share these times,
 * because deriving the same notices again changes nothing.
 */
const derivationTimesByDeps = new WeakMap<Deps, Map<string, number>>()

export async function pushNewNotices(deps: Deps): Promise<void> {
  const { primary } = deps.database
  const nowMs = deps.now()
  const subscriptions = await selectReadyPushSubscriptions(primary, {
    nowMs,
    maxRetryDelayMs: MAX_RETRY_DELAY_MS,
  })
  await deriveDueNotices(deps, subscriptions, nowMs)
  const dueSubscriptions = subscriptions.filter((subscription) => !isInQuietHours(subscription, nowMs))
  const accountSubscriptionQueue = [...Map.groupBy(dueSubscriptions, (row) => row.account_id).values()]
  const pushToNextAccounts = async () => {
    for (let rows = accountSubscriptionQueue.shift(); rows; rows = accountSubscriptionQueue.shift())
      await pushToAccount(deps, rows, nowMs)
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT_ACCOUNTS }, pushToNextAccounts))
}

/**
 * Sends the notices of one account to its devices, one device after the other. Stops after MAX_ACCOUNT_SENDING_MS. The
 * remaining devices get their notices at the next delivery.
 */
async function pushToAccount(
  deps: Deps,
  subscriptions: readonly ProfileSubscription[],
  nowMs: number,
): Promise<void> {
  const startedAtMs = deps.monotonicNow()
  for (const subscription of subscriptions) {
    if (deps.monotonicNow() - startedAtMs > MAX_ACCOUNT_SENDING_MS) return
    try {
      await pushToDevice(deps, subscription, nowMs)
    } catch (error) {
      deps.log.warn('notices not delivered', toErrorFields(error))
    }
  }
}

/**
 * Derives the notices of the profiles with a subscription. If the devices of a profile have different dates, the
 * earliest date counts, so that no device receives the notice of an episode before the date of the episode. A device
 * that opens its list of notices, and the weekly email, derive notices with their own date.
 */
async function deriveDueNotices(
  deps: Deps,
  subscriptions: readonly ProfileSubscription[],
  nowMs: number,
): Promise<void> {
  const derivedAtMsByProfileId = derivationTimesByDeps.get(deps) ?? new Map<string, number>()
  derivationTimesByDeps.set(deps, derivedAtMsByProfileId)
  const subscriptionsByProfileId = Map.groupBy(subscriptions, (subscription) => subscription.profile_id)
  for (const [profileId, profileSubscriptions] of subscriptionsByProfileId) {
    const monotonicMs = deps.monotonicNow()
    const lastDerivedAtMs = derivedAtMsByProfileId.get(profileId) ?? Number.NEGATIVE_INFINITY
    if (monotonicMs - lastDerivedAtMs < DERIVATION_INTERVAL_MS) continue
    derivedAtMsByProfileId.set(profileId, monotonicMs)
    const [today = ''] = profileSubscriptions
      .map((subscription) => getLocalDate(nowMs, subscription.device_time_zone ?? subscription.time_zone))
      .sort()
    await runOptionalWrite(() => deriveNotices(deps.database.primary, profileId, { nowMs, today }))
  }
}

async function pushToDevice(deps: Deps, subscription: ProfileSubscription, nowMs: number): Promise<void> {
  const { primary } = deps.database
  const { profile_id: profileId, last_notice_id: lastNoticeId } = subscription
  const audience = await loadProfilesAudience(deps, [subscription])
  const notices = await selectUnsentNotices(primary, audience, {
    profileId,
    lastNoticeId,
    sinceMs: nowMs - MAX_NOTICE_AGE_MS,
  })
  const newestNoticeId = notices.at(-1)?.notice_id
  if (newestNoticeId === undefined || !(await claimNotices(primary, subscription, newestNoticeId))) return
  for (const payload of await loadPayloads(deps, subscription, notices, audience)) {
    const isDelivered = await sendToDevice(deps, subscription, payload, lastNoticeId)
    if (!isDelivered) return
  }
}

async function loadPayloads(
  deps: Deps,
  subscription: ProfileSubscription,
  notices: readonly NoticeRow[],
  audience: Audience,
): Promise<PushPayload[]> {
  const titleIds = [...new Set(notices.map((notice) => notice.title_id))]
  const titles = await selectTitlesByIds(deps.database.primary, audience, titleIds)
  const titleLanguage = getTitleLanguage({ account: subscription, acting: subscription })
  const cardsById = await loadCardsById(deps, titles, titleLanguage)
  return buildPushPayloads({
    siteName: deps.config.siteName,
    language: subscription.language,
    notices,
    cardsByTitleId: cardsById,
  })
}

/**
 * Sends one notification and records the result. Returns true if it was delivered. Deletes the subscription if it can
 * no longer be decrypted or the push service no longer knows it. After any other failure, all notices of the device
 * after `lastNoticeId` are sent again later. A notification that the device has already received is then replaced by
 * the new notification, because both have the same tag.
 */
export async function sendToDevice(
  deps: Deps,
  subscription: PushSubscriptionRow,
  payload: PushPayload,
  lastNoticeId: number,
): Promise<boolean> {
  const { primary } = deps.database
  const device = { profileId: subscription.profile_id, sid: subscription.sid }
  const subscriptionData = decryptSubscription(deps, subscription)
  if (!subscriptionData) {
    await deletePushSubscription(primary, device)
    return false
  }
  const { publicUrl, pushOrigins } = deps.config
  const pushResult = await sendPushMessage(
    { keys: deps.keys, publicUrl, origins: pushOrigins },
    {
      subscription: subscriptionData,
      payload: JSON.stringify(payload),
      topic: sha256(`${subscription.profile_id} ${payload.tag}`).slice(0, 32),
    },
  )
  if (pushResult === 'delivered') await recordPushDelivery(primary, device, deps.now())
  else if (pushResult === 'gone') await deletePushEndpoint(primary, subscription.endpoint_hash)
  else {
    const nowMs = deps.now()
    const waitMs = Math.min(FIRST_RETRY_DELAY_MS * 2 ** subscription.failures, MAX_RETRY_DELAY_MS)
    await recordPushFailure(primary, subscription, { nowMs, retryAtMs: nowMs + waitMs, lastNoticeId })
  }
  return pushResult === 'delivered'
}

/**
 * Decrypts a subscription. Returns null when `keys.json` was replaced; the browser must then subscribe again.
 */
function decryptSubscription(deps: Deps, { subscription }: PushSubscriptionRow): PushSubscriptionData | null {
  const subscriptionJson = openSealedText(deps.keys, subscription)
  return subscriptionJson === null ? null : (JSON.parse(subscriptionJson) as PushSubscriptionData)
}
