/** Requests to the API with authentication, deduplication and the read cache (request flow of Spec §4). */
import type { BodyOf, Endpoint, ParamsOf, QueryOf, ReplyOf } from '../contract/endpoint.ts'
import { buildEndpointUrl } from '../endpoint-url.ts'
import { getAccessToken, refreshSession } from './auth.ts'
import { takeBootRead } from './boot.ts'
import { reportReachability } from './connectivity.ts'
import { ApiError, createNetworkError, readApiError } from './errors.ts'

export interface CallInput<E extends Endpoint> {
  params?: ParamsOf<E>
  query?: QueryOf<E>
  body?: BodyOf<E>
  /** An invitation token, sent instead of the access token. */
  bearer?: string
  /** The request continues after the page is closed, as for progress on page hide. */
  keepalive?: boolean
  /** Raw body of an endpoint that accepts uploads. */
  file?: Blob
}

let getProfileId: () => string | null = () => null
/** Sets the function that returns the id of the acting profile. It is called for every request. */
export function setActingProfileGetter(getter: () => string | null): void {
  getProfileId = getter
}

const requestsInProgress = new Map<string, Promise<unknown>>()

/**
 * Calls an endpoint and returns its reply. Identical concurrent reads share one request. A read that fails without a
 * network is answered from the read cache if possible. Throws `ApiError`; a failed connection has the type `network_error`.
 */
export function callApi<E extends Endpoint>(endpoint: E, input: CallInput<E> = {}): Promise<ReplyOf<E>> {
  const url = buildEndpointUrl(endpoint, input)
  if (endpoint.method !== 'GET') {
    // Prefetched responses may be outdated after a write.
    prefetched.clear()
    return send(endpoint, url, input) as Promise<ReplyOf<E>>
  }
  const key = `${getProfileId() ?? ''} ${input.bearer ?? ''} ${url}`
  const existing = requestsInProgress.get(key)
  if (existing) return existing as Promise<ReplyOf<E>>
  const request = send(endpoint, url, input).finally(() => requestsInProgress.delete(key))
  requestsInProgress.set(key, request)
  return request as Promise<ReplyOf<E>>
}

/** How long a prefetched response may be used. */
const PREFETCH_LIFETIME_MS = 30_000
const prefetched = new Map<string, { expiresAtMs: number; response: Promise<Response> }>()

/** Requests a read before it is needed. The next `callApi` with the same input uses the response. */
export function prefetchRead<E extends Endpoint>(endpoint: E, input: CallInput<E>): void {
  const url = buildEndpointUrl(endpoint, input)
  const key = `${getProfileId() ?? ''} ${url}`
  for (const [prefetchedKey, { expiresAtMs }] of prefetched)
    if (expiresAtMs < Date.now()) prefetched.delete(prefetchedKey)
  if (prefetched.has(key) || requestsInProgress.has(`${getProfileId() ?? ''}  ${url}`)) return
  const response = fetchOnce(endpoint, url, input)
  response.catch(() => {})
  prefetched.set(key, { expiresAtMs: Date.now() + PREFETCH_LIFETIME_MS, response })
}

/** Calls an endpoint that replies with a file and returns the file. Throws `ApiError`. */
export async function fetchFile<E extends Endpoint>(endpoint: E, input: CallInput<E> = {}): Promise<Blob> {
  const response = await fetchResponse(endpoint, buildEndpointUrl(endpoint, input), input)
  return response.blob().catch(() => {
    throw createNetworkError()
  })
}

async function send<E extends Endpoint>(endpoint: E, url: string, input: CallInput<E>): Promise<unknown> {
  const profile = getProfileId()
  const isRead = endpoint.method === 'GET' && !input.bearer
  try {
    const response = await fetchResponse(endpoint, url, input)
    if (response.status === 204) return undefined
    const value: unknown = await response.json().catch(() => {
      throw createNetworkError()
    })
    // The reply to a PUT equals the reply that a GET of the same URL would give.
    if (isRead || endpoint.method === 'PUT') scheduleCaching(url, profile, value, !isRead)
    return value
  } catch (error) {
    if (!isRead || !(error instanceof ApiError) || error.status !== 0) throw error
    const cached = await import('./read-cache.ts')
      .then((readCache) => readCache.findCachedReply(url, profile))
      .catch(() => undefined)
    if (cached === undefined) throw error
    return cached
  }
}

/** Delay before a reply is cached, so that caching does not slow down the first render. */
const CACHE_DELAY_MS = 1_000
/** One timer per URL, so that the reply to a write replaces the reply of an earlier read. */
const cacheTimers: Record<string, ReturnType<typeof setTimeout>> = {}

function scheduleCaching(url: string, profile: string | null, value: unknown, isWrite: boolean): void {
  if (!globalThis.caches) return
  clearTimeout(cacheTimers[url])
  cacheTimers[url] = setTimeout(
    () =>
      void import('./read-cache.ts')
        .then((readCache) => readCache.cacheReply(url, profile, value, isWrite))
        .catch(() => {}),
    isWrite ? 0 : CACHE_DELAY_MS,
  )
}

async function fetchResponse<E extends Endpoint>(
  endpoint: E,
  url: string,
  input: CallInput<E>,
): Promise<Response> {
  const early = endpoint.method === 'GET' ? takePrefetched(url) : undefined
  let response = (await early) ?? (await fetchOnce(endpoint, url, input))
  if (response.status === 401 && endpoint.access !== 'public' && !input.bearer && (await refreshSession())) {
    response = await fetchOnce(endpoint, url, input)
  }
  if (!response.ok) throw await readApiError(response)
  return response
}

async function fetchOnce<E extends Endpoint>(
  endpoint: E,
  url: string,
  input: CallInput<E>,
): Promise<Response> {
  const token = input.bearer ?? (endpoint.access === 'public' ? null : await getAccessToken())
  const profile = getProfileId()
  const headers = new Headers()
  if (token) headers.set('Authorization', `Bearer ${token}`)
  if (profile && endpoint.access !== 'public' && !input.bearer) headers.set('X-Profile-Id', profile)
  if (input.body !== undefined) headers.set('Content-Type', 'application/json')
  if (input.file) headers.set('Content-Type', 'application/octet-stream')
  try {
    const response = await fetch(url, {
      method: endpoint.method,
      headers,
      credentials: 'include',
      keepalive: input.keepalive ?? false,
      ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
      ...(input.file && { body: input.file }),
    })
    reportReachability(true)
    return response
  } catch {
    reportReachability(false)
    throw createNetworkError()
  }
}

/** Returns the response to a read that was prefetched or requested by the boot script. Each response is used once. */
function takePrefetched(url: string): Promise<Response | undefined> | undefined {
  const key = `${getProfileId() ?? ''} ${url}`
  const entry = prefetched.get(key)
  prefetched.delete(key)
  if (entry && entry.expiresAtMs >= Date.now()) return entry.response.catch(() => undefined)
  return takeBootRead(url)?.catch(() => undefined)
}
