/** Sign-in with an identity provider, and links between identities and accounts (security.md, decision 18). */

import type { SecondFactorNeeded } from '../../../src/lib/contract/auth.ts'
import type { LinkedIdentity, ProviderLabel } from '../../../src/lib/contract/identities.ts'
import { FALLBACK_LOCALE, isLocale } from '../../../src/lib/i18n/locales.ts'
import { href } from '../../../src/lib/routes.ts'
import { toIsoTime, toIsoTimeOrNull } from '../../core/dates.ts'
import { Problem } from '../../core/problem.ts'
import type { RequestInfo } from '../../core/request-info.ts'
import type { DbTransaction } from '../../db/database.ts'
import { deleteIdentity, type IdentityRow, selectIdentities, selectIdentity } from '../../queries/identity.ts'
import { hasSecondFactor } from '../../queries/second-factor.ts'
import type { RequestContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import {
  lockActiveCaller,
  recordAuditEvent,
  recordCallerAction,
  recordLockedCallerAction,
} from '../operations/audit.ts'
import type { IdentityProvider } from '../operations/stored-identity-providers.ts'
import { countAttemptOrThrow } from './attempt-limit.ts'
import type { SignInResult } from './auth-tokens.ts'
import { createLogin } from './create-login.ts'
import { isFirstSignInPending } from './first-password.ts'
import { computeAddressKey } from './password-check.ts'
import { loadSignInMethods, requireWayToSignIn } from './password-sign-in.ts'
import { findOrCreateAccount, insertLinkedIdentity } from './provider-account.ts'
import {
  createProviderProblem,
  getRedirectUri,
  logProviderFailure,
  openProvider,
  redeemProviderResponse,
  requireProvider,
} from './provider-response.ts'
import {
  createProviderState,
  PROVIDER_STATE_LIFETIME_SECONDS,
  type ProviderPurpose,
  sealProviderState,
} from './provider-state.ts'
import { startSignInStep } from './sign-in-step.ts'

const toProviderLabel = ({ id, name }: IdentityProvider): ProviderLabel => ({ id, name })

export async function listSignInMethods(deps: Deps) {
  const { acceptsPasswords, providers } = await loadSignInMethods(deps, deps.database.primary)
  return {
    password: acceptsPasswords,
    providers: providers.map(toProviderLabel),
    first_sign_in: await isFirstSignInPending(deps),
  }
}

interface ProviderAuthorizationRequest {
  providerId: string
  purpose: ProviderPurpose
  locale: string | undefined
}

/**
 * Returns the URL of the page on which the provider signs the person in, and the cookie with which the response of the
 * provider is checked. Throws 401 if the configuration of the provider cannot be used, 404 for a provider that is not
 * set up, 429 after too many starts, and 502 if the provider does not respond.
 */
export async function startProviderAuthorization(
  deps: Deps,
  request: RequestInfo,
  { providerId, purpose, locale = FALLBACK_LOCALE }: ProviderAuthorizationRequest,
): Promise<{ url: string; cookie: { value: string; maxAgeSeconds: number } }> {
  const addressKey = computeAddressKey(deps.keys, request.address)
  await countAttemptOrThrow(deps, [{ limit: 'providerStartAddress', key: addressKey }])
  const provider = await requireProvider(deps, providerId)
  const providerState = createProviderState(deps, providerId, purpose, locale)
  const url = await openProvider(deps, provider)
    .then((client) => client.buildAuthorizationUrl(getRedirectUri(deps, providerId), providerState.checks))
    .catch((error: unknown) => {
      throw logProviderFailure(deps, providerId, error)
    })
  return {
    url,
    cookie: { value: sealProviderState(deps, providerState), maxAgeSeconds: PROVIDER_STATE_LIFETIME_SECONDS },
  }
}

/**
 * Returns the path of the page that sends the response of a provider to this server: the login page, or the account
 * page for a link. The response is in the URL fragment, which browsers do not send to servers.
 */
export function getCompletionPath(providerId: string, query: URLSearchParams): string {
  const [kind, locale = ''] = (query.get('state') ?? '').split('.')
  const pageLocale = isLocale(locale) ? locale : FALLBACK_LOCALE
  const pagePath =
    kind === 'link' ? href('account', pageLocale, { query: { tab: 'security' } }) : href('login', pageLocale)
  return `${pagePath}#provider=${providerId}&${query}`
}

/**
 * Signs in with the response of a provider. For an account with a second factor, creates no login and starts a sign-in
 * step (`startSignInStep`).
 */
export async function signInWithProvider(
  deps: Deps,
  request: RequestInfo,
  {
    providerId,
    response,
    deviceName,
  }: { providerId: string; response: string; deviceName?: string | undefined },
): Promise<SignInResult | { secondFactorNeeded: SecondFactorNeeded }> {
  const origin = { nowMs: deps.now(), request }
  const isExpectedPurpose = ({ kind }: ProviderPurpose) => kind === 'sign-in'
  const subject = await redeemProviderResponse(deps, request, { providerId, response, isExpectedPurpose })
    .then((redeemedResponse) => findOrCreateAccount(deps, origin, redeemedResponse))
    .catch(async (error: unknown) => {
      if (error instanceof Problem && error.type === 'unauthorized')
        await deps.database.primary.transaction().execute((trx) =>
          recordAuditEvent(trx, origin, {
            action: 'provider_sign_in',
            outcome: 'failed',
            target: providerId,
          }),
        )
      throw error
    })
  const { account, identity, isNewAccount } = subject
  // The identity may have been removed with all logins of the account since the response was checked.
  const requireLinkedIdentity = async (trx: DbTransaction) => {
    const linkedIdentity = await selectIdentity(trx, identity)
    if (linkedIdentity?.account_id !== account.account_id) throw createProviderProblem('refused')
  }
  if (await hasSecondFactor(deps.database.primary, account.account_id))
    return { secondFactorNeeded: await startSignInStep(deps, account, deviceName, requireLinkedIdentity) }
  return createLogin(deps, request, account, {
    deviceName,
    action: isNewAccount ? 'register' : 'login',
    consumeSignInProof: requireLinkedIdentity,
  })
}

export async function listIdentities({ deps, caller }: Pick<RequestContext, 'deps' | 'caller'>) {
  const { primary } = deps.database
  const { providers } = await loadSignInMethods(deps, primary)
  const rows = await selectIdentities(primary, caller.account.account_id)
  const linkedIssuers = new Set(rows.map(({ issuer }) => issuer))
  return {
    results: rows.map((row) => toLinkedIdentity(row, providers)),
    providers: providers.filter(({ issuer }) => !linkedIssuers.has(issuer)).map(toProviderLabel),
    has_password: caller.account.password_hash !== '',
  }
}

const toLinkedIdentity = (row: IdentityRow, providers: readonly IdentityProvider[]): LinkedIdentity => ({
  identity_id: row.identity_id,
  provider: providers.find(({ issuer }) => issuer === row.issuer)?.name ?? null,
  name: row.name,
  created_at: toIsoTime(row.created_at),
  last_used: toIsoTimeOrNull(row.last_used_at),
})

/**
 * Returns the error of a link. Its status is 422 where a sign-in has 401. On a signed-in device, the browser
 * would repeat a request after 401 with a new access token, but a response of a provider is valid only once.
 */
function toIdentityLinkError(error: unknown): unknown {
  const isProviderError =
    error instanceof Problem && error.type === 'unauthorized' && error.errors['provider']
  return isProviderError
    ? new Problem('validation_error', { message: error.message, errors: error.errors, cause: error })
    : error
}

/**
 * Like `startProviderAuthorization`, but for linking an identity to the account of the caller. Throws 422 where
 * `startProviderAuthorization` throws 401, and the other errors unchanged.
 */
export function startIdentityLink(
  { deps, caller, request }: RequestContext,
  providerId: string,
  locale?: string,
) {
  const purpose = { kind: 'link' as const, sid: caller.login.sid }
  return startProviderAuthorization(deps, request, { providerId, purpose, locale }).catch(
    (error: unknown) => {
      throw toIdentityLinkError(error)
    },
  )
}

/**
 * Links the identity of a response to the account. This device must have started the link. Throws 404 for a provider
 * that is not set up, and 409 when the identity is linked already. Throws 422 for an invalid response, 429 after too
 * many attempts, and 502 if the provider does not respond.
 */
export async function linkIdentity(
  context: RequestContext,
  { providerId, response }: { providerId: string; response: string },
): Promise<LinkedIdentity> {
  const { deps, caller, request } = context
  const { provider, identity } = await redeemProviderResponse(deps, request, {
    providerId,
    response,
    isExpectedPurpose: (purpose) => purpose.kind === 'link' && purpose.sid === caller.login.sid,
  }).catch((error: unknown) => {
    throw toIdentityLinkError(error)
  })
  await deps.database.primary.transaction().execute(async (trx) => {
    await insertLinkedIdentity(deps, trx, caller.account, identity)
    await recordCallerAction(trx, context, { action: 'identity_link' })
  })
  const row = await selectIdentity(deps.database.primary, identity)
  if (!row) throw createProviderProblem('refused')
  return toLinkedIdentity(row, [provider])
}

/**
 * Removes the link of an identity. Throws 404 if the account has no link with this id, and 409 when the
 * identity is the last way to sign in.
 */
export async function unlinkIdentity(context: RequestContext, identityId: string): Promise<void> {
  const { deps, caller } = context
  await deps.database.primary.transaction().execute(async (trx) => {
    await lockActiveCaller(trx, caller)
    if (!(await deleteIdentity(trx, caller.account.account_id, identityId))) throw new Problem('not_found')
    await requireWayToSignIn(deps, trx, caller.account)
    await recordLockedCallerAction(trx, context, { action: 'identity_unlink' })
  })
}
