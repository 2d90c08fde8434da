import * as z from 'zod/mini'

/**
 * Who may call an endpoint (security.md, decision 6). Every endpoint must declare its access.
 * - `public`      no authentication
 * - `invitation`  the bearer token is an invitation token
 * - `user`        a signed-in device
 * - `viewer`      a signed-in device; the reply depends on what the acting profile may see
 * - `profile`     a signed-in device whose account owns the profile `{id}` in the path; the profile has no PIN, or is
 *                 unlocked
 * - `profile:any` like `profile`, but the profile may be locked (to unlock it, or to show its name in the profile
 *                 picker)
 * - `admin`       an account with the role admin, with its main profile acting
 */
export type EndpointAccess = 'public' | 'invitation' | 'user' | 'viewer' | 'profile' | 'profile:any' | 'admin'

/**
 * What the caller must prove in addition to `access`. A child or a visitor who uses a signed-in device then cannot make
 * the call.
 * - `adult`    an unrestricted profile acts and no restricted profile is in its group, or the body contains the account
 *              password as `password`; needed only when the account has a restricted profile or a PIN
 * - `main`     like `adult`, but the acting profile must be the main profile; for decisions of parents about other
 *              profiles
 * - `password` the body contains the account password, as `password` or `current_password`; an endpoint may exempt
 *              accounts without a password
 *
 * A password that a signed-in device sends is always checked, even when the call does not need it.
 */
export type EndpointProof = 'adult' | 'main' | 'password'

/**
 * Permissions of an API key. An API key cannot call an endpoint without a scope.
 * - `catalogue:read`  titles, people, search and similar titles
 * - `tracking:read`   lists, history, ratings, feedback, statistics, recommendations, calendar, notices, account
 *                     events, and the profiles without their settings
 * - `tracking:write`  changes of lists, history, ratings, feedback, recommendation signals and notices
 * - `admin`           the dashboard, except for ways to sign in; only for administrators
 */
export const API_KEY_SCOPES = ['catalogue:read', 'tracking:read', 'tracking:write', 'admin'] as const
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number]

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type EndpointSchema = z.ZodMiniObject | z.ZodMiniType
const emptySchema = z.strictObject({})
export type EmptySchema = typeof emptySchema

export interface Endpoint<
  A extends EndpointAccess = EndpointAccess,
  P extends EndpointSchema = EndpointSchema,
  Q extends EndpointSchema = EndpointSchema,
  B extends EndpointSchema = EndpointSchema,
  R extends EndpointSchema = EndpointSchema,
> {
  access: A
  method: HttpMethod
  /** Relative to `base`, with parameters in braces: `/movies/{id}`. */
  path: string
  /** `/api` (default) or `/proxy` (streaming). */
  base: '/api' | '/proxy'
  params: P
  query: Q
  body: B
  reply: R
  /** Media types of a response that the handler writes itself; absent when the response is `reply` as JSON. */
  replyTypes?: readonly string[]
  /**
   * Error statuses that the endpoint can return, in addition to those that follow from its access, method and
   * parameters (`listErrorStatuses` in server/services/operations/api-reference.ts). For the API reference.
   */
  errorStatuses?: readonly number[]
  /** True when responses have an `ETag`, and the endpoint responds with 304 to a matching `If-None-Match`. */
  hasEtag?: true
  /** HTTP status on success. 204 and 303 send no body. 202 means that a job was started. */
  status: 200 | 201 | 202 | 204 | 303
  /** A line of text for the API reference. */
  summary: string
  /** Further text for the OpenAPI document, in Markdown. */
  description?: string
  proof?: EndpointProof
  /**
   * True when the call needs a recently verified second factor. A list names the body fields whose presence needs a
   * second factor. Calls of administrators that change data always need a second factor. Accounts without a second
   * factor are exempt.
   */
  stepUp?: true | readonly string[]
  /**
   * Scope that an API key needs to call the endpoint. With null, no API key may call the endpoint. When absent, the
   * scope is `admin` for endpoints with the access `admin`, and null for all other endpoints.
   */
  scope?: ApiKeyScope | null
  /** When a profile changes only these fields of its own data, no proof is needed. A nested field is written `a.b`. */
  proofExemptFields?: readonly string[]
  /**
   * `adult` rejects the call with 403 while a kids profile acts or is in the group. Needs the access `profile` or
   * `viewer`.
   */
  audience?: 'adult'
  /** Largest accepted body in bytes; the default is 64 KiB (security.md). */
  maxBodyBytes?: number
  /**
   * The body is a file. The server passes it to the handler as a stream, `body` stays empty, and the handler enforces
   * `maxBodyBytes`.
   */
  upload?: true
}

interface EndpointDefinition<
  A extends EndpointAccess,
  P extends EndpointSchema,
  Q extends EndpointSchema,
  B extends EndpointSchema,
  R extends EndpointSchema,
> {
  access: A
  method: HttpMethod
  path: string
  summary: string
  description?: string
  base?: '/proxy'
  params?: P
  query?: Q
  body?: B
  reply?: R
  replyTypes?: readonly string[]
  errorStatuses?: readonly number[]
  hasEtag?: true
  status?: 200 | 201 | 202 | 204 | 303
  proof?: EndpointProof
  stepUp?: true | readonly string[]
  scope?: ApiKeyScope | null
  proofExemptFields?: readonly string[]
  audience?: 'adult'
  maxBodyBytes?: number
  upload?: true
}

/**
 * Returns the definition of an endpoint. The server validates requests against the definition, the browser builds
 * requests from it, and the API reference is generated from it. The default status is 200 if a reply or reply types are
 * given, and 204 otherwise.
 */
export function defineEndpoint<
  const A extends EndpointAccess,
  P extends EndpointSchema = EmptySchema,
  Q extends EndpointSchema = EmptySchema,
  B extends EndpointSchema = EmptySchema,
  R extends EndpointSchema = EmptySchema,
>(definition: EndpointDefinition<A, P, Q, B, R>): Endpoint<A, P, Q, B, R> {
  return {
    base: '/api',
    status: definition.reply || definition.replyTypes ? 200 : 204,
    params: emptySchema as unknown as P,
    query: emptySchema as unknown as Q,
    body: emptySchema as unknown as B,
    reply: emptySchema as unknown as R,
    ...(definition.access === 'admin' && definition.method !== 'GET' && { stepUp: true as const }),
    ...(definition.access === 'admin' && { scope: 'admin' as const }),
    ...definition,
  }
}

/** Types of the input that the caller of an endpoint passes, before parsing. */
export type ParamsOf<E extends Endpoint> = z.input<E['params']>
export type QueryOf<E extends Endpoint> = z.input<E['query']>
export type BodyOf<E extends Endpoint> = z.input<E['body']>
/** Type of the parsed reply of an endpoint. */
export type ReplyOf<E extends Endpoint> = z.output<E['reply']>
