/** A phone as remote control and keyboard of a television that is signed in to the same account. */
import * as z from 'zod/mini'
import { MAX_REMOTE_TEXT_LENGTH, REMOTE_COMMANDS } from '../rules/remote-commands.ts'
import { idSchema, maxCharacters } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'

const pairingParamsSchema = z.strictObject({ pairing: idSchema })

const openedPairingSchema = z.object({
  pairing_id: z.string(),
  /** Six digits that a person types or scans on the phone. */
  code: z.string(),
  /** Interval in seconds at which the television must renew the pairing. Without renewals, the pairing ends. */
  renew_seconds: z.number(),
})
export type OpenedPairing = z.infer<typeof openedPairingSchema>

export const openPairing = defineEndpoint({
  access: 'user',
  method: 'POST',
  path: '/remote/pairings',
  status: 201,
  reply: openedPairingSchema,
  summary: 'Issues a code with which a phone of the same account becomes the remote control of this device',
})

const renewedPairingSchema = z.object({
  /** Name of the paired device; null while no phone has used the code. */
  device_name: z.nullable(z.string()),
})
export type RenewedPairing = z.infer<typeof renewedPairingSchema>

export const renewPairing = defineEndpoint({
  access: 'user',
  method: 'POST',
  path: '/remote/pairings/{pairing}/renew',
  params: pairingParamsSchema,
  body: z.strictObject({
    /**
     * True when the page closes or reloads. The pairing ends in a few seconds, unless the next page renews the pairing.
     */
    closing: z.optional(z.boolean()),
  }),
  reply: renewedPairingSchema,
  summary: 'Keeps the pairing of this television or phone while its page is open',
})

const phonePairingSchema = z.object({
  pairing_id: z.string(),
  /** Name of the television. */
  device_name: z.string(),
})
export type PhonePairing = z.infer<typeof phonePairingSchema>

export const claimPairing = defineEndpoint({
  access: 'user',
  method: 'POST',
  path: '/remote/claim',
  body: z.strictObject({ code: z.string().check(maxCharacters(32)) }),
  reply: phonePairingSchema,
  summary: 'Makes this phone the remote control of the television that shows the code',
})

/** The server passes the command on and stores nothing. */
export const sendRemoteCommand = defineEndpoint({
  access: 'user',
  method: 'POST',
  path: '/remote/pairings/{pairing}/command',
  params: pairingParamsSchema,
  body: z.strictObject({ command: z.enum(REMOTE_COMMANDS) }),
  summary: 'Sends a key of the remote control to the television',
})

/** The server passes the text on, and neither stores nor logs it. */
export const sendRemoteText = defineEndpoint({
  access: 'user',
  method: 'POST',
  path: '/remote/pairings/{pairing}/text',
  params: pairingParamsSchema,
  body: z.strictObject({ text: z.string().check(z.minLength(1), maxCharacters(MAX_REMOTE_TEXT_LENGTH)) }),
  summary: 'Sends text to the focused field of the television',
})

export const endPairing = defineEndpoint({
  access: 'user',
  method: 'DELETE',
  path: '/remote/pairings/{pairing}',
  params: pairingParamsSchema,
  summary: 'Ends a pairing of this device',
})
