import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import type { Endpoint } from '../../src/lib/contract/endpoint.ts'
import { isMissingReference } from '../core/database-unavailable.ts'
import { Problem } from '../core/problem.ts'
import { observeRequest } from '../core/process-metrics.ts'
import type { RequestInfo } from '../core/request-info.ts'
import { requireScope } from '../services/auth/api-key-access.ts'
import { requireInvitation, requireLogin } from '../services/auth/authenticate.ts'
import { authorizeLogin, type LoginAccess } from '../services/auth/authorize.ts'
import type { Caller, InvitationCaller, Viewer } from '../services/auth/caller.ts'
import { recordDeniedCall } from '../services/auth/denied-calls.ts'
import { requireProof } from '../services/auth/proof.ts'
import { requireStepUp } from '../services/auth/step-up.ts'
import type { Deps } from '../services/deps.ts'
import { admission } from './admission.ts'
import { assertStorableText, readRequestBody } from './body.ts'
import { sendJson } from './compress-reply.ts'
import { createErrorResponse } from './error-response.ts'
import { rejectCrossSiteRequest } from './origin.ts'
import { getRawPath } from './raw-path.ts'
import { describeRequest, parseTrustedProxies } from './request.ts'
import type { Route, RouteCall } from './route.ts'
import { getSharedResponse } from './shared-responses.ts'
import { parseRequestBody, parseWithSchema, readQueryParameters } from './validate.ts'

/**
 * Matches paths with empty segments, dot segments, backslashes, or encoded slashes, backslashes, percent signs or NUL.
 * These paths are rejected with 404 before routing, so that routing and access checks see the same path.
 */
const UNSAFE_PATH_PATTERN = /\/\/|\\|%2f|%5c|%25|%00|\/\.{1,2}(\/|$)/i

type AppEnv = { Variables: { request: RequestInfo; route?: string; isUpload?: true } }

/**
 * Creates the API as a Hono app. Access control, validation, error responses and request logs are applied to every
 * route here. `documentationPaths` are API paths that another app serves with GET. Here they only determine the
 * responses to other methods: 204 for OPTIONS, otherwise 405, both with the Allow header.
 */
export function mountRoutes(
  routes: readonly Route[],
  deps: Deps,
  documentationPaths: readonly string[] = [],
): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ strict: true })
  const trustedProxyList = parseTrustedProxies(deps.config.trustedProxies)
  const redactPath = createPathRedaction(routes)
  app.use('*', async (c, next) => {
    const request = describeRequest(c, deps.config, trustedProxyList)
    c.set('request', request)
    const startedAtMs = performance.now()
    await next()
    finishResponse(c, request, { deps, durationMs: performance.now() - startedAtMs, redactPath })
  })
  app.use('*', async (c, next) => {
    if (!admission.tryAdmitRequest(c.req.path)) throw new Problem('overloaded', { retryAfterSeconds: 1 })
    const startedAtMs = performance.now()
    try {
      if (UNSAFE_PATH_PATTERN.test(getRawPath(c))) throw new Problem('not_found')
      rejectCrossSiteRequest(c, deps.config)
      await next()
    } finally {
      if (!c.get('isUpload')) admission.releaseRequest(performance.now() - startedAtMs)
    }
  })
  for (const route of [...routes].sort(byStaticSegmentsFirst)) {
    const path = route.endpoint.base + route.endpoint.path.replace(/\{(\w+)\}/g, ':$1')
    app.on(route.endpoint.method, path, (c) => {
      // The duration of an upload depends on the client's connection, so uploads must not count as load.
      if (route.endpoint.upload) {
        c.set('isUpload', true)
        admission.releaseRequest()
      }
      return authorizeAndCallHandler(c, route, deps)
    })
  }
  const documentationEndpoints = documentationPaths.map((path) => ({
    method: 'GET' as const,
    base: '',
    path,
  }))
  const findAllowedMethods = createMethodLookup([
    ...routes.map(({ endpoint }) => endpoint),
    ...documentationEndpoints,
  ])
  // Unknown paths are rejected by a route, because Hono ignores the `notFound` handler of a mounted app.
  app.all('*', (c) => {
    const allowedMethods = findAllowedMethods(c.req.path)
    if (allowedMethods.length === 0) throw new Problem('not_found')
    if (c.req.method === 'OPTIONS') return c.body(null, 204, { Allow: allowedMethods.join(', ') })
    throw new Problem('method_not_allowed', { allowedMethods })
  })
  app.onError((error, c) => createErrorResponse(c, error, deps, c.get('request')?.id))
  return app
}

/**
 * Returns a function that lists the methods of a path for the Allow header; an empty list for an unknown path. Several
 * routes can match a path, such as `/movies/featured` and `/movies/{id}`.
 */
