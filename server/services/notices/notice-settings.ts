/**
 * Loads and changes how a profile receives notices outside the site: devices, quiet hours and weekly email.
 */
import type { NoticeSettings } from '../../../src/lib/contract/notice-delivery.ts'
import { getTextDirection } from '../../../src/lib/i18n/locales.ts'
import { href } from '../../../src/lib/routes.ts'
import { toIsoTime, toIsoTimeOrNull } from '../../core/dates.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import {
  areValidPushKeys,
  derivePushKeys,
  isAllowedPushEndpoint,
  type PushSubscriptionData,
} from '../../providers/push-service.ts'
import {
  type NoticeSettingRow,
  selectNoticeSetting,
  upsertNoticeSetting,
} from '../../queries/notice-setting.ts'
import {
  deletePushSubscription,
  selectPushDevices,
  upsertPushSubscription,
} from '../../queries/push-subscription.ts'
import { getViewerDate } from '../auth/caller.ts'
import { sealText } from '../auth/sealed-text.ts'
import { sha256 } from '../auth/secret.ts'
import type { ProfileContext } from '../context.ts'
import { publishAccountEvent } from '../events/account-events.ts'
import { createTranslate, toMessageLocale } from '../operations/message-texts.ts'
import { sendToDevice } from './deliver-notices.ts'
import { deriveNotices } from './notices.ts'
import { formatTimeOfDay, isTimeZone, parseTimeOfDay } from './quiet-hours.ts'

/** Day of the weekly email, unless the profile chooses another day. 5 is Friday. */
const DEFAULT_DIGEST_DAY = 5

const buildDefaultSettings = (profileId: string): NoticeSettingRow => ({
  profile_id: profileId,
  time_zone: 'UTC',
  quiet_from: null,
  quiet_until: null,
  digest: 0,
  digest_day: DEFAULT_DIGEST_DAY,
  digest_sent_at: null,
  unsubscribe_hash: null,
})

export async function loadNoticeSettings({ deps, caller }: ProfileContext): Promise<NoticeSettings> {
  const { primary } = deps.database
  const { profile, login } = caller
  const row =
    (await selectNoticeSetting(primary, profile.profile_id)) ?? buildDefaultSettings(profile.profile_id)
  const devices = await selectPushDevices(primary, profile, deps.now())
  const { quiet_from, quiet_until } = row
  return {
    time_zone: row.time_zone,
    quiet:
      quiet_from === null || quiet_until === null
        ? null
        : { from: formatTimeOfDay(quiet_from), until: formatTimeOfDay(quiet_until) },
    digest: row.digest === 1,
    digest_day: row.digest_day,
    digest_sent_at: toIsoTimeOrNull(row.digest_sent_at),
    email_available: deps.config.smtpUrl !== undefined,
    push_key: derivePushKeys(deps.keys).publicKey,
    devices: devices.map((device) => ({
      device_id: device.sid,
      name: device.device_name,
      current: device.sid === login.sid,
      created_at: toIsoTime(device.created_at),
      delivered_at: toIsoTimeOrNull(device.delivered_at),
      failed_at: toIsoTimeOrNull(device.failed_at),
    })),
  }
}

interface NoticeSettingsChange {
  time_zone?: string | undefined
  quiet?: { from: string; until: string } | null | undefined
  digest?: boolean | undefined
  digest_day?: number | undefined
}

/**
 * Changes the given settings. Throws 422 for an unknown time zone. Throws 409 when the weekly email is turned
 * on but SMTP_URL is not configured.
 */
export async function changeNoticeSettings(
  context: ProfileContext,
  change: NoticeSettingsChange,
): Promise<NoticeSettings> {
  const { deps, caller } = context
  const profileId = caller.profile.profile_id
  const { time_zone, quiet, digest, digest_day } = change
  if (time_zone !== undefined && !isTimeZone(time_zone)) throw createFieldProblem('time_zone', 'unknown')
  if (digest && !deps.config.smtpUrl) throw new Problem('conflict', { errors: { digest: ['no_email'] } })
  await upsertNoticeSetting(deps.database.primary, buildDefaultSettings(profileId), {
    ...(time_zone !== undefined && { time_zone }),
    ...(quiet !== undefined && {
      quiet_from: quiet && parseTimeOfDay(quiet.from),
      quiet_until: quiet && parseTimeOfDay(quiet.until),
    }),
    ...(digest !== undefined && { digest: digest ? 1 : 0 }),
    ...(digest_day !== undefined && { digest_day }),
  })
  publishAccountEvent(context, 'notices')
  return loadNoticeSettings(context)
}

/**
 * Subscribes the device of the caller to the notices of the profile. Throws 422 when the address of the push
 * service is not public, or the keys are not valid.
 */
export async function subscribeDevice(
  context: ProfileContext,
  subscription: PushSubscriptionData,
): Promise<NoticeSettings> {
  const { deps, caller } = context
  const { profile, login } = caller
  if (!isAllowedPushEndpoint(subscription.endpoint, deps.config.pushOrigins))
    throw createFieldProblem('endpoint', 'not_public')
  if (!areValidPushKeys(subscription)) throw createFieldProblem('keys', 'invalid')
  const nowMs = deps.now()
  await deps.database.primary.transaction().execute(async (trx) => {
    // Derive the notices of all releases until now, so that the device receives only notices of later
    // releases.
    await deriveNotices(trx, profile.profile_id, { nowMs, today: getViewerDate(caller, nowMs) })
    await upsertPushSubscription(trx, {
      profile_id: profile.profile_id,
      sid: login.sid,
      endpoint_hash: sha256(subscription.endpoint),
      subscription: sealText(deps.keys, JSON.stringify(subscription)),
      pin_generation: profile.pin_generation,
      created_at: nowMs,
    })
  })
  publishAccountEvent(context, 'notices')
  return loadNoticeSettings(context)
}

/** Ends the subscription of a device to the notices of the profile. Throws 404 when the device is not subscribed. */
export async function unsubscribeDevice(context: ProfileContext, sid: string): Promise<NoticeSettings> {
  const { deps, caller } = context
  const deviceRef = { profileId: caller.profile.profile_id, sid }
  if (!(await deletePushSubscription(deps.database.primary, deviceRef))) throw new Problem('not_found')
  publishAccountEvent(context, 'notices')
  return loadNoticeSettings(context)
}

/** Sends a test notification to the device of the caller. Throws 404 when the device is not subscribed. */
export async function sendTestNotice(context: ProfileContext): Promise<{ delivered: boolean }> {
  const { deps, caller } = context
  const devices = await selectPushDevices(deps.database.primary, caller.profile, deps.now())
  const device = devices.find(({ sid }) => sid === caller.login.sid)
  if (!device) throw new Problem('not_found')
  const lang = toMessageLocale(caller.profile.language)
  const translate = createTranslate(lang, { site: deps.config.siteName })
  const payload = {
    title: deps.config.siteName,
    body: translate('mail:noticeTest'),
    path: href('home', lang),
    tag: 'test',
    lang,
    dir: getTextDirection(lang),
  }
  const isDelivered = await sendToDevice(deps, device, payload, device.last_notice_id)
  publishAccountEvent(context, 'notices')
  return { delivered: isDelivered }
}
