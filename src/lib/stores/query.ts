/** Reads that the islands share. Cached data is never stale by itself and is not fetched again on focus or mount (Spec §9). */
import { nanoquery } from '@nanostores/query'
import { atom, computed, type ReadableAtom } from 'nanostores'
import { call, type Input } from '../client/call.ts'
import { ApiError } from '../client/errors.ts'
import type { Endpoint, ReplyOf } from '../contract/endpoint.ts'
import { $profileId } from './profile.ts'

const FIVE_MINUTES_MS = 300_000
const RETRIES = 3
const FIRST_RETRY_MS = 700

const [createStore, , cache] = nanoquery({
  dedupeTime: FIVE_MINUTES_MS,
  cacheLifetime: FIVE_MINUTES_MS,
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  onErrorRetry: ({ error, retryCount }) => {
    const worthIt = error instanceof ApiError && (error.status === 0 || error.status >= 500)
    return worthIt && retryCount < RETRIES ? FIRST_RETRY_MS * 2 ** retryCount : null
  },
})

/** Keys of a call's cached answers begin so. */
const nameOf = (endpoint: Endpoint) => `${endpoint.method} ${endpoint.path}|`

/** A store over a read. `$input` null waits; the acting profile is part of the key, since answers depend on it. */
export function read<E extends Endpoint>(endpoint: E, $input: ReadableAtom<Input<E> | null>) {
  const $key = computed($input, (input) => (input === null ? null : `${JSON.stringify(input)}|`))
  const $who = computed($profileId, (id) => id ?? 'nobody')
  return createStore<ReplyOf<E>, ApiError>([nameOf(endpoint), $key, $who], {
    fetcher: async (_name, key) => call(endpoint, JSON.parse(String(key).slice(0, -1)) as Input<E>),
  })
}

/** Fetches again wherever an answer of these calls is shown; what is shown stays until then. */
export function refetch(...endpoints: Endpoint[]): void {
  cache.revalidateKeys((key) => endpoints.some((endpoint) => key.startsWith(nameOf(endpoint))))
}

/** How often My List changed, here or elsewhere: the page that shows all of it reads it page by page, not through this. */
export const $listChanged = atom(0)
export const noteListChange = () => $listChanged.set($listChanged.get() + 1)

/** Fetches again whatever is shown. */
export function refetchAll(): void {
  cache.revalidateKeys(() => true)
  noteListChange()
}

/** Forgets everything, for another profile or nobody. */
export function forgetAll(): void {
  cache.invalidateKeys(() => true)
}
