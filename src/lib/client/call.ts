/** Requests to the API with authentication, deduplication and the read cache. */
import type { BodyOf, Endpoint, EndpointAccess, ParamsOf, QueryOf, ReplyOf } from '../contract/endpoint.ts'
import { buildEndpointUrl } from '../endpoint-url.ts'
import { getTimeZone } from '../time-zone.ts'
import { getAccessToken, refreshSession } from './auth.ts'
import { takeBootReadResponse } from './boot.ts'
import { reportReachability } from './connectivity.ts'
import { type ApiError, createNetworkError, isUnavailableError, readApiError } from './errors.ts'
import { getProfileSession, type ProfileSession, settleWhileProfileActs } from './profile-session.ts'

export interface CallInput<E extends Endpoint> {
  params?: ParamsOf<E>
  query?: QueryOf<E>
  body?: BodyOf<E>
  /** An invitation token, sent instead of the access token. */
  bearer?: string
  /** True when the request must continue after the page is closed, for example to save progress. */
  keepalive?: boolean
  /** Raw body of an endpoint that accepts uploads. */
  file?: Blob
  /** A write without a response fails after this time. The default is 30 seconds. */
  writeTimeoutMs?: number
  /**
   * Profile that the request is sent for; null for no profile. The default is the acting profile. When a profile or
   * null is given, the reply is returned even if another profile starts to act before the reply arrives.
   */
  profile?: string | null
  /**
   * False sends a new request even while an identical read is running, because that read may have started before a
   * change.
   */
  isRequestShared?: boolean
}

/** Access levels whose replies depend on the acting profile. */
const PROFILE_DEPENDENT_ACCESS: EndpointAccess[] = ['viewer', 'profile', 'admin']
const isForActingProfile = (endpoint: Endpoint, input: { profile?: string | null }) =>
  input.profile === undefined && PROFILE_DEPENDENT_ACCESS.includes(endpoint.access)

/**
 * Returns the key of a read in a profile session. A read for a given profile (`profile`) and a read for the acting
 * profile have different keys, even if both are for the same profile. The two reads never share a request, because
 * only a read for the acting profile is aborted when the session ends.
 */
export const buildReadKey = (
  url: string,
  { bearer, profile }: Pick<CallInput<Endpoint>, 'bearer' | 'profile'>,
) => `${bearer} ${profile} ${url}`

/**
 * Calls an endpoint and returns its reply. Identical concurrent reads share one request by default. When the server
 * cannot be reached, is unavailable (`isUnavailableError`) or does not respond, the reply to a read comes from the read
 * cache if possible. Throws `ApiError`; a failed connection has the type `network_error`.
 *
 * If the reply depends on the acting profile and `input.profile` is not given, the call belongs to the current profile
 * session. When another profile starts to act before the reply arrives, a read is aborted and a write is completed. In
 * both cases, the returned promise never settles, so that the caller does not continue for the other profile.
 */
export function callApi<E extends Endpoint>(endpoint: E, input: CallInput<E> = {}): Promise<ReplyOf<E>> {
  const session = getProfileSession()
  const url = buildEndpointUrl(endpoint, input)
  const readKey = buildReadKey(url, input)
  let replyPromise: Promise<unknown>
  if (endpoint.method === 'GET') {
    replyPromise =
      (input.isRequestShared !== false && session.reads.get(readKey)) ||
      callEndpoint(endpoint, url, input).finally(() => session.reads.delete(readKey))
    session.reads.set(readKey, replyPromise)
  } else {
    // Prefetched responses may be outdated after a write.
    session.prefetchedResponses.clear()
    replyPromise = callEndpoint(endpoint, url, input)
  }
  return (
    isForActingProfile(endpoint, input) ? settleWhileProfileActs(replyPromise) : replyPromise
  ) as Promise<ReplyOf<E>>
}

async function callEndpoint<E extends Endpoint>(
  endpoint: E,
  url: string,
  input: CallInput<E>,
): Promise<unknown> {
  const session = getProfileSession()
  const profileId = input.profile === undefined ? session.profileId : input.profile
  const isReadRequest = endpoint.method === 'GET' && !input.bearer
  const startedAtMs = performance.now()
  const fetchReply = async () => {
    const response = await fetchResponse(endpoint, url, input, session)
    if (response.status === 204) return undefined
    const reply: unknown = await response.json().catch(() => {
      throw createNetworkError()
    })
    // The reply to a PUT can replace the cached reply to a GET of the same URL; cacheReply() decides for which URLs.
    if (isReadRequest || endpoint.method === 'PUT')
      scheduleCaching(url, profileId, reply, !isReadRequest, startedAtMs)
    return reply
  }
  return isReadRequest ? replaceFailedRead(fetchReply(), url, profileId) : fetchReply()
}

/** When a read gets no response within this time, read-cache.ts checks whether the server can be reached. */
const SLOW_READ_MS = 1_000

/**
 * Returns the reply to a read. Returns the cached reply instead, if there is one, when the server cannot be reached, is
 * unavailable (`isUnavailableError`) or does not respond.
 */
async function replaceFailedRead(
  replyPromise: Promise<unknown>,
  url: string,
  profileId: string | null,
): Promise<unknown> {
  const timeoutPromise = new Promise((resolve) => setTimeout(resolve, SLOW_READ_MS, true))
  const failurePromise = replyPromise.then(() => false, isUnavailableError)
  if (!(await Promise.race([failurePromise, timeoutPromise]))) return replyPromise
  const replacementPromise = import('./read-cache.ts').then(
    (readCache) => readCache.waitForReply(replyPromise, url, profileId),
    () => replyPromise,
  )
  return Promise.race([replyPromise.catch(() => replacementPromise), replacementPromise])
}

