import type * as z from 'zod/mini'
import type { Endpoint, EndpointAccess } from '../../src/lib/contract/endpoint.ts'
import type { RequestInfo } from '../core/request-info.ts'
import type { Caller, InvitationCaller, ProfileCaller, Viewer } from '../services/auth/caller.ts'
import type { Deps } from '../services/deps.ts'

/** Type of the caller that a handler receives. It depends on the access of the endpoint. */
export type CallerFor<A extends EndpointAccess> = A extends 'public'
  ? null
  : A extends 'invitation'
    ? InvitationCaller
    : A extends 'profile' | 'profile:any'
      ? ProfileCaller
      : A extends 'viewer'
        ? Viewer
        : Caller

export interface RouteCall<E extends Endpoint> {
  params: z.output<E['params']>
  query: z.output<E['query']>
  body: z.output<E['body']>
  caller: CallerFor<E['access']>
  deps: Deps
  request: RequestInfo
  setHeader: (name: string, value: string) => void
  /** True when the body contains the account password, which has been checked. */
  isPasswordProven: boolean
  /** The original request. Use it for uploads only, because the bodies of all other requests have already been read. */
  rawRequest: Request
}

// biome-ignore lint/suspicious/noConfusingVoidType: a handler of a 204 call returns nothing
type RouteReply<E extends Endpoint> = z.input<E['reply']> | Response | void

export interface RouteOptions<E extends Endpoint = Endpoint> {
  /**
   * Time in milliseconds for which a response is cached for all callers with the same audience and language. Without
   * `cacheMs`, responses are not cached. Only endpoints with the access `viewer` may set it.
   */
  cacheMs?: number
  /** Runs before every response, including cached responses. */
  onRequest?: (call: RouteCall<E>) => void
  /**
   * Returns the version of the data, other than the catalogue, on which responses depend. The cache key contains this
   * version and the version of the catalogue.
   */
  loadVersion?: (deps: Deps) => Promise<string>
  /**
   * Returns false for a response that would be wrong for other callers or at a later time. Such responses are not
   * cached.
   */
  isCacheable?: (deps: Deps, caller: Viewer) => boolean | Promise<boolean>
  /** Returns true for queries whose response depends on the profile. Such responses are not cached. */
  dependsOnProfile?: (query: Record<string, unknown>) => boolean
  /** Returns false for calls that need no proof, although the endpoint requires one. */
  needsProof?: (call: RouteCall<E>) => Promise<boolean>
  /** Maximum number of requests per account in a time window. */
  quota?: { maxRequests: number; windowMs: number }
}

export interface Route extends RouteOptions {
  endpoint: Endpoint
  handle: (call: RouteCall<Endpoint>) => unknown
}

/** Binds a handler to an endpoint. mount.ts enforces access and validation for every route. */
export function defineRoute<E extends Endpoint>(
  endpoint: E,
  handle: (call: RouteCall<E>) => RouteReply<E> | Promise<RouteReply<E>>,
  options: RouteOptions<NoInfer<E>> = {},
): Route {
  return { endpoint, handle: handle as Route['handle'], ...(options as RouteOptions) }
}
