/**
 * Encodes and decodes the identity providers that administrators configure in the dashboard. All of them are stored in
 * one row of the table `setting`. The value of the row is encrypted, because it contains client secrets.
 */
import * as z from 'zod/mini'
import { REGISTRATION_MODES } from '../../../src/lib/contract/admin-identity-providers.ts'
import type { InstallationKeys } from '../../providers/keys.ts'
import { sealText } from '../auth/sealed-text.ts'
import { parseStoredList } from './stored-lists.ts'

/**
 * Key of the row in the table `setting`. The key is not in setting-definitions.ts, because identity providers
 * have their own endpoints.
 */
export const IDENTITY_PROVIDERS_KEY = 'identity_providers'

const identityProviderSchema = z.object({
  id: z.string(),
  name: z.string(),
  issuer: z.string(),
  clientId: z.string(),
  /** Empty for a public client, which uses only PKCE. */
  clientSecret: z.string(),
  registration: z.enum(REGISTRATION_MODES),
  emailDomains: z.array(z.string()),
  groupClaim: z.string(),
  adminGroups: z.array(z.string()),
  userGroups: z.array(z.string()),
  allowsPrivate: z.boolean(),
})
export type IdentityProvider = z.infer<typeof identityProviderSchema>

export const formatIdentityProviders = (keys: InstallationKeys, providers: IdentityProvider[]): string =>
  JSON.stringify(sealText(keys, JSON.stringify(providers)))

/** Returns the providers of a row (`parseStoredList`). */
export const parseIdentityProviders = (
  keys: InstallationKeys,
  storedText: string | undefined,
): IdentityProvider[] => parseStoredList(keys, storedText, z.array(identityProviderSchema))
