/** Asks several stream resolvers in order, and uses the reply of the first one that has the title. */
import type { UpstreamQuery } from './lookup-protocol.ts'
import { type Upstream, UpstreamBusyError } from './upstream.ts'
import type { UpstreamReply } from './upstream-reply.ts'

export interface ResolverWithUpstream {
  id: string
  upstream: Upstream
}
export interface ResolverChain {
  /**
   * Returns the reply of the first resolver that has streams; null when no resolver has streams. If a resolver throws
   * `UpstreamBusyError`, throws this error without asking later resolvers. Throws `UpstreamError` when a resolver
   * failed and no other resolver has streams, because the failed resolver may have the title.
   */
  lookupStreams: (
    query: UpstreamQuery,
    accountId: string,
  ) => Promise<{ resolver: ResolverWithUpstream; reply: UpstreamReply } | null>
  findResolver: (resolverId: string) => ResolverWithUpstream | undefined
}

/** `onFailure` receives the errors of all resolvers that failed, except an error that `lookupStreams` throws. */
export function createResolverChain(
  resolvers: readonly ResolverWithUpstream[],
  onFailure: (error: unknown) => void,
): ResolverChain {
  return {
    async lookupStreams(query, accountId) {
      let lastError: unknown = null
      for (const resolver of resolvers) {
        try {
          const reply = await resolver.upstream.lookupStreams(query, accountId)
          if (reply) {
            if (lastError !== null) onFailure(lastError)
            return { resolver, reply }
          }
        } catch (error) {
          if (lastError !== null) onFailure(lastError)
          if (error instanceof UpstreamBusyError) throw error
          lastError = error
        }
      }
      if (lastError !== null) throw lastError
      return null
    },
    findResolver: (resolverId) => resolvers.find(({ id }) => id === resolverId),
  }
}
