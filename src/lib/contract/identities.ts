/** Sign-in with an identity provider (OpenID Connect), and the identities that are linked to an account. */
import * as z from 'zod/mini'
import { deviceNameSchema, secondFactorNeededSchema, tokensSchema } from './auth.ts'
import {
  adultProofFields,
  idParamsSchema,
  idSchema,
  instantSchema,
  localeSchema,
  maxCharacters,
} from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'

const providerLabelSchema = z.object({ id: z.string(), name: z.string() })
export type ProviderLabel = z.infer<typeof providerLabelSchema>

export const listSignInMethods = defineEndpoint({
  access: 'public',
  method: 'GET',
  path: '/auth/sign-in-methods',
  reply: z.object({
    /** False when an administrator has turned sign-in with passwords off. */
    password: z.boolean(),
    providers: z.array(providerLabelSchema),
    /** True until the first sign-in, for which the server has stored an email address and a password in a file. */
    first_sign_in: z.boolean(),
  }),
  summary:
    'Lists the identity providers, and tells whether passwords are accepted and whether nobody has signed in yet',
})

/** URL of the provider's sign-in page. A cookie lets only this browser use the provider's response, for ten minutes. */
const redirectReplySchema = z.object({ url: z.string() })

export const startProviderSignIn = defineEndpoint({
  access: 'public',
  method: 'POST',
  path: '/auth/providers/{id}/start',
  params: idParamsSchema,
  body: z.strictObject({
    /** Language of the page to which the browser returns. */
    locale: z.optional(localeSchema),
    /** Token of the invitation with which an account may be created. */
    invitation: z.optional(z.string().check(z.minLength(1), maxCharacters(64))),
  }),
  reply: redirectReplySchema,
  errorStatuses: [401, 502],
  summary: 'Starts a sign-in with an identity provider',
})
/**
 * Needs the account password, like every call that adds a way to sign in. Without this proof, a person with access to a
 * signed-in device could link an identity, which still opens the account after a password reset. If the account has no
 * password, the call needs the proof `adult`.
 */
export const startIdentityLink = defineEndpoint({
  access: 'user',
  proof: 'password',
  stepUp: true,
  method: 'POST',
  path: '/auth/providers/{id}/link',
  params: idParamsSchema,
  body: z.strictObject({ locale: z.optional(localeSchema), ...adultProofFields }),
  reply: redirectReplySchema,
  errorStatuses: [502],
  summary: 'Starts linking an identity of a provider to the account',
})
export const receiveProviderResponse = defineEndpoint({
  access: 'public',
  method: 'GET',
  path: '/auth/providers/{id}/callback',
  params: idParamsSchema,
  status: 303,
  summary: 'Redirect URI of a provider; redirects to the page that completes the sign-in or the link',
})

/** Query string with which the provider redirects the browser back. */
const providerResponseSchema = z.string().check(z.minLength(1), maxCharacters(8_000))

export const completeProviderSignIn = defineEndpoint({
  access: 'public',
  method: 'POST',
  path: '/auth/providers/{id}/complete',
  params: idParamsSchema,
  body: z.strictObject({ response: providerResponseSchema, device_name: deviceNameSchema }),
  /** Contains no tokens when the account has a second factor: the client then calls `completeSignIn`. */
  reply: z.union([tokensSchema, secondFactorNeededSchema]),
  errorStatuses: [401, 409, 502],
  summary: 'Signs in with the response of an identity provider',
})

const identitySchema = z.object({
  identity_id: z.string(),
  /** Name of the provider; null when the provider is no longer set up. */
  provider: z.nullable(z.string()),
  /** Email address or user name at the provider. */
  name: z.nullable(z.string()),
  created_at: instantSchema,
  last_used: z.nullable(instantSchema),
})
export type LinkedIdentity = z.infer<typeof identitySchema>

export const listIdentities = defineEndpoint({
  access: 'user',
  proof: 'adult',
  method: 'GET',
  path: '/auth/identities',
  reply: z.object({
    results: z.array(identitySchema),
    /** Providers that can be linked. */
    providers: z.array(providerLabelSchema),
    /** False for an account that was created with a provider and has no password. */
    has_password: z.boolean(),
  }),
  summary: 'Lists the identities of providers that are linked to the account',
})
export const linkIdentity = defineEndpoint({
  access: 'user',
  proof: 'adult',
  stepUp: true,
  method: 'POST',
  path: '/auth/identities',
  status: 201,
  body: z.strictObject({ provider_id: idSchema, response: providerResponseSchema, ...adultProofFields }),
  reply: identitySchema,
  errorStatuses: [409, 502],
  summary: 'Links the identity in the response of a provider to the account',
})
export const unlinkIdentity = defineEndpoint({
  access: 'user',
  proof: 'adult',
  stepUp: true,
  method: 'DELETE',
  path: '/auth/identities/{id}',
  params: idParamsSchema,
  body: z.strictObject(adultProofFields),
  errorStatuses: [409],
  summary: 'Removes a linked identity; rejected if it is the last way to sign in',
})
