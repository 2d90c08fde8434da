/**
 * Identity providers (OpenID Connect) that administrators set up. Client secrets can be set, but are never returned.
 */
import * as z from 'zod/mini'
import {
  createVisibleTextSchema,
  idParamsSchema,
  listVersionSchema,
  maxCharacters,
} from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'

const providerTestResultSchema = z.enum(['ok', 'refused', 'unreachable'])
export type ProviderTestResult = z.infer<typeof providerTestResultSchema>
export const REGISTRATION_MODES = ['invitation', 'automatic'] as const

/** The redirect URI contains this id, so the id cannot be changed later. */
const providerIdSchema = z.string().check(maxCharacters(32), z.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/))
const nameSchema = createVisibleTextSchema(60)
const issuerSchema = z.string().check(z.trim(), z.minLength(1), maxCharacters(300))
const clientIdSchema = z.string().check(z.trim(), z.minLength(1), maxCharacters(200))
const groupsSchema = z
  .array(z.string().check(z.trim(), z.minLength(1), maxCharacters(100)))
  .check(z.maxLength(20))
const domainsSchema = z
  .array(z.string().check(z.trim(), z.toLowerCase(), maxCharacters(253), z.regex(/^[\p{L}\p{M}\p{N}.-]+$/u)))
  .check(z.maxLength(20))

const identityProviderSchema = z.object({
  id: z.string(),
  name: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  has_secret: z.boolean(),
  registration: z.enum(REGISTRATION_MODES),
  /** Domains of email addresses for which accounts may be created. When the list is empty, all domains are allowed. */
  email_domains: z.array(z.string()),
  group_claim: z.string(),
  admin_groups: z.array(z.string()),
  /**
   * Groups whose members may sign in, in addition to the members of `admin_groups`. When the list is empty, everybody
   * may sign in.
   */
  user_groups: z.array(z.string()),
  local_network: z.boolean(),
  /** Address to which the provider redirects the browser. The same address must be registered at the provider. */
  redirect_uri: z.string(),
})
export type IdentityProviderEntry = z.infer<typeof identityProviderSchema>
const providersReplySchema = z.object({
  results: z.array(identityProviderSchema),
  version: listVersionSchema,
  /** Redirect URI of a new provider, with `{id}` in place of its id. */
  redirect_uri_template: z.string(),
})

export const listIdentityProviders = defineEndpoint({
  access: 'admin',
  method: 'GET',
  path: '/admin/identity-providers',
  reply: providersReplySchema,
  summary: 'Lists the identity providers',
})
export const changeIdentityProviders = defineEndpoint({
  access: 'admin',
  scope: null,
  method: 'PUT',
  path: '/admin/identity-providers',
  body: z.strictObject({
    version: z.optional(listVersionSchema),
    providers: z
      .array(
        z.strictObject({
          id: providerIdSchema,
          name: nameSchema,
          issuer: issuerSchema,
          client_id: clientIdSchema,
          /** When absent, an existing provider keeps its secret. An empty text removes the secret. */
          client_secret: z.optional(z.string().check(z.trim(), maxCharacters(500))),
          registration: z._default(z.enum(REGISTRATION_MODES), 'invitation'),
          email_domains: z._default(domainsSchema, []),
          group_claim: z._default(z.string().check(z.trim(), maxCharacters(100)), 'groups'),
          admin_groups: z._default(groupsSchema, []),
          user_groups: z._default(groupsSchema, []),
          /** True allows a provider whose host name resolves to a private IP address. */
          local_network: z._default(z.boolean(), false),
        }),
      )
      .check(z.maxLength(10)),
  }),
  reply: providersReplySchema,
  errorStatuses: [409],
  summary: 'Replaces the identity providers and their order',
})
export const testIdentityProvider = defineEndpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/identity-providers/{id}/test',
  params: idParamsSchema,
  reply: z.object({ result: providerTestResultSchema }),
  summary: 'Reads the configuration of an identity provider (discovery)',
})