/** Delay before the reply to a read is cached, so that caching does not slow down the first render. */
const CACHE_DELAY_MS = 1_000
/**
 * Timers by URL. When a timer ends, the reply of its URL is cached. There is only one timer per URL, so that the reply
 * to a write replaces the reply to an earlier read that is not cached yet.
 */
const cacheTimersByUrl: Record<string, ReturnType<typeof setTimeout>> = {}
/**
 * For each URL, the start time of the request whose reply is cached, or will be cached when the timer of the URL
 * ends.
 */
const requestStartMsByUrl: Record<string, number> = {}

function scheduleCaching(
  url: string,
  profileId: string | null,
  reply: unknown,
  isWrite: boolean,
  startedAtMs: number,
): void {
  // The reply to an earlier request can arrive last. It must not replace the reply to a later request.
  if (!globalThis.caches || startedAtMs < (requestStartMsByUrl[url] as number)) return
  requestStartMsByUrl[url] = startedAtMs
  clearTimeout(cacheTimersByUrl[url])
  cacheTimersByUrl[url] = setTimeout(
    () =>
      void import('./read-cache.ts')
        .then((readCache) => readCache.cacheReply(url, profileId, reply, isWrite))
        .catch(() => {}),
    isWrite ? 0 : CACHE_DELAY_MS,
  )
}

/**
 * `request` asks the user for the second factor that a call requires, and resolves to true when the user has confirmed
 * it. Only pages that make such calls set `request` (stores/second-factor-request.ts).
 */
export const secondFactorPrompt: { request?: ((error: ApiError) => Promise<boolean>) | undefined } = {}

/**
 * Returns the response of an endpoint. If the access token is rejected, refreshes the session and repeats the request.
 * If a second factor is needed, repeats the request after the user has confirmed it. Throws `ApiError` for any other
 * error response.
 */
export async function fetchResponse<E extends Endpoint>(
  endpoint: E,
  url: string,
  input: CallInput<E>,
  session: ProfileSession,
): Promise<Response> {
  const prefetchedResponse =
    endpoint.method === 'GET' ? takePrefetchedResponse(url, input, session) : undefined
  let response = (await prefetchedResponse) ?? (await fetchEndpointOnce(endpoint, url, input, session))
  if (response.status === 401 && endpoint.access !== 'public' && !input.bearer && (await refreshSession())) {
    response = await fetchEndpointOnce(endpoint, url, input, session)
  }
  if (response.ok) return response
  const error = await readApiError(response)
  if (!(await secondFactorPrompt.request?.(error))) throw error
  return fetchResponse(endpoint, url, input, session)
}

/** Default timeout of a write. The upload of a file has no timeout, because it may be slow. */
const WRITE_TIMEOUT_MS = 30_000

/** Sends a request and returns the response, even an error response. Throws a network error if no response arrives. */
export async function fetchEndpointOnce<E extends Endpoint>(
  endpoint: E,
  url: string,
  input: CallInput<E>,
  { profileId, signal }: ProfileSession,
): Promise<Response> {
  const token = input.bearer ?? (endpoint.access === 'public' ? null : await getAccessToken())
  const actingProfileId = input.profile === undefined ? profileId : input.profile
  const isAbortable = endpoint.method === 'GET' && isForActingProfile(endpoint, input)
  const headers = new Headers()
  if (token) headers.set('Authorization', `Bearer ${token}`)
  if (actingProfileId && endpoint.access !== 'public' && !input.bearer)
    headers.set('X-Profile-Id', actingProfileId)
  headers.set('X-Time-Zone', getTimeZone())
  if (input.body !== undefined) headers.set('Content-Type', 'application/json')
  if (input.file) headers.set('Content-Type', 'application/octet-stream')
  try {
    const response = await fetch(url, {
      method: endpoint.method,
      headers,
      credentials: 'include',
      keepalive: input.keepalive ?? false,
      signal: isAbortable
        ? signal
        : endpoint.method === 'GET' || input.file
          ? null
          : AbortSignal.timeout(input.writeTimeoutMs ?? WRITE_TIMEOUT_MS),
      ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
      ...(input.file && { body: input.file }),
    })
    reportReachability(true)
    return response
  } catch {
    if (!isAbortable || !signal.aborted) reportReachability(false)
    throw createNetworkError()
  }
}

/**
 * Returns the response to a read that `prefetchRead` or the boot script has requested; undefined if neither has
 * requested the read, or if the request has failed. Each response is used once.
 */
function takePrefetchedResponse(
  url: string,
  input: Pick<CallInput<Endpoint>, 'bearer' | 'profile'>,
  { prefetchedResponses }: ProfileSession,
): Promise<Response | undefined> | undefined {
  const readKey = buildReadKey(url, input)
  const prefetchedResponse = prefetchedResponses.get(readKey)
  prefetchedResponses.delete(readKey)
  if (prefetchedResponse && prefetchedResponse.expiresAtMs >= Date.now())
    return prefetchedResponse.response.catch(() => undefined)
  // The boot script sends no reads for a given profile. It requests the list of profiles for no profile, and
  // everything else for the acting profile.
  return input.profile ? undefined : takeBootReadResponse(url)?.catch(() => undefined)
}
