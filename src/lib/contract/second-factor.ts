/** The second factor of an account: codes of an authenticator app (RFC 6238) and recovery codes. */
import * as z from 'zod/mini'
import { tokensSchema } from './auth.ts'
import { adultProofFields, instantSchema, maxCharacters, passwordSchema } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'

/** A code of the authenticator app or a recovery code, with or without spaces and hyphens. */
const secondFactorCodeSchema = z.string().check(z.minLength(1), maxCharacters(32))

const secondFactorStateSchema = z.object({
  /** Null while no authenticator app is set up. */
  totp_since: z.nullable(instantSchema),
  recovery_codes_left: z.number(),
})
export type SecondFactorState = z.infer<typeof secondFactorStateSchema>

export const getSecondFactor = defineEndpoint({
  access: 'user',
  proof: 'adult',
  method: 'GET',
  path: '/auth/second-factor',
  reply: secondFactorStateSchema,
  summary: 'Tells whether the account has an authenticator app, and how many recovery codes are left',
})

const totpSetupSchema = z.object({
  /** Secret in Base32, to be typed into an authenticator app. */
  secret: z.string(),
  /** `otpauth:` URI, for a QR code. */
  uri: z.string(),
})
export type TotpSetup = z.infer<typeof totpSetupSchema>

export const startTotpSetup = defineEndpoint({
  access: 'user',
  proof: 'password',
  stepUp: true,
  method: 'POST',
  path: '/auth/totp',
  status: 201,
  body: z.strictObject({ password: passwordSchema }),
  reply: totpSetupSchema,
  summary: 'Creates the secret of an authenticator app, which applies once it is confirmed with a code',
})

/** The codes are shown only once, because only their hashes are stored. */
const recoveryCodesSchema = z.object({ recovery_codes: z.array(z.string()) })

export const confirmTotpSetup = defineEndpoint({
  access: 'user',
  proof: 'adult',
  stepUp: true,
  method: 'POST',
  path: '/auth/totp/confirm',
  body: z.strictObject({
    code: secondFactorCodeSchema,
    sign_out_others: z.optional(z.boolean()),
    ...adultProofFields,
  }),
  reply: recoveryCodesSchema,
  errorStatuses: [409],
  summary: 'Sets the authenticator app up with its first code and returns ten recovery codes',
})

export const removeTotp = defineEndpoint({
  access: 'user',
  proof: 'password',
  stepUp: true,
  method: 'DELETE',
  path: '/auth/totp',
  body: z.strictObject({ password: passwordSchema, sign_out_others: z.optional(z.boolean()) }),
  summary: 'Removes the authenticator app and the recovery codes of the account',
})

export const createRecoveryCodes = defineEndpoint({
  access: 'user',
  proof: 'adult',
  stepUp: true,
  method: 'POST',
  path: '/auth/recovery-codes',
  body: z.strictObject(adultProofFields),
  reply: recoveryCodesSchema,
  summary: 'Replaces the recovery codes of the account with ten new ones',
})

export const completeSignIn = defineEndpoint({
  access: 'public',
  method: 'POST',
  path: '/auth/login/second-factor',
  body: z.strictObject({
    sign_in_token: z.string().check(z.minLength(1), maxCharacters(64)),
    code: secondFactorCodeSchema,
  }),
  reply: tokensSchema,
  errorStatuses: [401],
  summary: 'Completes a sign-in with the second factor',
})

export const confirmSecondFactor = defineEndpoint({
  access: 'user',
  method: 'POST',
  path: '/auth/second-factor/confirm',
  body: z.strictObject({ code: secondFactorCodeSchema }),
  summary: 'Confirms the second factor on this device, for calls that need a recent one',
})