function createMethodLookup(
  endpoints: readonly (Pick<Endpoint, 'method' | 'path'> & { base: string })[],
): (path: string) => string[] {
  const matchers = endpoints.map(({ method, base, path }) => ({
    pattern: new RegExp(`^${base}${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
  }))
  return (path) => {
    const methods = matchers.flatMap((matcher) => (matcher.pattern.test(path) ? matcher.methods : []))
    return methods.length === 0 ? [] : [...new Set(methods), 'OPTIONS']
  }
}

/** Comparator that sorts static segments before parameters: `/movies/featured` before `/movies/{id}`. */
function byStaticSegmentsFirst(a: Route, b: Route): number {
  return a.endpoint.path.replace(/\{\w+\}/g, '~') < b.endpoint.path.replace(/\{\w+\}/g, '~') ? -1 : 1
}

async function authorizeAndCallHandler(c: Context<AppEnv>, route: Route, deps: Deps): Promise<Response> {
  const { access, base, path } = route.endpoint
  const request = c.get('request')
  c.set('route', base + path)
  for (const [name, value] of Object.entries(c.req.param())) assertStorableText(name, value)
  if (access === 'public') return callHandler(c, route, deps, null)
  if (access === 'invitation')
    return callHandler(c, route, deps, { invitation: await requireInvitation(request, deps) })
  const login = await requireLogin(request, deps)
  try {
    requireScope(route.endpoint, login)
    const caller = await authorizeLogin(login, { access, pathProfileId: c.req.param('id') }, request, deps)
    requireAudience(route.endpoint, caller)
    if (route.quota) await enforceQuota(deps, route, caller)
    return await callHandler(c, route, deps, caller)
  } catch (error) {
    if (isMissingReference(error)) await authorizeAgain(c, access, deps)
    await recordDeniedCall(deps, request, login, error)
    throw error
  }
}

/**
 * Repeats the access checks of a request that failed because a referenced database row is missing. If the account or
 * the profile was deleted while the request ran, the checks throw the same error as for a later request: 401 for a
 * deleted account, and 404 for a deleted profile.
 */
async function authorizeAgain(c: Context<AppEnv>, access: LoginAccess, deps: Deps): Promise<void> {
  const request = c.get('request')
  const login = await requireLogin(request, deps)
  await authorizeLogin(login, { access, pathProfileId: c.req.param('id') }, request, deps)
}

/**
 * Throws 403 when the caller of an endpoint for adults is a kids profile, or has no audience because it has no profile.
 */
function requireAudience({ audience }: Endpoint, caller: Caller | Viewer): void {
  if (audience === 'adult' && !('audience' in caller && !caller.audience.isForKids))
    throw new Problem('forbidden')
}

/**
 * Validates the request, and checks the proof and the second factor if the endpoint requires them. Then sends a cached
 * response, or calls the handler.
 */
async function callHandler(
  c: Context<AppEnv>,
  route: Route,
  deps: Deps,
  caller: Caller | InvitationCaller | null,
): Promise<Response> {
  const { endpoint, handle } = route
  const params = parseWithSchema(endpoint.params, c.req.param())
  const query = parseWithSchema(endpoint.query, readQueryParameters(c, endpoint.query))
  const body = endpoint.upload
    ? {}
    : parseRequestBody(endpoint.body, await readRequestBody(c, endpoint.maxBodyBytes))
  const call: RouteCall<Endpoint> = {
    params,
    query,
    body,
    caller: caller as never,
    deps,
    request: c.get('request'),
    setHeader: (name, value) => c.header(name, value, { append: name === 'Set-Cookie' }),
    isPasswordProven: false,
    rawRequest: c.req.raw,
  }
  if (caller && 'account' in caller) {
    const { needsProof } = route
    const isNeeded = needsProof && (() => needsProof(call))
    const proof = await requireProof(deps, { endpoint, caller, body, isNeeded })
    call.isPasswordProven = proof.isPasswordProven
    await requireStepUp(deps, endpoint, caller, body)
  }
  route.onRequest?.(call)
  if (route.cacheMs && !route.dependsOnProfile?.(query as Record<string, unknown>)) {
    const buildResponse = async () =>
      JSON.stringify(z.parse(endpoint.reply, await handle({ ...call, deps: withPrimaryDatabase(deps) })))
    const version = (await route.loadVersion?.(deps)) ?? ''
    const sharedRequest = { route, caller: caller as Viewer, params, query, version }
    const isCacheable = (await route.isCacheable?.(deps, sharedRequest.caller)) ?? true
    const responseText = await (isCacheable
      ? getSharedResponse(deps, sharedRequest, buildResponse)
      : buildResponse())
    return sendJson(c, endpoint, responseText)
  }
  const reply = await handle(call)
  if (reply instanceof Response) return reply
  if (endpoint.status === 204) return c.body(null, 204)
  return sendJson(c, endpoint, JSON.stringify(z.parse(endpoint.reply, reply)))
}

/**
 * Returns dependencies that read from the primary database. A cached response must not be built from a replica with
 * older data, because it is stored under the catalogue version of the primary. The same applies to a response that a
 * client requests again after an account event, because the client expects the new data.
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

/**
 * Returns a function that replaces each segment of a path by `…`, except the fixed segments of the routes. The path of
 * an unmatched request can contain ids, or the token of a mistyped calendar address or media URL.
 */
function createPathRedaction(routes: readonly Route[]): (path: string) => string {
  const fixedSegments = new Set(routes.flatMap(({ endpoint: { base, path } }) => `${base}${path}`.split('/')))
  return (path) =>
    path
      .split('/')
      .map((segment) => (fixedSegments.has(segment) ? segment : '…'))
      .join('/')
}

function finishResponse(
  c: Context<AppEnv>,
  request: RequestInfo,
  { deps, durationMs, redactPath }: { deps: Deps; durationMs: number; redactPath: (path: string) => string },
): void {
  const { headers } = c.res
  headers.set('X-Request-Id', request.id)
  // Hono answers HEAD with the handler of GET and drops the body. Without the cancellation, an event stream or an
  // export that nobody reads would stay open.
  if (c.req.method === 'HEAD') c.res.body?.cancel().catch(() => {})
  if (deps.isStopping()) headers.set('Connection', 'close')
  const route = c.get('route')
  observeRequest({ method: c.req.method, route: route ?? 'none', status: c.res.status }, durationMs)
  deps.log.info('request', {
    request: request.id,
    method: c.req.method,
    // Logs are kept longer than accounts, so the path is logged without ids of profiles and accounts.
    path: route ?? redactPath(new URL(c.req.url).pathname),
    status: c.res.status,
    ms: Math.round(durationMs),
  })
}
