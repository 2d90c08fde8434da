/** Access of API keys: a key can call only the endpoints of its scopes (security.md, decision 19). */
import type { ApiKeyScope, Endpoint } from '../../../src/lib/contract/endpoint.ts'
import { runOptionalWrite } from '../../core/database-unavailable.ts'
import { isOlderThan } from '../../core/dates.ts'
import { Problem } from '../../core/problem.ts'
import type { RequestInfo } from '../../core/request-info.ts'
import {
  type ApiKeyOwner,
  type ApiKeyRow,
  selectApiKeyOwner,
  updateApiKeyUse,
} from '../../queries/api-key.ts'
import type { ActiveLogin } from '../../queries/caller.ts'
import type { Deps } from '../deps.ts'
import { countAttemptOrThrow } from './attempt-limit.ts'
import { getRequestTimeZone } from './caller.ts'
import { computeAddressKey } from './password-check.ts'
import { sha256 } from './secret.ts'

/** Prefix of every API key. Secret scanners recognise API keys by this prefix. */
export const API_KEY_PREFIX = 'mqk_'
const MAX_REQUESTS_PER_WINDOW = 300
const QUOTA_WINDOW_MS = 60_000
const USE_RECORD_INTERVAL_MS = 60_000

/** A caller with an API key has no login row. The `sid` of this caller is the prefix, followed by the id of the key. */
const API_KEY_SID_PREFIX = 'api-key.'

/** Returns the id of the API key to which a `sid` belongs; null for the `sid` of a login. */
export const findApiKeyId = (sid: string): string | null =>
  sid.startsWith(API_KEY_SID_PREFIX) ? sid.slice(API_KEY_SID_PREFIX.length) : null

export const parseScopes = ({ scopes }: Pick<ApiKeyRow, 'scopes'>) => JSON.parse(scopes) as ApiKeyScope[]

/**
 * Returns the caller of an API key, with the profiles for which the key may act. Throws 401 for a key that cannot be
 * used, and 403 when the profile of the key has a PIN or is in the bin. Throws 429 after too many unusable keys from
 * one IP address, and after too many requests with one key. Keys have 256 random bits and cannot be guessed, so
 * unusable keys do not block usable keys from the same address.
 */
export async function requireApiKey(token: string, request: RequestInfo, deps: Deps): Promise<ActiveLogin> {
  const { primary } = deps.database
  const owner = await selectApiKeyOwner(primary, sha256(token), deps.now())
  if (!owner || owner.account.blocked) {
    await countAttemptOrThrow(deps, [
      { limit: 'apiKeyAddress', key: computeAddressKey(deps.keys, request.address) },
    ])
    throw new Problem('unauthorized')
  }
  const { key: apiKey } = owner
  const waitMs = await deps.quota.consume(
    `api-key ${apiKey.key_id}`,
    MAX_REQUESTS_PER_WINDOW,
    QUOTA_WINDOW_MS,
  )
  if (waitMs > 0) throw new Problem('rate_limited', { retryAfterSeconds: waitMs / 1000 })
  if (isOlderThan(apiKey.last_used_at ?? 0, USE_RECORD_INTERVAL_MS, deps.now()))
    await runOptionalWrite(() => updateApiKeyUse(primary, apiKey.key_id, deps.now()))
  return toActiveLogin(owner, getRequestTimeZone(request))
}

/** Builds an active login without a login row. An API key has no device and cannot unlock profiles. */
function toActiveLogin(
  { key: apiKey, account, profiles, catalogueVersion }: ApiKeyOwner,
  timeZone: string | null,
): ActiveLogin {
  const allowedProfiles = profiles.filter(
    ({ profile_id, pin_hash }) =>
      pin_hash === null && (apiKey.profile_id === null || apiKey.profile_id === profile_id),
  )
  if (apiKey.profile_id !== null && allowedProfiles.length === 0) throw new Problem('profile_locked')
  return {
    login: {
      sid: API_KEY_SID_PREFIX + apiKey.key_id,
      account_id: account.account_id,
      device_name: apiKey.name,
      created_at: apiKey.created_at,
      last_active_at: apiKey.last_used_at ?? apiKey.created_at,
      expires_at: apiKey.expires_at ?? Number.MAX_SAFE_INTEGER,
      active_profile_id: apiKey.profile_id,
      kids_profile_id: null,
      group_members: null,
      unlocked_until: null,
      unlock_generation: null,
      generation: 0,
      successor_used: 1,
      second_factor_at: null,
      time_zone: timeZone,
    },
    account,
    profiles: allowedProfiles.map((profile) => ({ ...profile, enterable: true })),
    catalogueVersion,
    apiKeyScopes: parseScopes(apiKey),
  }
}

/** Throws 403 when an API key lacks the scope of an endpoint. Logins of devices need no scope. */
export function requireScope({ scope }: Pick<Endpoint, 'scope'>, { apiKeyScopes }: ActiveLogin): void {
  if (!apiKeyScopes || (scope && apiKeyScopes.includes(scope))) return
  throw new Problem('forbidden', {
    message: 'This API key may not do this.',
    errors: { scope: [scope ?? 'closed'] },
  })
}
