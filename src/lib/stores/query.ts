/** Cached reads that the islands share. Data is not refetched on focus, on mount or by age (Spec §9). */
import { nanoquery } from '@nanostores/query'
import { computed, type ReadableAtom } from 'nanostores'
import { type CallInput, callApi } from '../client/call.ts'
import { ApiError } from '../client/errors.ts'
import type { Endpoint, ReplyOf } from '../contract/endpoint.ts'
import { onProfileReset, perProfile } from './per-profile.ts'

const FIVE_MINUTES_MS = 300_000
const MAX_RETRIES = 3
const FIRST_RETRY_MS = 700

const cachedReplies = new Map()
onProfileReset(() => cachedReplies.clear())
const [createStore, , cache] = nanoquery({
  cache: cachedReplies,
  dedupeTime: FIVE_MINUTES_MS,
  cacheLifetime: FIVE_MINUTES_MS,
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  onErrorRetry: ({ error, retryCount }) => {
    const isTemporary = error instanceof ApiError && (error.status === 0 || error.status >= 500)
    return isTemporary && retryCount < MAX_RETRIES ? FIRST_RETRY_MS * 2 ** retryCount : null
  },
})

/** Prefix of the cache keys of an endpoint. */
const cacheKeyPrefix = (endpoint: Endpoint) => `${endpoint.method} ${endpoint.path}|`

let sessionCount = 0
/** Number of the profile session, which is part of the cache keys. */
const $sessionNumber = perProfile(() => ++sessionCount)

/**
 * Creates a store with the reply of a read. While `$input` is null, nothing is requested. The reply belongs to the acting
 * profile: it is removed, and requested again, when another profile session starts.
 */
export function createReadStore<E extends Endpoint>(endpoint: E, $input: ReadableAtom<CallInput<E> | null>) {
  const $key = computed($input, (input) => (input === null ? null : `${JSON.stringify(input)}|`))
  const $store = createStore<ReplyOf<E>, ApiError>([cacheKeyPrefix(endpoint), $key, $sessionNumber], {
    // The keys of nanoquery follow their stores with a delay, in which the input may be that of the previous profile.
    fetcher: async (_prefix, key, sessionNumber) =>
      sessionNumber === sessionCount
        ? callApi(endpoint, JSON.parse(String(key).slice(0, -1)) as CallInput<E>)
        : new Promise(() => {}),
  })
  onProfileReset(() => {
    delete $store.key
    $store.set({ loading: $store.lc > 0 })
  })
  return $store
}

/** Refetches the displayed replies of these endpoints. The old data stays visible until the new data arrives. */
export function refetch(...endpoints: Endpoint[]): void {
  cache.revalidateKeys((key) => endpoints.some((endpoint) => key.startsWith(cacheKeyPrefix(endpoint))))
}

/**
 * Number of known changes of the watchlist. The My List page, which does not use this cache, reloads when it
 * increases.
 */
export const $watchlistVersion = perProfile(() => 0)
export const markWatchlistChanged = () => $watchlistVersion.set($watchlistVersion.get() + 1)

/** Refetches all displayed data. */
export function refetchAll(): void {
  cache.revalidateKeys(() => true)
  markWatchlistChanged()
}

/** Discards all cached data and requests the displayed data again. */
export function discardAllReads(): void {
  cache.invalidateKeys(() => true)
}
