/** Lists, changes and tests identity providers, for administrators. Never returns their client secrets. */
import type {
  IdentityProviderEntry,
  ProviderTestResult,
} from '../../../src/lib/contract/admin-identity-providers.ts'
import { toAsciiDomain } from '../../core/ascii-domain.ts'
import { toErrorFields } from '../../core/log.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import { isUnreachableError } from '../../providers/open-id-fetch.ts'
import { isLocalHost } from '../../providers/upstream-guard.ts'
import { selectSetting, upsertSetting } from '../../queries/setting.ts'
import { getRedirectUri } from '../auth/provider-response.ts'
import type { RequestContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import { recordCallerAction } from './audit.ts'
import {
  formatIdentityProviders,
  IDENTITY_PROVIDERS_KEY,
  type IdentityProvider,
  parseIdentityProviders,
} from './stored-identity-providers.ts'
import { getListVersion, selectListForChange } from './stored-lists.ts'

interface IdentityProviderChange {
  id: string
  name: string
  issuer: string
  client_id: string
  client_secret?: string | undefined
  registration: IdentityProvider['registration']
  email_domains: string[]
  group_claim: string
  admin_groups: string[]
  user_groups: string[]
  local_network: boolean
}

export async function listIdentityProviders(deps: Deps) {
  const storedText = (await selectSetting(deps.database.primary, IDENTITY_PROVIDERS_KEY))?.value
  const providerEntries = parseIdentityProviders(deps.keys, storedText).map(
    (provider): IdentityProviderEntry => ({
      id: provider.id,
      name: provider.name,
      issuer: provider.issuer,
      client_id: provider.clientId,
      has_secret: provider.clientSecret !== '',
      registration: provider.registration,
      email_domains: provider.emailDomains,
      group_claim: provider.groupClaim,
      admin_groups: provider.adminGroups,
      user_groups: provider.userGroups,
      local_network: provider.allowsPrivate,
      redirect_uri: getRedirectUri(deps, provider.id),
    }),
  )
  return {
    results: providerEntries,
    version: getListVersion(storedText),
    redirect_uri_template: decodeURI(getRedirectUri(deps, '{id}')),
  }
}

/**
 * Replaces all providers. A known provider without a new secret keeps its secret, unless its issuer changes.
 * Throws 422 for invalid or duplicate values, and 409 when the list no longer has the version `version`.
 */
export async function changeIdentityProviders(
  context: RequestContext,
  changes: IdentityProviderChange[],
  version: string | undefined,
) {
  const { deps, caller } = context
  await deps.database.primary.transaction().execute(async (trx) => {
    const storedText = await selectListForChange(trx, IDENTITY_PROVIDERS_KEY, version)
    const providers = createStoredProviders(changes, parseIdentityProviders(deps.keys, storedText))
    await upsertSetting(trx, {
      key: IDENTITY_PROVIDERS_KEY,
      value: formatIdentityProviders(deps.keys, providers),
      updated_at: deps.now(),
      updated_by: caller.account.account_id,
    })
    await recordCallerAction(trx, context, { action: 'setting_change', target: IDENTITY_PROVIDERS_KEY })
  })
  return listIdentityProviders(deps)
}

function createStoredProviders(
  changes: IdentityProviderChange[],
  knownProviders: IdentityProvider[],
): IdentityProvider[] {
  const knownProvidersById = new Map(knownProviders.map((provider) => [provider.id, provider]))
  const providers = changes.map((change): IdentityProvider => {
    const issuer = parseIssuer(change.issuer)
    const previousProvider = knownProvidersById.get(change.id)
    const keptSecret = previousProvider?.issuer === issuer ? previousProvider.clientSecret : ''
    return {
      id: change.id,
      name: change.name,
      issuer,
      clientId: change.client_id,
      clientSecret: change.client_secret ?? keptSecret,
      registration: change.registration,
      emailDomains: change.email_domains.map(toAsciiDomain),
      groupClaim: change.group_claim,
      adminGroups: change.admin_groups,
      userGroups: change.user_groups,
      allowsPrivate: change.local_network,
    }
  })
  if (new Set(providers.map(({ id }) => id)).size < providers.length) throw createFieldProblem('id', 'twice')
  if (new Set(providers.map(({ issuer }) => issuer)).size < providers.length)
    throw createFieldProblem('issuer', 'twice')
  return providers
}

/** Tests whether the configuration of a provider can be read. Throws 404 for an unknown provider. */
export async function testIdentityProvider(
  context: RequestContext,
  providerId: string,
): Promise<{ result: ProviderTestResult }> {
  const { deps } = context
  const storedText = (await selectSetting(deps.database.primary, IDENTITY_PROVIDERS_KEY))?.value
  const provider = parseIdentityProviders(deps.keys, storedText).find(({ id }) => id === providerId)
  if (!provider) throw new Problem('not_found')
  await deps.database.primary
    .transaction()
    .execute((trx) => recordCallerAction(trx, context, { action: 'connection_test', target: providerId }))
  try {
    const { openOpenIdProvider } = await import('../../providers/open-id.ts')
    await openOpenIdProvider(provider)
    return { result: 'ok' }
  } catch (error) {
    deps.log.warn('identity provider', { provider: providerId, ...toErrorFields(error) })
    return { result: isUnreachableError(error) ? 'unreachable' : 'refused' }
  }
}

/**
 * Accepts HTTPS URLs, and HTTP URLs of local hosts. Returns the text unchanged, because it must equal the issuer that
 * the provider sends. Throws 422 for other texts, and for URLs with a user name, a query or a fragment.
 */
function parseIssuer(issuerText: string): string {
  const url = URL.parse(issuerText)
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocalHost(url.hostname))
  if (!url || !isSecure || url.username || url.search || url.hash)
    throw createFieldProblem('issuer', 'does_not_fit')
  return issuerText
}
