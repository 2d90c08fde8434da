import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { toErrorFields } from '../core/log.ts'
import { Problem, toProblem } from '../core/problem.ts'
import { observeRequest } from '../core/process-metrics.ts'
import type { RequestInfo } from '../core/request-info.ts'
import { authorizeRequest } from '../services/auth/authorize.ts'
import type { Caller, Viewer } from '../services/auth/caller.ts'
import type { Deps } from '../services/deps.ts'
import { admission } from './admission.ts'
import { assertStorableText, readRequestBody } from './body.ts'
import { rejectCrossSiteRequest } from './origin.ts'
import { getRawPath } from './raw-path.ts'
import { describeRequest, parseTrustedProxies } from './request.ts'
import type { Route } from './route.ts'
import { getSharedResponse } from './shared-responses.ts'
import { parseRequestBody, parseWithSchema, readQueryParameters } from './validate.ts'

/** Rejects encoded separators and dot segments before routing, so that routing and access checks see the same path. */
const UNSAFE_PATH = /\/\/|\\|%2f|%5c|%25|%00|\/\.{1,2}(\/|$)/i

type AppEnv = { Variables: { request: RequestInfo; route?: string; isUpload?: true } }

/**
 * Creates the API as a Hono app. Access control, validation, error responses and request logs are applied to every
 * route here.
 */
export function mountRoutes(routes: readonly Route[], deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ strict: true })
  const trustedProxyList = parseTrustedProxies(deps.config.trustedProxies)
  app.use('*', async (c, next) => {
    const request = describeRequest(c, deps.config, trustedProxyList)
    c.set('request', request)
    const startedAt = performance.now()
    await next()
    finishResponse(c, request, deps, performance.now() - startedAt)
  })
  app.use('*', async (c, next) => {
    if (!admission.enter(c.req.path)) throw new Problem('overloaded', { retryAfterSeconds: 1 })
    const startedAt = performance.now()
    try {
      if (UNSAFE_PATH.test(getRawPath(c))) throw new Problem('not_found')
      rejectCrossSiteRequest(c, deps.config)
      await next()
    } finally {
      if (!c.get('isUpload')) admission.leave(performance.now() - startedAt)
    }
  })
  for (const route of [...routes].sort(byStaticSegmentsFirst)) {
    const path = route.endpoint.base + route.endpoint.path.replace(/\{(\w+)\}/g, ':$1')
    app.on(route.endpoint.method, path, (c) => {
      // The duration of an upload depends on the client's connection, so uploads must not count as load.
      if (route.endpoint.upload) {
        c.set('isUpload', true)
        admission.leave()
      }
      return handleRoute(c, route, deps)
    })
  }
  // This is a route because Hono ignores the `notFound` handler of a mounted app.
  app.all('*', () => {
    throw new Problem('not_found')
  })
  app.onError((error, c) => createErrorResponse(c, error, deps))
  return app
}

/** Sorts `/movies/featured` before `/movies/{id}`. */
function byStaticSegmentsFirst(a: Route, b: Route): number {
  return a.endpoint.path.replace(/\{\w+\}/g, '~') < b.endpoint.path.replace(/\{\w+\}/g, '~') ? -1 : 1
}

async function handleRoute(c: Context<AppEnv>, route: Route, deps: Deps): Promise<Response> {
  const { endpoint, handle } = route
  const request = c.get('request')
  c.set('route', endpoint.base + endpoint.path)
  for (const [name, value] of Object.entries(c.req.param())) assertStorableText(name, value)
  const caller = await authorizeRequest(endpoint.access, c.req.param('id'), request, deps)
  if (route.quota && caller && 'account' in caller) await enforceQuota(deps, route, caller)
  const params = parseWithSchema(endpoint.params, c.req.param())
  const query = parseWithSchema(endpoint.query, readQueryParameters(c, endpoint.query))
  const body = endpoint.upload
    ? {}
    : parseRequestBody(endpoint.body, await readRequestBody(c, endpoint.maxBody))
  const setHeader = (name: string, value: string) => c.header(name, value, { append: name === 'Set-Cookie' })
  const callHandler = (handlerDeps: Deps) =>
    handle({
      params,
      query,
      body,
      caller: caller as never,
      deps: handlerDeps,
      request,
      setHeader,
      raw: c.req.raw,
    })
  if (route.cacheMs && !route.isPersonal?.(query as Record<string, unknown>)) {
    const buildResponse = async () =>
      JSON.stringify(z.parse(endpoint.reply, await callHandler(withPrimaryDatabase(deps))))
    const text = await getSharedResponse(
      deps,
      { route, caller: caller as Viewer, params, query },
      buildResponse,
    )
    return c.body(text, endpoint.status as 200, { 'Content-Type': 'application/json' })
  }
  const reply = await callHandler(deps)
  if (reply instanceof Response) return reply
  if (endpoint.status === 204) return c.body(null, 204)
  return c.json(z.parse(endpoint.reply, reply) as object, endpoint.status)
}

/**
 * Returns dependencies that read from the primary database. A response is cached under the catalogue version of the
 * primary, so it must not be built from a replica that lags behind.
 */
function withPrimaryDatabase(deps: Deps): Deps {
  const { database } = deps
  return database.kind === 'sqlite' ? deps : { ...deps, database: { ...database, reader: database.primary } }
}

async function enforceQuota(deps: Deps, route: Route, { account }: Caller): Promise<void> {
  const { maxRequests, windowMs } = route.quota ?? { maxRequests: Number.POSITIVE_INFINITY, windowMs: 0 }
  const bucket = `${route.endpoint.method} ${route.endpoint.path} ${account.account_id}`
  const waitMs = await deps.quota.consume(bucket, maxRequests, windowMs)
  if (waitMs > 0) throw new Problem('rate_limited', { retryAfterSeconds: waitMs / 1000 })
}

function createErrorResponse(c: Context<AppEnv>, error: unknown, deps: Deps): Response {
  const problem = toProblem(error)
  if (problem.status >= 500) {
    deps.log.error('request_failed', {
      request: c.get('request')?.id,
      ...toErrorFields(problem.cause ?? problem),
    })
  }
  if (problem.retryAfterSeconds !== undefined)
    c.header('Retry-After', String(Math.max(1, Math.ceil(problem.retryAfterSeconds))))
  return c.json(problem.toResponseBody(), problem.status as 400)
}

function finishResponse(c: Context<AppEnv>, request: RequestInfo, deps: Deps, durationMs: number): void {
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
  if (deps.isStopping()) headers.set('Connection', 'close')
  const path = new URL(c.req.url).pathname
  const route = c.get('route') ?? 'none'
  observeRequest({ method: c.req.method, route, status: c.res.status }, durationMs)
  deps.log.info('request', {
    request: request.id,
    method: c.req.method,
    path,
    status: c.res.status,
    ms: Math.round(durationMs),
  })
}
