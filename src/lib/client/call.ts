/** The one door to the network: the request flow of the specification, section 4. */
import type { BodyOf, Endpoint, ParamsOf, QueryOf, ReplyOf } from '../contract/endpoint.ts'
import { currentToken, refreshSession } from './auth.ts'
import { ApiError, errorFrom, networkError } from './errors.ts'
import { reached } from './reach.ts'

export interface Input<E extends Endpoint> {
  params?: ParamsOf<E>
  query?: QueryOf<E>
  body?: BodyOf<E>
  /** Instead of the access token: an invitation. */
  bearer?: string
  /** Outlives the page (progress on page hide). */
  keepalive?: boolean
  /** Sent as it is, to calls that take an upload. */
  file?: Blob
}

let profileId: () => string | null = () => null
/** The profile store says which profile acts; asked at every call. */
export function actAs(source: () => string | null): void {
  profileId = source
}

const underway = new Map<string, Promise<unknown>>()

/** Calls an endpoint. Throws `ApiError`; a failed connection is `network_error`. Identical reads at one time are one. */
export function call<E extends Endpoint>(endpoint: E, input: Input<E> = {}): Promise<ReplyOf<E>> {
  const url = urlOf(endpoint, input)
  if (endpoint.method !== 'GET') {
    /* What was asked for ahead of a write says what was before it. */
    ahead.clear()
    return send(endpoint, url, input) as Promise<ReplyOf<E>>
  }
  const key = `${profileId() ?? ''} ${input.bearer ?? ''} ${url}`
  const running = underway.get(key)
  if (running) return running as Promise<ReplyOf<E>>
  const fresh = send(endpoint, url, input).finally(() => underway.delete(key))
  underway.set(key, fresh)
  return fresh as Promise<ReplyOf<E>>
}

/** The address of a call: empty text, null and empty lists are left out, lists repeat their key. */
export function urlOf<E extends Endpoint>(endpoint: E, input: Input<E>): string {
  const params = (input.params ?? {}) as Record<string, unknown>
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name] ?? '')),
  )
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries((input.query ?? {}) as Record<string, unknown>)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== '' && one !== null && one !== undefined) search.append(key, String(one))
    }
  }
  return `${endpoint.base}${path}${search.size > 0 ? `?${search}` : ''}`
}

/** How long an answer that was asked for ahead of its use may wait. */
const AHEAD_MS = 30_000
const ahead = new Map<string, { until: number; answer: Promise<Response> }>()

/** Asks for what will be wanted soon; the next `call` of the same takes the answer. */
export function askAhead<E extends Endpoint>(endpoint: E, input: Input<E>): void {
  const url = urlOf(endpoint, input)
  const key = `${profileId() ?? ''} ${url}`
  for (const [one, { until }] of ahead) if (until < Date.now()) ahead.delete(one)
  if (ahead.has(key) || underway.has(`${profileId() ?? ''}  ${url}`)) return
  const answer = attempt(endpoint, url, input)
  answer.catch(() => {})
  ahead.set(key, { until: Date.now() + AHEAD_MS, answer })
}

/** Calls an endpoint that answers with a file. Throws `ApiError`. */
export async function callFile<E extends Endpoint>(endpoint: E, input: Input<E> = {}): Promise<Blob> {
  const response = await answer(endpoint, urlOf(endpoint, input), input)
  return response.blob().catch(() => {
    throw networkError()
  })
}

async function send<E extends Endpoint>(endpoint: E, url: string, input: Input<E>): Promise<unknown> {
  const profile = profileId()
  const seen = endpoint.method === 'GET' && !input.bearer
  try {
    const response = await answer(endpoint, url, input)
    if (response.status === 204) return undefined
    const value: unknown = await response.json().catch(() => {
      throw networkError()
    })
    /* What a PUT answers is what a GET of the same address would say now. */
    if (seen || endpoint.method === 'PUT') keepLater(url, profile, value, !seen)
    return value
  } catch (error) {
    if (!seen || !(error instanceof ApiError) || error.status !== 0) throw error
    const kept = await import('./shelf.ts').then((shelf) => shelf.find(url, profile)).catch(() => undefined)
    if (kept === undefined) throw error
    return kept
  }
}

/** After the first screen: keeping is nobody's first need. */
const KEEP_AFTER_MS = 1_000
/** By address: what is written meanwhile is not undone by what was read before. */
const keeping: Record<string, ReturnType<typeof setTimeout>> = {}

function keepLater(url: string, profile: string | null, value: unknown, written: boolean): void {
  if (!globalThis.caches) return
  clearTimeout(keeping[url])
  keeping[url] = setTimeout(
    () => void import('./shelf.ts').then((shelf) => shelf.keep(url, profile, value, written)).catch(() => {}),
    written ? 0 : KEEP_AFTER_MS,
  )
}

async function answer<E extends Endpoint>(endpoint: E, url: string, input: Input<E>): Promise<Response> {
  const early = endpoint.method === 'GET' ? takeEarly(url) : undefined
  let response = (await early) ?? (await attempt(endpoint, url, input))
  if (response.status === 401 && endpoint.access !== 'public' && !input.bearer && (await refreshSession())) {
    response = await attempt(endpoint, url, input)
  }
  if (!response.ok) throw await errorFrom(response)
  return response
}

async function attempt<E extends Endpoint>(endpoint: E, url: string, input: Input<E>): Promise<Response> {
  const token = input.bearer ?? (endpoint.access === 'public' ? null : await currentToken())
  const profile = profileId()
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
    reached(true)
    return response
  } catch {
    reached(false)
    throw networkError()
  }
}

/** A read that was begun before it was asked for, by the boot script or ahead of a click; used once. */
function takeEarly(url: string): Promise<Response | undefined> | undefined {
  const key = `${profileId() ?? ''} ${url}`
  const known = ahead.get(key)
  ahead.delete(key)
  if (known && known.until >= Date.now()) return known.answer.catch(() => undefined)
  const reads = globalThis.__boot?.reads
  const early = reads?.[url]
  if (!reads || !early) return undefined
  delete reads[url]
  return early.catch(() => undefined)
}
