/**
 * Lists, changes and tests stream resolvers, for administrators. Returns only the origin of the address of a resolver,
 * because the rest of the address often contains a token.
 */
import type { ConnectionTestResult } from '../../../src/lib/contract/admin.ts'
import type { StreamResolver } from '../../../src/lib/contract/admin-resolvers.ts'
import { toErrorFields } from '../../core/log.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import { isStremioAddress } from '../../providers/stremio.ts'
import { UpstreamError } from '../../providers/upstream.ts'
import { selectSetting, upsertSetting } from '../../queries/setting.ts'
import { createRandomId } from '../auth/secret.ts'
import type { RequestContext } from '../context.ts'
import { ENVIRONMENT_RESOLVER_ID, type ResolverAddress } from '../playback/stream-sources.ts'
import { recordCallerAction } from './audit.ts'
import { applyStoredConfiguration } from './stored-configuration.ts'
import { getListVersion, selectListForChange } from './stored-lists.ts'
import { formatStoredResolvers, parseStoredResolvers, RESOLVERS_KEY } from './stored-resolvers.ts'

interface ResolverChange {
  id?: string | undefined
  address?: string | undefined
  media_origins: string[]
  public_hosts: boolean
}

interface ResolverList {
  results: StreamResolver[]
  version: string
}

/** Lists the resolvers in the order in which they are asked. */
export async function listResolvers({ deps }: Pick<RequestContext, 'deps'>): Promise<ResolverList> {
  const { streamUpstreamUrl, streamMediaOrigins } = deps.config
  const storedText = (await selectSetting(deps.database.primary, RESOLVERS_KEY))?.value
  const version = getListVersion(storedText)
  const storedResolvers = parseStoredResolvers(deps.keys, storedText).map((resolver) =>
    describeResolver(new URL(resolver.address), resolver, null),
  )
  if (!streamUpstreamUrl) return { results: storedResolvers, version }
  const environmentResolver = {
    id: ENVIRONMENT_RESOLVER_ID,
    mediaOrigins: streamMediaOrigins,
    allowsPublicHosts: false,
  }
  return {
    results: [
      describeResolver(streamUpstreamUrl, environmentResolver, 'STREAM_UPSTREAM_URL'),
      ...storedResolvers,
    ],
    version,
  }
}

const describeResolver = (
  address: URL,
  { id, mediaOrigins, allowsPublicHosts }: Omit<ResolverAddress, 'address'>,
  variable: string | null,
): StreamResolver => ({
  id,
  origin: address.origin,
  protocol: isStremioAddress(address) ? 'stremio' : 'marquee',
  media_origins: mediaOrigins,
  public_hosts: allowsPublicHosts,
  variable,
})

/**
 * Replaces all resolvers that the dashboard manages. A known resolver without a new address keeps its address. Throws
 * 422 for an invalid address or origin and for a duplicate id. Throws 409 when the list no longer has the version
 * `version`.
 */
export async function changeResolvers(
  context: RequestContext,
  changes: ResolverChange[],
  version: string | undefined,
): Promise<ResolverList> {
  const { deps, caller } = context
  await deps.database.primary.transaction().execute(async (trx) => {
    const storedText = await selectListForChange(trx, RESOLVERS_KEY, version)
    const resolvers = createStoredResolvers(changes, parseStoredResolvers(deps.keys, storedText))
    await upsertSetting(trx, {
      key: RESOLVERS_KEY,
      value: formatStoredResolvers(deps.keys, resolvers),
      updated_at: deps.now(),
      updated_by: caller.account.account_id,
    })
    await recordCallerAction(trx, context, { action: 'setting_change', target: RESOLVERS_KEY })
  })
  await applyStoredConfiguration(deps)
  deps.bus.publish('settings', { key: RESOLVERS_KEY })
  return listResolvers(context)
}

function createStoredResolvers(
  changes: ResolverChange[],
  knownResolvers: ResolverAddress[],
): ResolverAddress[] {
  const knownResolversById = new Map(knownResolvers.map((resolver) => [resolver.id, resolver]))
  const resolvers = changes.map(({ id, address, media_origins, public_hosts }): ResolverAddress => {
    const previousResolver = id === undefined ? undefined : knownResolversById.get(id)
    const validAddress = address === undefined ? previousResolver?.address : parseAddress(address)
    if (!validAddress) throw createFieldProblem('address', 'does_not_fit')
    return {
      id: previousResolver?.id ?? createRandomId(),
      address: validAddress,
      mediaOrigins: media_origins.map(parseOrigin),
      allowsPublicHosts: public_hosts,
    }
  })
  if (new Set(resolvers.map(({ id }) => id)).size < resolvers.length) throw createFieldProblem('id', 'twice')
  return resolvers
}

/** Sends a test request to a resolver. Throws 404 for an unknown resolver. */
export async function testResolver(
  context: RequestContext,
  resolverId: string,
): Promise<{ result: ConnectionTestResult }> {
  const { deps } = context
  const resolver = deps.streamSources.upstream?.findResolver(resolverId)
  if (!resolver) throw new Problem('not_found')
  await deps.database.primary
    .transaction()
    .execute((trx) => recordCallerAction(trx, context, { action: 'connection_test', target: resolverId }))
  try {
    await resolver.upstream.testResolver()
    return { result: 'ok' }
  } catch (error) {
    deps.log.warn('upstream', toErrorFields(error))
    const status = error instanceof UpstreamError ? error.status : undefined
    if (status === 401 || status === 403) return { result: 'unauthorized' }
    return { result: status === undefined && !isInvalidReplyError(error) ? 'unreachable' : 'refused' }
  }
}

/** True when the resolver has sent a response that violates the protocol, as the message of the error shows. */
const isInvalidReplyError = (error: unknown) =>
  error instanceof UpstreamError && /JSON|schema|test failed|body|redirect|compressed/.test(error.message)

/**
 * Returns the URL of a resolver. Accepts HTTP and HTTPS URLs, and `stremio://` links of Stremio add-ons.
 * Returns null for other texts.
 */
function parseAddress(addressText: string): string | null {
  const url = URL.parse(addressText.trim().replace(/^stremio:\/\//i, 'https://'))
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  url.hash = ''
  return url.href
}

function parseOrigin(originText: string): string {
  const url = URL.parse(originText)
  if (!url || !/^https?:$/.test(url.protocol) || url.origin !== originText)
    throw createFieldProblem('media_origins', 'does_not_fit')
  return originText
}
