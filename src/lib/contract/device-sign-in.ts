/**
 * Sign-in of a device without a keyboard (RFC 8628): the device shows a code, and a signed-in user approves the code.
 */
import * as z from 'zod/mini'
import { deviceNameSchema, tokensSchema } from './auth.ts'
import { adultProofFields, idSchema, instantSchema, maxCharacters } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'

const deviceCodeSchema = z.string().check(z.minLength(1), maxCharacters(64))
const userCodeSchema = z.string().check(maxCharacters(32))

const issuedCodeSchema = z.object({
  /** Secret of the device. With this secret, the device polls whether a user has approved its code. */
  device_code: z.string(),
  /** The code that a person types or scans on a signed-in device, such as `WDJB-MJHT`. */
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  /** Lifetime of the codes in seconds. */
  expires_in: z.number(),
  /** Shortest time in seconds between two calls of `pollDeviceCode`. */
  interval: z.number(),
})
export type IssuedDeviceCode = z.infer<typeof issuedCodeSchema>

export const requestDeviceCode = defineEndpoint({
  access: 'public',
  method: 'POST',
  path: '/auth/device-code',
  status: 201,
  body: z.strictObject({ device_name: deviceNameSchema }),
  reply: issuedCodeSchema,
  summary: 'Issues a code with which a signed-in device can sign this device in',
})

const deviceCodePollSchema = z.object({
  /**
   * `slow_down` means that the device polled too soon and must wait for the new `interval`. The state of unknown
   * codes, and of used codes whose tokens cannot be sent again, is `expired`.
   */
  state: z.enum(['pending', 'slow_down', 'approved', 'denied', 'expired']),
  /** Shortest time in seconds until the next poll. Present only in the states `pending` and `slow_down`. */
  interval: z.optional(z.number()),
  /**
   * Access token of the new device, after the approval. The refresh token is sent as a cookie. If the reply is lost, a
   * repeated poll within 60 seconds gets both tokens again, unless they have been used.
   */
  tokens: z.optional(tokensSchema),
  /**
   * Id of the profile that was chosen at the approval; null when none was chosen. If the profile has a PIN, the new
   * device must still unlock it.
   */
  profile_id: z.optional(z.nullable(z.string())),
})
export type DeviceCodePoll = z.infer<typeof deviceCodePollSchema>

export const pollDeviceCode = defineEndpoint({
  access: 'public',
  method: 'POST',
  path: '/auth/device-code/token',
  body: z.strictObject({ device_code: deviceCodeSchema }),
  reply: deviceCodePollSchema,
  summary: 'Tells a device whether its code was approved; signs it in',
})

/** Sends the event `decided` when the code is approved or denied, so that the device polls immediately. */
export const streamDeviceCodeEvents = defineEndpoint({
  access: 'public',
  method: 'POST',
  path: '/auth/device-code/events',
  body: z.strictObject({ device_code: deviceCodeSchema }),
  replyTypes: ['text/event-stream'],
  summary: 'Server-sent events: the code was approved or denied',
})

const requestingDeviceSchema = z.object({
  name: z.string(),
  /** Truncated IP address of the device that shows the code. */
  ip: z.nullable(z.string()),
  /** True when the approving device and the device that shows the code are in the same network. */
  same_network: z.boolean(),
  requested_at: instantSchema,
  expires_at: instantSchema,
  /** Email address of the account into which an approval signs the device: the account of the caller. */
  account_email: z.string(),
})
export type RequestingDevice = z.infer<typeof requestingDeviceSchema>

export const lookUpUserCode = defineEndpoint({
  access: 'user',
  proof: 'adult',
  method: 'POST',
  path: '/auth/device-code/lookup',
  body: z.strictObject({ user_code: userCodeSchema, ...adultProofFields }),
  reply: requestingDeviceSchema,
  summary: 'Describes the device that shows a code',
})

export const decideUserCode = defineEndpoint({
  access: 'user',
  proof: 'adult',
  method: 'POST',
  path: '/auth/device-code/decision',
  body: z.strictObject({
    user_code: userCodeSchema,
    approve: z.boolean(),
    /** Id of the profile that the new device opens. Without an id, the new device opens the profile picker. */
    profile_id: z.optional(z.nullable(idSchema)),
    ...adultProofFields,
  }),
  summary: 'Signs the device that shows a code in to the account of the caller, or denies it',
})
