/** Requests to a Jellyfin or Plex server: to the configured origin only, with its token in a header. */
import type { IncomingMessage } from 'node:http'
import type { MediaServerProblem } from '../../../src/lib/rules/media-server-problems.ts'
import { followRedirects } from '../follow-redirects.ts'
import { createRequestSender, readUpstreamBody, UpstreamError } from '../guarded-request.ts'
import { type ResolveHost, resolveWithSystemDns } from '../upstream-guard.ts'
import { type MediaServerClient, MediaServerError } from './media-server.ts'

export interface MediaServerConnectionOptions {
  /** Address of the server, perhaps with a base path. */
  baseUrl: URL
  /** Headers with the token. */
  ownOriginHeaders: Record<string, string>
  /** Resolves host names; replaced in tests. */
  resolve?: ResolveHost | undefined
}
type QueryValues = Record<string, string | number | boolean | null | undefined>

export interface MediaServerConnection extends Pick<MediaServerClient, 'resolveAllowedUrl' | 'fetchMedia'> {
  /** Returns the URL of a path of the API. */
  buildUrl: (path: string, query?: QueryValues) => URL
  /**
   * Returns the parsed JSON. Returns null for 404, and for 400, which servers send for unknown ids. Throws
   * `MediaServerError`.
   */
  getJson: (path: string, query?: QueryValues, headers?: Record<string, string>) => Promise<unknown>
  /** Sends a POST request and ignores the content of the response. Throws `MediaServerError`. */
  post: (path: string, query: QueryValues, body?: unknown) => Promise<void>
}

const MAX_RESPONSE_BYTES = 16 * 1024 * 1024
/** Longest wait for the headers of a media response. A server answers only after it has encoded the segment. */
const MEDIA_TIMEOUT_MS = 30_000

export function createConnection({
  baseUrl,
  ownOriginHeaders,
  resolve: resolveHost = resolveWithSystemDns,
}: MediaServerConnectionOptions): MediaServerConnection {
  const basePath = baseUrl.pathname.replace(/\/+$/, '')
  const requestOptions = { ownOriginHeaders, isHostTrusted: true, shouldReturnRedirects: true }
  const sendApiRequest = createRequestSender(baseUrl, resolveHost, requestOptions)
  const sendMediaRequest = createRequestSender(baseUrl, resolveHost, {
    ...requestOptions,
    responseTimeoutMs: MEDIA_TIMEOUT_MS,
  })
  const isOwnOrigin = (url: URL) => url.origin === baseUrl.origin
  const resolveAllowedUrl: MediaServerConnection['resolveAllowedUrl'] = (url, relativeTo = baseUrl) => {
    const absoluteUrl = URL.parse(url, relativeTo)
    if (!absoluteUrl || !isOwnOrigin(absoluteUrl) || absoluteUrl.username || absoluteUrl.password) return null
    absoluteUrl.hash = ''
    return absoluteUrl
  }
  const buildUrl: MediaServerConnection['buildUrl'] = (path, query = {}) => {
    const url = new URL(baseUrl.origin)
    url.pathname = basePath + path
    for (const [name, value] of Object.entries(query))
      if (value !== null && value !== undefined) url.searchParams.set(name, String(value))
    return url
  }
  const fetchFollowingRedirects = (
    sendRequest: typeof sendApiRequest,
    url: URL,
    { headers, method }: { headers: Record<string, string>; method: 'GET' | 'HEAD' },
  ) =>
    followRedirects({
      url,
      headers,
      sendRequest: (targetUrl, sentHeaders) => sendRequest(targetUrl, sentHeaders, { method }),
      isAllowed: isOwnOrigin,
    })
  return {
    resolveAllowedUrl,
    buildUrl,
    async getJson(path, query, headers = {}) {
      try {
        const { response } = await fetchFollowingRedirects(sendApiRequest, buildUrl(path, query), {
          headers: { Accept: 'application/json', ...headers },
          method: 'GET',
        })
        return await readJson(response)
      } catch (error) {
        throw toMediaServerError(error)
      }
    },
    async post(path, query, body) {
      try {
        const requestBody = body === undefined ? '' : JSON.stringify(body)
        const response = await sendApiRequest(
          buildUrl(path, query),
          {
            Accept: 'application/json',
            'Content-Length': String(Buffer.byteLength(requestBody)),
            ...(body !== undefined && { 'Content-Type': 'application/json' }),
          },
          { method: 'POST', body: requestBody },
        )
        response.destroy()
        requireSuccess(response)
      } catch (error) {
        throw toMediaServerError(error)
      }
    },
    fetchMedia(url, headers, method = 'GET') {
      const allowedUrl = resolveAllowedUrl(url)
      if (!allowedUrl) return Promise.reject(new UpstreamError('URL is not allowed'))
      return fetchFollowingRedirects(sendMediaRequest, allowedUrl, { headers, method })
    },
  }
}

async function readJson(response: IncomingMessage): Promise<unknown> {
  try {
    if (response.statusCode === 404 || response.statusCode === 400) return null
    requireSuccess(response)
    return JSON.parse((await readUpstreamBody(response, MAX_RESPONSE_BYTES)).toString('utf8'))
  } finally {
    response.destroy()
  }
}

function requireSuccess({ statusCode = 0 }: IncomingMessage): void {
  if (statusCode === 401 || statusCode === 403) throw new MediaServerError('unauthorized')
  if (statusCode < 200 || statusCode > 299) throw new MediaServerError('refused')
}

const PROBLEMS_BY_ERROR_CODE: Record<string, MediaServerProblem> = {
  ENOTFOUND: 'unknown_host',
  EAI_AGAIN: 'unknown_host',
  ECONNREFUSED: 'connection_refused',
  ETIMEDOUT: 'timed_out',
}

/** Converts errors of sending a request and of parsing its response to `MediaServerError`. */
function toMediaServerError(error: unknown): MediaServerError {
  if (error instanceof MediaServerError) return error
  if (error instanceof SyntaxError) return new MediaServerError('wrong_service', { cause: error })
  const { message = '', cause } = error as Error
  const { code = '', message: causeMessage = '' } = (cause ?? {}) as NodeJS.ErrnoException
  const knownProblem = PROBLEMS_BY_ERROR_CODE[code]
  if (knownProblem) return new MediaServerError(knownProblem, { cause: error })
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|TLS|SSL/.test(code))
    return new MediaServerError('certificate', { cause: error })
  if (/timed out|idle/.test(message)) return new MediaServerError('timed_out', { cause: error })
  if (/redirect/.test(message)) return new MediaServerError('redirected', { cause: error })
  if (/not allowed|no allowed/.test(`${message} ${causeMessage}`))
    return new MediaServerError('forbidden_address', { cause: error })
  return new MediaServerError('unreachable', { cause: error })
}
