/**
 * Cache of API reads that all islands of a page share. Displayed data is not requested again at intervals, when the tab
 * gets the focus, or when another island mounts. Data that is not displayed can be used again until five minutes after
 * its reply.
 */
import { type FetcherStore, nanoquery } from '@nanostores/query'
import { onMount, type ReadableAtom } from 'nanostores'
import { type CallInput, callApi } from '../client/call.ts'
import { ApiError } from '../client/errors.ts'
import type { Endpoint, ReplyOf } from '../contract/endpoint.ts'
import * as recommend from '../contract/recommendations.ts'
import { onProfileReset, perProfile } from './per-profile.ts'

const CACHE_LIFETIME_MS = 300_000
const UNLIMITED_LIFETIME_MS = Number.MAX_SAFE_INTEGER
const MAX_RETRIES = 3
/**
 * Maximum number of displayed replies of a read that are kept, so that `replyMerges` can keep the positions of titles.
 */
const MAX_DISPLAYED_REPLIES = 20
const FIRST_RETRY_DELAY_MS = 700

/** State of a read. While new data is loading, and after a failure, `data` is the previous reply. */
export interface ReadState<T> {
  data?: T | undefined
  error?: ApiError | undefined
  loading: boolean
}
export interface ReadStore<T> extends ReadableAtom<ReadState<T>> {
  /** Requests the data again. The old data stays visible until the new data arrives. */
  revalidate(): void
  /** Replaces the data in this store, and in other stores with the same read. */
  mutate(data: T | undefined): void
}

interface CachedReply {
  data?: unknown
  error?: unknown
  /** Time of the reply in milliseconds since 1970; -Infinity when the read must be requested again. */
  created?: number
}
/** Replies by the keys of their reads. */
const cachedRepliesByKey = new Map<string, CachedReply>()
const [createFetcherStore, , queries] = nanoquery({
  cache: cachedRepliesByKey,
  dedupeTime: UNLIMITED_LIFETIME_MS,
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  onErrorRetry: ({ error, retryCount }) => {
    const isTemporaryError = error instanceof ApiError && (error.status === 0 || error.status >= 500)
    return isTemporaryError && retryCount <= MAX_RETRIES ? FIRST_RETRY_DELAY_MS * 2 ** (retryCount - 1) : null
  },
})

/**
 * An API read and its store in the query library. The key contains `cacheGeneration`, so that profile sessions share no
 * reads.
 */
interface CachedRead {
  readonly key: string
  readonly $reply: FetcherStore<unknown, ApiError>
  /** True when the data on the server may have changed since the last request. */
  isOutdated: boolean
}
/** Incremented whenever all replies are discarded. Replies to requests of an earlier generation are ignored. */
let cacheGeneration = 0
function startCacheGeneration(): void {
  cacheGeneration += 1
  cachedRepliesByKey.clear()
}
onProfileReset(startCacheGeneration)
const $cachedReads = perProfile(() => new Map<string, CachedRead>())
const EMPTY_READ_STATE: ReadState<never> = { loading: false }

/** Prefix of the cache keys of an endpoint. */
const buildCacheKeyPrefix = (endpoint: Endpoint) => `${cacheGeneration} ${endpoint.method} ${endpoint.path}|`

function findCachedRead<E extends Endpoint>(endpoint: E, input: CallInput<E>): CachedRead {
  const cachedReads = $cachedReads.get()
  const cacheKey = buildCacheKeyPrefix(endpoint) + JSON.stringify(input)
  const cachedRead = cachedReads.get(cacheKey) ?? createCachedRead(cacheKey, () => callApi(endpoint, input))
  cachedReads.set(cacheKey, cachedRead)
  if (cachedRead.$reply.lc === 0 && shouldDiscardReply(cachedRepliesByKey.get(cacheKey)))
    cachedRepliesByKey.delete(cacheKey)
  return cachedRead
}

function createCachedRead(cacheKey: string, sendRequest: () => Promise<unknown>): CachedRead {
  const readGeneration = cacheGeneration
  let hasReply = false
  const fetchReply = async () => {
    // The read belongs to an earlier generation, perhaps to another profile, so no request is sent. The promise never
    // settles, so that the read reports neither data nor an error.
    if (readGeneration !== cacheGeneration) return new Promise<never>(() => {})
    const replyMergesPromise = hasReply ? loadReplyMerges() : null
    let reply: unknown
    do {
      cachedRead.isOutdated = false
      ;[reply] = await Promise.all([sendRequest(), replyMergesPromise])
    } while (cachedRead.isOutdated && readGeneration === cacheGeneration)
    hasReply = true
    return reply
  }
  const cachedRead: CachedRead = {
    key: cacheKey,
    $reply: createFetcherStore([cacheKey], { fetcher: fetchReply }),
    isOutdated: false,
  }
  return cachedRead
}

/** Returns true for an error, and for a reply that is older than CACHE_LIFETIME_MS. */
function shouldDiscardReply(cachedReply: CachedReply | undefined): boolean {
  const { error, created = 0 } = cachedReply ?? {}
  return error !== undefined || (created > 0 && created + CACHE_LIFETIME_MS < Date.now())
}

/** Functions of the module that merges replies; undefined until it is loaded. */
let replyMerges: typeof import('./reply-merges.ts').replyMerges | undefined

/** Loads the functions that merge replies. If that fails, new replies replace the displayed data. */
const loadReplyMerges = () =>
  import('./reply-merges.ts').then(
    (module) => {
      replyMerges = module.replyMerges
    },
    () => {},
  )

