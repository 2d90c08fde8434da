/** Passkeys (WebAuthn): sign-in without a password, with user verification by the device. */
import * as z from 'zod/mini'
import { deviceNameSchema, tokensSchema } from './auth.ts'
import {
  adultProofFields,
  createVisibleTextSchema,
  idParamsSchema,
  instantSchema,
  maxCharacters,
  passwordSchema,
} from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'

export const MAX_PASSKEYS = 20
const MAX_PASSKEY_NAME_LENGTH = 60

const createBase64UrlSchema = (maxLength: number) =>
  z.string().check(z.minLength(1), maxCharacters(maxLength), z.regex(/^[A-Za-z0-9_-]+$/))
const credentialFields = {
  id: createBase64UrlSchema(1400),
  rawId: createBase64UrlSchema(1400),
  type: z.enum(['public-key']),
}
/** `AuthenticationResponseJSON` of WebAuthn Level 3. Other fields are ignored. */
const assertionSchema = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: createBase64UrlSchema(4_000),
    authenticatorData: createBase64UrlSchema(4_000),
    /**
     * The limit allows post-quantum signatures: an ML-DSA-87 signature has 4,627 bytes, or 6,170 base64url characters.
     */
    signature: createBase64UrlSchema(10_000),
    userHandle: createBase64UrlSchema(100),
  }),
})
export type PasskeyAssertion = z.infer<typeof assertionSchema>
/** `RegistrationResponseJSON` of WebAuthn Level 3. Other fields are ignored. */
const registrationSchema = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: createBase64UrlSchema(4_000),
    attestationObject: createBase64UrlSchema(30_000),
    transports: z.optional(z.array(z.string().check(maxCharacters(32))).check(z.maxLength(10))),
  }),
})
export type PasskeyRegistration = z.infer<typeof registrationSchema>
/** `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON` of WebAuthn Level 3. */
const optionsReplySchema = z.object({ options: z.record(z.string(), z.unknown()) })

const passkeySchema = z.object({
  passkey_id: z.string(),
  name: z.string(),
  /** True when the passkey is synchronised between devices of its owner. */
  synced: z.boolean(),
  created_at: instantSchema,
  last_used: z.nullable(instantSchema),
})
export type Passkey = z.infer<typeof passkeySchema>

export const listPasskeys = defineEndpoint({
  access: 'user',
  proof: 'adult',
  method: 'GET',
  path: '/auth/passkeys',
  reply: z.object({
    /** False when the public address of the server is an IP address, or uses HTTP on a host other than `localhost`. */
    available: z.boolean(),
    results: z.array(passkeySchema),
  }),
  summary: 'Lists the passkeys of the account',
})
export const startPasskeyRegistration = defineEndpoint({
  access: 'user',
  proof: 'password',
  stepUp: true,
  method: 'POST',
  path: '/auth/passkeys/options',
  body: z.strictObject({ password: passwordSchema }),
  reply: optionsReplySchema,
  errorStatuses: [409],
  summary: 'Returns the options for a new passkey',
})
export const registerPasskey = defineEndpoint({
  access: 'user',
  proof: 'adult',
  stepUp: true,
  method: 'POST',
  path: '/auth/passkeys',
  status: 201,
  body: z.strictObject({ name: deviceNameSchema, credential: registrationSchema, ...adultProofFields }),
  reply: passkeySchema,
  errorStatuses: [409],
  summary: 'Adds a passkey to the account',
})
export const renamePasskey = defineEndpoint({
  access: 'user',
  proof: 'adult',
  method: 'PUT',
  path: '/auth/passkeys/{id}',
  params: idParamsSchema,
  body: z.strictObject({
    name: createVisibleTextSchema(MAX_PASSKEY_NAME_LENGTH),
    ...adultProofFields,
  }),
  summary: 'Renames a passkey',
})
export const removePasskey = defineEndpoint({
  access: 'user',
  proof: 'adult',
  stepUp: true,
  method: 'DELETE',
  path: '/auth/passkeys/{id}',
  params: idParamsSchema,
  body: z.strictObject(adultProofFields),
  errorStatuses: [409],
  summary: 'Removes a passkey',
})

export const startPasskeySignIn = defineEndpoint({
  access: 'public',
  method: 'POST',
  path: '/auth/passkey/options',
  /** `options` is null when passkeys are not possible with the public address of the server. */
  reply: z.object({ options: z.nullable(z.record(z.string(), z.unknown())) }),
  summary: 'Returns the options for a sign-in with a passkey',
})
export const signInWithPasskey = defineEndpoint({
  access: 'public',
  method: 'POST',
  path: '/auth/passkey/sign-in',
  body: z.strictObject({ credential: assertionSchema, device_name: deviceNameSchema }),
  reply: tokensSchema,
  errorStatuses: [401, 409],
  summary: 'Signs in with a passkey, which counts as both factors',
})
export const startPasskeyConfirmation = defineEndpoint({
  access: 'user',
  method: 'POST',
  path: '/auth/second-factor/passkey/options',
  reply: optionsReplySchema,
  errorStatuses: [409],
  summary: 'Returns the options to confirm the second factor with a passkey',
})
export const confirmWithPasskey = defineEndpoint({
  access: 'user',
  method: 'POST',
  path: '/auth/second-factor/passkey',
  body: z.strictObject({ credential: assertionSchema }),
  errorStatuses: [409],
  summary: 'Confirms the second factor on this device with a passkey',
})
