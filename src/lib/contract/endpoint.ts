import * as z from 'zod/mini'

/**
 * Who may call (security.md, decision 6). A route cannot exist without one.
 * - `public`      nobody has to be known
 * - `invitation`  the bearer is an invitation token
 * - `user`        a live login
 * - `viewer`      a live login; the answer depends on what the acting profile may see
 * - `profile`     a live login that owns the profile named by `{id}` in the path, unlocked on this device
 * - `profile:any` the same, but the profile may be locked (unlocking it, showing its name on the picker)
 * - `admin`       role admin with the main profile acting
 */
export type Access = 'public' | 'invitation' | 'user' | 'viewer' | 'profile' | 'profile:any' | 'admin'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type Shape = z.ZodMiniObject | z.ZodMiniType
const nothing = z.strictObject({})
export type Nothing = typeof nothing

export interface Endpoint<
  A extends Access = Access,
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Shape = Shape,
  R extends Shape = Shape,
> {
  access: A
  method: Method
  /** Under `base`; parameters in braces: `/movies/{id}`. */
  path: string
  /** `/api` (default) or `/proxy` (streaming). */
  base: '/api' | '/proxy'
  params: P
  query: Q
  body: B
  reply: R
  /** HTTP status of success; 204 sends no body, 202 stands for a job that goes on, 307 points to another address. */
  status: 200 | 201 | 202 | 204 | 307
  /** One line for the reference page. */
  summary: string
  /** Bytes accepted as body; the default is 64 KiB (security.md). */
  maxBody?: number
  /** The body is a file: it is handed on as it comes, `body` is empty, and the handler keeps to `maxBody`. */
  upload?: true
}

interface Words<A extends Access, P extends Shape, Q extends Shape, B extends Shape, R extends Shape> {
  access: A
  method: Method
  path: string
  summary: string
  base?: '/proxy'
  params?: P
  query?: Q
  body?: B
  reply?: R
  status?: 200 | 201 | 202 | 204 | 307
  maxBody?: number
  upload?: true
}

/**
 * States one call of the product: the server enforces it, the browser calls by it, the reference page prints it.
 */
export function endpoint<
  const A extends Access,
  P extends Shape = Nothing,
  Q extends Shape = Nothing,
  B extends Shape = Nothing,
  R extends Shape = Nothing,
>(words: Words<A, P, Q, B, R>): Endpoint<A, P, Q, B, R> {
  return {
    base: '/api',
    status: words.reply ? 200 : 204,
    params: nothing as unknown as P,
    query: nothing as unknown as Q,
    body: nothing as unknown as B,
    reply: nothing as unknown as R,
    ...words,
  }
}

/** What `call()` needs and gives for an endpoint. */
export type ParamsOf<E extends Endpoint> = z.input<E['params']>
export type QueryOf<E extends Endpoint> = z.input<E['query']>
export type BodyOf<E extends Endpoint> = z.input<E['body']>
export type ReplyOf<E extends Endpoint> = z.output<E['reply']>