/**
 * Creates a store with the reply of a read. While `$input` is null, nothing is requested. The reply belongs to the
 * acting profile. When another profile session starts, the reply is removed and requested again.
 */
export function createReadStore<E extends Endpoint>(
  endpoint: E,
  $input: ReadableAtom<CallInput<E> | null>,
): ReadStore<ReplyOf<E>> {
  const $store = perProfile<ReadState<ReplyOf<E>>>(() => EMPTY_READ_STATE)
  let currentRead: CachedRead | null = null
  let stopListeningToRead = () => {}
  let lastReply: unknown
  let displayedReplies: ReplyOf<E>[] = []
  let lastError: ApiError | undefined
  const showReply = ({ data, error, loading }: ReadState<unknown>) => {
    if (data && data !== lastReply) {
      const mergeReply = displayedReplies.length > 0 && replyMerges?.get(endpoint)
      const displayedReply = mergeReply ? mergeReply(displayedReplies as never, data as never) : data
      displayedReplies = [...displayedReplies.slice(1 - MAX_DISPLAYED_REPLIES), displayedReply as ReplyOf<E>]
      lastReply = data
    }
    const displayedReply = displayedReplies.at(-1)
    // While the query library repeats a failed read, it reports no error. If no reply is displayed, the last error
    // then stays.
    lastError = (error as ApiError | undefined) ?? (loading && !displayedReply ? lastError : undefined)
    $store.set({ data: displayedReply, error: lastError, loading })
  }
  const showRead = (input: CallInput<E> | null) => {
    const nextRead = input && findCachedRead(endpoint, input)
    if (nextRead && nextRead === currentRead) return
    stopListeningToRead()
    currentRead = nextRead
    lastReply = lastError = undefined
    displayedReplies = []
    stopListeningToRead = () => {}
    if (currentRead) stopListeningToRead = currentRead.$reply.listen(showReply)
    else $store.set(EMPTY_READ_STATE)
  }
  onMount($store, () => {
    const unsubscribers = [$input.subscribe(showRead), $cachedReads.listen(() => showRead($input.get()))]
    return () => {
      for (const unsubscribe of unsubscribers) unsubscribe()
      showRead(null)
    }
  })
  return Object.assign($store, {
    revalidate: () => {
      lastError = undefined
      if (currentRead) revalidateReads(currentRead.key)
    },
    mutate: (data: ReplyOf<E> | undefined) => {
      if (!currentRead) return
      // A read that is running may have started before the change, so it is repeated.
      currentRead.isOutdated = true
      currentRead.$reply.mutate(data)
    },
  })
}

/** Requests the displayed data of these keys again. A failed read starts again with the full number of retries. */
function revalidateReads(...cacheKeys: string[]): void {
  for (const cacheKey of cacheKeys)
    if (cachedRepliesByKey.get(cacheKey)?.error) cachedRepliesByKey.delete(cacheKey)
  queries.revalidateKeys(cacheKeys)
}

function refetchWhere(isSelected: (key: string) => boolean): void {
  const reads = [...$cachedReads.get().values()].filter(({ key }) => isSelected(key))
  for (const read of reads) read.isOutdated = true
  revalidateReads(...reads.map(({ key }) => key))
}

/** Requests the displayed replies of these endpoints again. The old data stays visible until the new data arrives. */
export function refetch(...endpoints: Endpoint[]): void {
  refetchWhere((key) => endpoints.some((endpoint) => key.startsWith(buildCacheKeyPrefix(endpoint))))
}

/** Reads that depend on the signals of the profile, such as feedback, ratings and the watchlist. */
export const RECOMMENDATION_READS = [
  recommend.listTopPicks,
  recommend.listTopGenreRows,
  recommend.listBecauseRows,
  recommend.listSimilarTitles,
]

// The query library sends no requests while the tab is hidden. So missing replies are requested when the tab becomes
// visible.
globalThis.addEventListener?.('visibilitychange', () =>
  queries.revalidateKeys((key) => !((cachedRepliesByKey.get(key)?.created ?? 0) > 0)),
)

/**
 * Number of known changes of the watchlist, and of data that is shown with it, such as ratings and dislikes. When the
 * number increases, the My List page, the calendar, the page Watch next and the new titles reload.
 */
export const $watchlistVersion = perProfile<number>(() => 0)
export const markWatchlistChanged = () => $watchlistVersion.set($watchlistVersion.get() + 1)

/**
 * Number of known changes of the history. When the number increases, all pages that depend on the history reload,
 * including those that do not use this cache.
 */
export const $viewingsVersion = perProfile<number>(() => 0)
export const markViewingsChanged = () => $viewingsVersion.set($viewingsVersion.get() + 1)

/**
 * Number of calls of `refetchAll`. After each call, account-events.ts requests the watchlist entries, ratings and
 * feedback that could not be loaded before.
 */
export const $refetchAllCount = perProfile<number>(() => 0)

/** Requests all displayed data again, including the data of pages that do not use this cache. */
export function refetchAll(): void {
  refetchWhere(() => true)
  $refetchAllCount.set($refetchAllCount.get() + 1)
  markWatchlistChanged()
  markViewingsChanged()
}

/** Discards all cached data and requests the displayed data again. */
export function discardAllReads(): void {
  startCacheGeneration()
  $cachedReads.set(new Map())
}
