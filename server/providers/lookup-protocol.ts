/** Protocols for requests to stream resolvers: the protocol of docs/media.md, and the protocol of Stremio add-ons. */
import type { UpstreamReply } from './upstream-reply.ts'

export interface UpstreamQuery {
  type: 'movie' | 'tv'
  imdbId: string
  season?: number
  episode?: number
  quality: string
  title: string
  year: number | null
}
/** Returns the parsed JSON of a URL; null for 404. Throws `UpstreamError`. */
export type SendLookup = (url: URL) => Promise<unknown>
/** The requests that a resolver with this protocol understands. */
export interface LookupProtocol {
  lookUp: (sendLookup: SendLookup, baseUrl: URL, query: UpstreamQuery) => Promise<UpstreamReply | null>
  /** Sends a test request. Throws when the resolver does not answer it according to the protocol. */
  testResolver: (sendLookup: SendLookup, baseUrl: URL) => Promise<void>
}
