/**
 * Cached reads that the islands share. Displayed data is not requested again on focus, on mount or by age; data that is not
 * displayed is kept for five minutes (Spec §9).
 */
import { atom, onMount, type ReadableAtom, type WritableAtom } from 'nanostores'
import { type CallInput, callApi } from '../client/call.ts'
import type { ApiError } from '../client/errors.ts'
import { setProfileTimeout } from '../client/profile-session.ts'
import type { Endpoint, ReplyOf } from '../contract/endpoint.ts'
import { perProfile } from './per-profile.ts'

const LIFETIME_MS = 300_000
const MAX_RETRIES = 3
const FIRST_RETRY_MS = 700

/** While new data is loading and after a failure, `data` is the previous reply. */
export interface ReadState<T> {
  data?: T
  error?: ApiError
  loading: boolean
}
export interface ReadStore<T> extends ReadableAtom<ReadState<T>> {
  /** Requests the data again. The old data stays visible until the new data arrives. */
  revalidate(): void
  /** Replaces the data, also in other stores with the same read. */
  mutate(data: T | undefined): void
}

/** A read and its last reply. Stores with the same input share it. */
interface CachedRead {
  readonly $state: WritableAtom<ReadState<unknown>>
  readonly load: (retryCount?: number) => void
  /** The data has to be requested when the read is displayed. */
  isStale: boolean
  /** Time at which the reply is discarded, unless it is displayed then. */
  expiresAtMs: number
}
const $cachedReads = perProfile(() => new Map<string, CachedRead>())
const NO_READ: ReadState<never> = { loading: false }

/** Prefix of the cache keys of an endpoint. */
const cacheKeyPrefix = (endpoint: Endpoint) => `${endpoint.method} ${endpoint.path}|`

function findCachedRead<E extends Endpoint>(endpoint: E, input: CallInput<E>): CachedRead {
  const cachedReads = $cachedReads.get()
  const key = cacheKeyPrefix(endpoint) + JSON.stringify(input)
  let read = cachedReads.get(key)
  if (!read || (read.expiresAtMs < Date.now() && read.$state.lc === 0)) {
    read = createCachedRead(() => callApi(endpoint, input))
    cachedReads.set(key, read)
  }
  return read
}

function createCachedRead(request: () => Promise<unknown>): CachedRead {
  const $state = atom<ReadState<unknown>>(NO_READ)
  const load = async (retryCount = 0) => {
    const { data, loading } = $state.get()
    if (loading) return
    read.isStale = false
    $state.set({ data, loading: true })
    try {
      $state.set({ data: await request(), loading: false })
      read.expiresAtMs = Date.now() + LIFETIME_MS
      // The data has changed while it was loading.
      if (read.isStale) loadIfDisplayed(read)
    } catch (cause) {
      const error = cause as ApiError
      read.isStale = true
      $state.set({ data: $state.get().data, error, loading: false })
      if (retryCount === MAX_RETRIES || !(error.status === 0 || error.status >= 500)) return
      const retry = () => $state.get().error === error && loadIfDisplayed(read, retryCount + 1)
      setProfileTimeout(retry, FIRST_RETRY_MS * 2 ** retryCount)
    }
  }
  const read: CachedRead = { $state, load, isStale: true, expiresAtMs: Number.POSITIVE_INFINITY }
  return read
}

function loadIfDisplayed(read: CachedRead, retryCount?: number): void {
  read.isStale = true
  if (read.$state.lc > 0) read.load(retryCount)
}

/**
 * Creates a store with the reply of a read. While `$input` is null, nothing is requested. The reply belongs to the acting
 * profile: it is removed, and requested again, when another profile session starts.
 */
export function createReadStore<E extends Endpoint>(
  endpoint: E,
  $input: ReadableAtom<CallInput<E> | null>,
): ReadStore<ReplyOf<E>> {
  const $store = atom<ReadState<ReplyOf<E>>>(NO_READ)
  let read: CachedRead | null = null
  let stopRead = () => {}
  const showRead = (input: CallInput<E> | null) => {
    const nextRead = input && findCachedRead(endpoint, input)
    if (nextRead && nextRead === read) return
    stopRead()
    read = nextRead
    if (!read) return $store.set(NO_READ)
    if (read.isStale) read.load()
    stopRead = read.$state.subscribe((state) => $store.set(state as ReadState<ReplyOf<E>>))
  }
  onMount($store, () => {
    const stops = [$input.subscribe(showRead), $cachedReads.listen(() => showRead($input.get()))]
    return () => {
      for (const stop of stops) stop()
      showRead(null)
    }
  })
  return Object.assign($store, {
    revalidate: () => read && loadIfDisplayed(read),
    mutate: (data: ReplyOf<E> | undefined) => read?.$state.set({ data, loading: false }),
  })
}

/** Requests the displayed replies of these endpoints again. The old data stays visible until the new data arrives. */
export function refetch(...endpoints: Endpoint[]): void {
  for (const [key, read] of $cachedReads.get())
    if (endpoints.some((endpoint) => key.startsWith(cacheKeyPrefix(endpoint)))) loadIfDisplayed(read)
}

/**
 * Number of known changes of the watchlist. The My List page, which does not use this cache, reloads when it
 * increases.
 */
export const $watchlistVersion = perProfile<number>(() => 0)
export const markWatchlistChanged = () => $watchlistVersion.set($watchlistVersion.get() + 1)

/** Requests all displayed data again. */
export function refetchAll(): void {
  for (const read of $cachedReads.get().values()) loadIfDisplayed(read)
  markWatchlistChanged()
}

/** Discards all cached data and requests the displayed data again. */
export function discardAllReads(): void {
  $cachedReads.set(new Map())
}
