/** Which resolver a media URL came from, and the headers with which it is requested. It is part of the sealed media URL. */
import type { Resolver } from '../../providers/resolver-chain.ts'
import type { Deps } from '../deps.ts'
import type { MediaLocation } from './media-url.ts'

interface RequestOptions {
  resolverId: string
  headers: Record<string, string>
}

export const formatRequestOptions = ({ resolverId, headers }: RequestOptions) =>
  JSON.stringify([resolverId, headers])

/** Returns the resolver of a location and its request headers; null when the resolver was removed. */
export function findResolver(
  deps: Deps,
  { base }: MediaLocation,
): { resolver: Resolver; headers: Record<string, string> } | null {
  if (base === undefined) return null
  const [resolverId, headers] = JSON.parse(base) as [string, Record<string, string>]
  const resolver = deps.streamSources.upstream?.find(resolverId)
  return resolver ? { resolver, headers } : null
}
