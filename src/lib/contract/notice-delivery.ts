/** Delivery of notices outside the site, by Web Push and in a weekly email. Kids profiles get no such notices. */
import * as z from 'zod/mini'
import { idParamsSchema, idSchema, maxCharacters } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'

const NOTIFICATIONS_PATH = '/profile/{id}/notifications'
/** Time of day, `HH:MM`. */
const timeOfDaySchema = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/))
const base64UrlSchema = z.string().check(maxCharacters(200), z.regex(/^[A-Za-z0-9_-]+={0,2}$/))

const pushDeviceSchema = z.object({
  device_id: z.string(),
  name: z.string(),
  /** True for the device that sends the request. */
  current: z.boolean(),
  created_at: z.string(),
  /** Time at which the push service last accepted a notice for the device; null before the first notice. */
  delivered_at: z.nullable(z.string()),
  /** Time of the last attempt to deliver a notice, if it failed; null if it succeeded, and before the first attempt. */
  failed_at: z.nullable(z.string()),
})
export type PushDevice = z.infer<typeof pushDeviceSchema>

const quietHoursSchema = z.strictObject({ from: timeOfDaySchema, until: timeOfDaySchema })
const noticeSettingsSchema = z.object({
  /** IANA name of a time zone. */
  time_zone: z.string(),
  /** No notice is delivered between these times; null without quiet hours. `until` may be on the next day. */
  quiet: z.nullable(z.object({ from: z.string(), until: z.string() })),
  digest: z.boolean(),
  /** Day of the week on which the weekly email is sent. 0 is Sunday. */
  digest_day: z.number(),
  digest_sent_at: z.nullable(z.string()),
  /** False when the installation cannot send email. */
  email_available: z.boolean(),
  /** Public key of the installation (VAPID, RFC 8292), as base64url. A browser needs this key to subscribe. */
  push_key: z.string(),
  devices: z.array(pushDeviceSchema),
})
export type NoticeSettings = z.infer<typeof noticeSettingsSchema>

export const getNoticeSettings = defineEndpoint({
  access: 'profile',
  audience: 'adult',
  scope: 'tracking:read',
  method: 'GET',
  path: `${NOTIFICATIONS_PATH}/settings`,
  params: idParamsSchema,
  reply: noticeSettingsSchema,
  summary: 'Returns how notices are delivered, with the devices that show them',
})
export const changeNoticeSettings = defineEndpoint({
  access: 'profile',
  audience: 'adult',
  scope: 'tracking:write',
  method: 'PUT',
  path: `${NOTIFICATIONS_PATH}/settings`,
  params: idParamsSchema,
  body: z.strictObject({
    time_zone: z.optional(z.string().check(z.minLength(1), maxCharacters(64))),
    quiet: z.optional(z.nullable(quietHoursSchema)),
    digest: z.optional(z.boolean()),
    digest_day: z.optional(z.int().check(z.minimum(0), z.maximum(6))),
  }),
  reply: noticeSettingsSchema,
  errorStatuses: [409],
  summary: 'Changes the given settings of notices: time zone, quiet hours and weekly email',
})
export const subscribeDevice = defineEndpoint({
  access: 'profile',
  audience: 'adult',
  method: 'PUT',
  path: `${NOTIFICATIONS_PATH}/devices`,
  params: idParamsSchema,
  /** Endpoint and keys of a `PushSubscription` of the browser. */
  body: z.strictObject({
    endpoint: z.string().check(z.minLength(1), maxCharacters(1_000)),
    keys: z.strictObject({ p256dh: base64UrlSchema, auth: base64UrlSchema }),
  }),
  reply: noticeSettingsSchema,
  summary: 'Shows the notices of the profile on this device, until it signs out',
})
export const unsubscribeDevice = defineEndpoint({
  access: 'profile',
  audience: 'adult',
  method: 'DELETE',
  path: `${NOTIFICATIONS_PATH}/devices/{deviceId}`,
  params: z.extend(idParamsSchema, { deviceId: idSchema }),
  reply: noticeSettingsSchema,
  summary: 'Shows no more notices of the profile on a device',
})
export const sendTestNotice = defineEndpoint({
  access: 'profile',
  audience: 'adult',
  method: 'POST',
  path: `${NOTIFICATIONS_PATH}/devices/test`,
  params: idParamsSchema,
  reply: z.object({ delivered: z.boolean() }),
  summary: 'Sends a notification to this device and tells whether its push service accepted it',
})

const tokenParamsSchema = z.strictObject({ token: z.string().check(maxCharacters(64)) })
const UNSUBSCRIBE_PATH = '/unsubscribe/{token}'
export const showUnsubscribePage = defineEndpoint({
  access: 'public',
  method: 'GET',
  path: UNSUBSCRIBE_PATH,
  params: tokenParamsSchema,
  replyTypes: ['text/html'],
  summary: 'Returns a page with a button that ends the weekly email',
})
export const unsubscribeFromDigest = defineEndpoint({
  access: 'public',
  method: 'POST',
  path: UNSUBSCRIBE_PATH,
  params: tokenParamsSchema,
  /** Email programs send `List-Unsubscribe=One-Click` (RFC 8058). */
  body: z.strictObject({ 'List-Unsubscribe': z.optional(z.string().check(maxCharacters(40))) }),
  replyTypes: ['text/html'],
  summary: 'Ends the weekly email of the profile that a token names; other tokens get the same reply',
})
