/**
 * An encrypted media URL contains the id of its resolver or media server, and the request headers. This module
 * writes and reads this part of the URL.
 */
import type { Upstream } from '../../providers/upstream.ts'
import type { Deps } from '../deps.ts'
import type { MediaLocation } from './media-url.ts'

/** A stream resolver or media server from which media are fetched. */
interface MediaProvider {
  id: string
  upstream: Pick<Upstream, 'resolveAllowedUrl' | 'fetchMedia'>
}
interface MediaRequestOptions {
  providerId: string
  headers: Record<string, string>
}

export const formatMediaRequestOptions = ({ providerId, headers }: MediaRequestOptions) =>
  JSON.stringify([providerId, headers])

/**
 * Returns the resolver or media server of a location and the request headers; null when the operator has removed
 * the resolver or media server.
 */
export function findMediaProvider(
  deps: Deps,
  { base }: MediaLocation,
): { provider: MediaProvider; headers: Record<string, string> } | null {
  if (base === undefined) return null
  const [providerId, headers] = JSON.parse(base) as [string, Record<string, string>]
  const { upstream, mediaServers } = deps.streamSources
  const mediaServer = mediaServers.find(({ id }) => id === providerId)
  const provider = mediaServer
    ? { id: mediaServer.id, upstream: mediaServer.client }
    : upstream?.findResolver(providerId)
  return provider ? { provider, headers } : null
}
