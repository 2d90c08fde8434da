/** Reads the configuration of identity providers and checks their responses (security.md, decision 18). */
import { toErrorFields } from '../../core/log.ts'
import { Problem } from '../../core/problem.ts'
import type { RequestInfo } from '../../core/request-info.ts'
import type { OpenIdIdentity, OpenIdProvider } from '../../providers/open-id.ts'
import { isUnreachableError } from '../../providers/open-id-fetch.ts'
import type { Deps } from '../deps.ts'
import type { IdentityProvider } from '../operations/stored-identity-providers.ts'
import { countAttemptOrThrow, withdrawAttempts } from './attempt-limit.ts'
import { computeAddressKey } from './password-check.ts'
import { loadSignInMethods } from './password-sign-in.ts'
import { consumeProviderState, type ProviderState } from './provider-state.ts'

/** The configuration and the keys of a provider are read again after this time. */
const CACHED_PROVIDER_LIFETIME_MS = 3_600_000
/**
 * After a failed attempt to read the configuration of a provider, no new attempt is made for this time, so that
 * visitors cannot cause many requests.
 */
const CACHED_FAILURE_LIFETIME_MS = 10_000

interface CachedProvider {
  providerPromise: Promise<OpenIdProvider>
  expiresAtMs: number
}
const providersByKeyByDeps = new WeakMap<Deps, Map<string, CachedProvider>>()

/** Returns the client of a provider. Concurrent callers share one request for the configuration of the provider. */
export function openProvider(deps: Deps, settings: IdentityProvider): Promise<OpenIdProvider> {
  const providersByKey = providersByKeyByDeps.get(deps) ?? new Map<string, CachedProvider>()
  providersByKeyByDeps.set(deps, providersByKey)
  const { adminGroups, userGroups } = settings
  const groupClaim = adminGroups.length + userGroups.length > 0 ? settings.groupClaim : null
  const settingsKey = JSON.stringify(settings)
  const cachedProvider = providersByKey.get(settingsKey)
  if (cachedProvider && cachedProvider.expiresAtMs > deps.monotonicNow())
    return cachedProvider.providerPromise
  for (const [cachedKey, { expiresAtMs }] of providersByKey)
    if (expiresAtMs <= deps.monotonicNow()) providersByKey.delete(cachedKey)
  const providerPromise = import('../../providers/open-id.ts').then((openIdModule) =>
    openIdModule.openOpenIdProvider({ ...settings, groupClaim }),
  )
  const newProvider = { providerPromise, expiresAtMs: deps.monotonicNow() + CACHED_PROVIDER_LIFETIME_MS }
  providersByKey.set(settingsKey, newProvider)
  newProvider.providerPromise.catch(() => {
    newProvider.expiresAtMs = deps.monotonicNow() + CACHED_FAILURE_LIFETIME_MS
  })
  return newProvider.providerPromise
}

export const getRedirectUri = ({ config }: Pick<Deps, 'config'>, providerId: string): string =>
  new URL(`/api/auth/providers/${providerId}/callback`, config.publicUrl).href

/** Returns the provider with this id. Throws 404 for a provider that is not set up. */
export async function requireProvider(deps: Deps, providerId: string): Promise<IdentityProvider> {
  const { providers } = await loadSignInMethods(deps, deps.database.primary)
  const provider = providers.find(({ id }) => id === providerId)
  if (!provider) throw new Problem('not_found')
  return provider
}

type ProviderErrorCode =
  | 'expired'
  | 'cancelled'
  | 'refused'
  | 'not_linked'
  | 'link_needed'
  | 'email_unverified'
  | 'domain'
  | 'group'
  | 'linked'

/** Problem of a sign-in or link with a provider. The page uses only the code, not the message. */
export const createProviderProblem = (code: ProviderErrorCode, cause?: unknown) =>
  new Problem(code === 'linked' ? 'conflict' : 'unauthorized', {
    message: 'This sign-in with an identity provider cannot be used.',
    errors: { provider: [code] },
    cause,
  })

/**
 * Logs the failure of a provider. Returns a problem with status 502 if the provider does not respond,
 * otherwise 401.
 */
export function logProviderFailure(deps: Deps, providerId: string, error: unknown): Problem {
  deps.log.warn('identity provider', { provider: providerId, ...toErrorFields(error) })
  return isUnreachableError(error)
    ? new Problem('upstream_error', { errors: { provider: ['unreachable'] }, cause: error })
    : createProviderProblem('refused', error)
}

interface ProviderResponse {
  providerId: string
  /** Query of the URL to which the provider redirected the browser. */
  response: string
  /** Returns true if the response may have this purpose. */
  isExpectedPurpose: (purpose: ProviderState['purpose']) => boolean
}

export interface RedeemedResponse {
  provider: IdentityProvider
  identity: OpenIdIdentity
  purpose: ProviderState['purpose']
}

/**
 * Checks the response of a provider and returns the identity. The attempt is counted before the check. A
 * response is valid once, in the browser that started the sign-in or link, for its provider and its purpose. Throws 401
 * with a code for an invalid response, 404 for a provider that is not set up, 429 after too many attempts, and
 * 502 if the provider does not respond.
 */
export async function redeemProviderResponse(
  deps: Deps,
  request: RequestInfo,
  { providerId, response, isExpectedPurpose }: ProviderResponse,
): Promise<RedeemedResponse> {
  const attempts = [{ limit: 'providerAddress' as const, key: computeAddressKey(deps.keys, request.address) }]
  await countAttemptOrThrow(deps, attempts)
  const provider = await requireProvider(deps, providerId)
  const providerState = await consumeProviderState(deps, request.providerState, response)
  if (!providerState || providerState.providerId !== providerId || !isExpectedPurpose(providerState.purpose))
    throw createProviderProblem('expired')
  if (new URLSearchParams(response).get('error') === 'access_denied') throw createProviderProblem('cancelled')
  const identity = await openProvider(deps, provider)
    .then((client) => client.redeemResponse(getRedirectUri(deps, providerId), response, providerState.checks))
    .catch((error: unknown) => {
      throw logProviderFailure(deps, providerId, error)
    })
  await withdrawAttempts(deps, attempts)
  return { provider, identity, purpose: providerState.purpose }
}
