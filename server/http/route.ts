import type * as z from 'zod/mini'
import type { Access, Endpoint } from '../../src/lib/contract/endpoint.ts'
import type { Deps } from '../deps.ts'
import type { Caller, Invited, ProfileCaller, Viewer } from './caller.ts'
import type { RequestInfo } from './request.ts'

/** Who a handler is told is calling, by the access that its endpoint states. */
export type CallerFor<A extends Access> = A extends 'public'
  ? null
  : A extends 'invitation'
    ? Invited
    : A extends 'profile' | 'profile:any'
      ? ProfileCaller
      : A extends 'viewer'
        ? Viewer
        : Caller

export interface Call<E extends Endpoint> {
  params: z.output<E['params']>
  query: z.output<E['query']>
  body: z.output<E['body']>
  caller: CallerFor<E['access']>
  deps: Deps
  request: RequestInfo
  /** Sets a header of the answer. */
  header: (name: string, value: string) => void
  /** For uploads alone: elsewhere its body has been read. */
  raw: Request
}

// biome-ignore lint/suspicious/noConfusingVoidType: a handler of a 204 call returns nothing
type Reply<E extends Endpoint> = z.input<E['reply']> | Response | void

export interface Route {
  endpoint: Endpoint
  handle: (call: Call<Endpoint>) => unknown
  /** How long an answer may be kept for all who may see the same, in ms; absent: never. Access `viewer` only. */
  sharedMs?: number
  /** Queries whose answer is the caller's own all the same. */
  personal?: (query: Record<string, unknown>) => boolean
  /** How often one account may ask. */
  quota?: { most: number; windowMs: number }
}

/** Binds a handler to an endpoint. Access and validation are enforced by mount.ts for every route alike. */
export function route<E extends Endpoint>(
  endpoint: E,
  handle: (call: Call<E>) => Reply<E> | Promise<Reply<E>>,
  ways: Pick<Route, 'sharedMs' | 'personal' | 'quota'> = {},
): Route {
  return { endpoint, handle: handle as Route['handle'], ...ways }
}
