import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import type { Deps } from '../deps.ts'
import { Problem, problemOf } from '../problem.ts'
import { observeRequest } from '../services/metrics.ts'
import { admission } from './admission.ts'
import { checkText, readBody } from './body.ts'
import { type Caller, identify, type Viewer } from './caller.ts'
import { errorFields } from './log.ts'
import { refuseForeignOrigin } from './origin.ts'
import { describeRequest, type RequestInfo, trustedProxies } from './request.ts'
import type { Route } from './route.ts'
import { sharedAnswer } from './shared-answers.ts'
import { parse, parseBody, readQuery } from './validate.ts'

/** Two spellings of one path must never reach two rooms: these are refused before routing. */
const ODD_PATH = /\/\/|\\|%2f|%5c|%25|%00|\/\.{1,2}(\/|$)/i

type Env = { Variables: { request: RequestInfo; route?: string; isFile?: true } }

/** The API as a Hono app: every route behind access, validation, errors and log lines, in one place. */
export function mountRoutes(routes: readonly Route[], deps: Deps): Hono<Env> {
  const app = new Hono<Env>({ strict: true })
  const trusted = trustedProxies(deps.config.trustedProxies)
  app.use('*', async (c, next) => {
    const request = describeRequest(c, deps.config, trusted)
    c.set('request', request)
    const started = performance.now()
    await next()
    finish(c, request, deps, performance.now() - started)
  })
  app.use('*', async (c, next) => {
    if (!admission.enter(c.req.path)) throw new Problem('overloaded', { retryAfter: 1 })
    const started = performance.now()
    try {
      if (ODD_PATH.test(rawPath(c))) throw new Problem('not_found')
      refuseForeignOrigin(c, deps.config)
      await next()
    } finally {
      if (!c.get('isFile')) admission.leave(performance.now() - started)
    }
  })
  for (const one of [...routes].sort(staticFirst)) {
    const path = one.endpoint.base + one.endpoint.path.replace(/\{(\w+)\}/g, ':$1')
    app.on(one.endpoint.method, path, (c) => {
      /* A file waits for its sender's line, minutes perhaps: that is no work, and says nothing of how busy this process is. */
      if (one.endpoint.upload) {
        c.set('isFile', true)
        admission.leave()
      }
      return answer(c, one, deps)
    })
  }
  // A route, not `notFound`: that of an app which is mounted in another is never asked.
  app.all('*', () => {
    throw new Problem('not_found')
  })
  app.onError((error, c) => refuse(c, error, deps))
  return app
}

/** `/movies/featured` before `/movies/{id}`. */
function staticFirst(a: Route, b: Route): number {
  return a.endpoint.path.replace(/\{\w+\}/g, '~') < b.endpoint.path.replace(/\{\w+\}/g, '~') ? -1 : 1
}

function rawPath(c: Context): string {
  const incoming = (c.env as { incoming?: { url?: string } } | undefined)?.incoming
  return (incoming?.url ?? new URL(c.req.url).pathname).split('?')[0] ?? '/'
}

async function answer(c: Context<Env>, one: Route, deps: Deps): Promise<Response> {
  const { endpoint, handle } = one
  const request = c.get('request')
  c.set('route', endpoint.base + endpoint.path)
  for (const [name, value] of Object.entries(c.req.param())) checkText(name, value)
  const caller = await identify(endpoint.access, c.req.param('id'), request, deps)
  if (one.quota && caller && 'account' in caller) await refuseOverQuota(deps, one, caller)
  const params = parse(endpoint.params, c.req.param())
  const query = parse(endpoint.query, readQuery(c, endpoint.query))
  const body = endpoint.upload ? {} : parseBody(endpoint.body, await readBody(c, endpoint.maxBody))
  const header = (name: string, value: string) => c.header(name, value, { append: name === 'Set-Cookie' })
  const ask = (on: Deps) =>
    handle({ params, query, body, caller: caller as never, deps: on, request, header, raw: c.req.raw })
  if (one.sharedMs && !one.personal?.(query as Record<string, unknown>)) {
    const make = async () => JSON.stringify(z.parse(endpoint.reply, await ask(onPrimary(deps))))
    const text = await sharedAnswer(deps, { route: one, caller: caller as Viewer, params, query }, make)
    return c.body(text, endpoint.status as 200, { 'Content-Type': 'application/json' })
  }
  const reply = await ask(deps)
  if (reply instanceof Response) return reply
  if (endpoint.status === 204) return c.body(null, 204)
  return c.json(z.parse(endpoint.reply, reply) as object, endpoint.status)
}

/** What is kept under the version of the primary must not come from a replica that is behind it. */
function onPrimary(deps: Deps): Deps {
  const { database } = deps
  return database.kind === 'sqlite' ? deps : { ...deps, database: { ...database, reader: database.primary } }
}

async function refuseOverQuota(deps: Deps, one: Route, { account }: Caller): Promise<void> {
  const { most, windowMs } = one.quota ?? { most: Number.POSITIVE_INFINITY, windowMs: 0 }
  const bucket = `${one.endpoint.method} ${one.endpoint.path} ${account.account_id}`
  const wait = await deps.quota.take(bucket, most, windowMs)
  if (wait > 0) throw new Problem('rate_limited', { retryAfter: wait / 1000 })
}

function refuse(c: Context<Env>, error: unknown, deps: Deps): Response {
  const problem = problemOf(error)
  if (problem.status >= 500) {
    deps.log.error('failed', { request: c.get('request')?.id, ...errorFields(problem.cause ?? problem) })
  }
  if (problem.retryAfter !== undefined)
    c.header('Retry-After', String(Math.max(1, Math.ceil(problem.retryAfter))))
  return c.json(problem.body(), problem.status as 400)
}

function finish(c: Context<Env>, request: RequestInfo, deps: Deps, ms: number): void {
  const { headers } = c.res
  headers.set('X-Request-Id', request.id)
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('Referrer-Policy', 'no-referrer')
  headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
  if (!headers.has('Content-Security-Policy')) {
    headers.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
  }
  if (deps.config.publicUrl.protocol === 'https:')
    headers.set('Strict-Transport-Security', 'max-age=31536000')
  if (deps.stopping()) headers.set('Connection', 'close')
  const path = new URL(c.req.url).pathname
  const route = c.get('route') ?? 'none'
  observeRequest({ method: c.req.method, route, status: c.res.status }, ms)
  deps.log.info('request', {
    request: request.id,
    method: c.req.method,
    path,
    status: c.res.status,
    ms: Math.round(ms),
  })
}
