/**
 * Cached replies to reads, for use without a network. The replies are stored by the page and not by the service worker,
 * because only the page knows the account and profile of a reply. There is one cache per account and profile. The key
 * of a reply consists of language and URL (docs/offline.md).
 */
import type { ReplyOf } from '../contract/endpoint.ts'
import type { listProfiles, Profile } from '../contract/profiles.ts'
import { REACHABILITY_EVENT, UNLOCKED_PROFILES_KEY } from '../storage-keys.ts'
import { isRefreshSlow, isSessionOfOtherUser, refreshSession } from './auth.ts'
import { isOffline } from './connectivity.ts'
import { type ApiError, createNetworkError, isUnavailableError } from './errors.ts'
import { lockProfilesBehindExitPin } from './exit-lock.ts'
import { buildReadCacheName, deleteReadCaches, loadStoredUser } from './stored-session.ts'

/** Cached paths: the catalogue and the data of a profile, but no administration, exports, imports or secrets. */
const CACHEABLE_PATHS_PATTERN =
  /^\/api\/(movies|series|seasons|actors|recommend|search|profile$|profile\/[^/]+\/(watchlist|history|viewings|calendar|statistics|feedback|ratings|lists|recommend|continue-watching|watch-next|notifications))/
const UNCACHEABLE_URLS_PATTERN = /admin=true|\/signals|\/import|\/export|\/calendar\/feed/
/** URLs for which the reply to a write equals the reply to a read of the same URL. */
const CACHEABLE_WRITES_PATTERN = /\/(watchlist|feedback|ratings)\/(movie|tv)\/[^/?]+$/
const MAX_CACHED_REPLIES = 600
const PROFILES_URL = '/api/profile'
type ProfileList = ReplyOf<typeof listProfiles>

/**
 * Number of replies that this page has stored, by profile id. The id is null for replies that belong to no profile,
 * such as the list of profiles.
 */
const storedReplyCountsByProfileId = new Map<string | null, number>()

/** The key of the list of profiles contains no language, because selecting a profile may change the language. */
const buildCacheKey = (url: string) =>
  `${location.origin}/_kept${url === PROFILES_URL ? '' : `/${document.documentElement.lang}`}${url}`
const isCacheable = (url: string) =>
  CACHEABLE_PATHS_PATTERN.test(url.split('?')[0] ?? '') && !UNCACHEABLE_URLS_PATTERN.test(url)
/**
 * Opens the cache of a profile, or the cache of the account if `url` is the list of profiles. Returns null when signed
 * out, and when another user has signed in in another tab. A missing cache is created. If the user signs out while the
 * cache is being opened, the cache is deleted again.
 */
async function openCache(url: string, profileId: string | null): Promise<Cache | null> {
  const user = loadStoredUser()
  if (!user || !globalThis.caches || isSessionOfOtherUser(user.user_id)) return null
  const cacheName = buildReadCacheName(user.user_id, url === PROFILES_URL ? null : profileId)
  const cache = await caches.open(cacheName)
  if (loadStoredUser()?.user_id === user.user_id) return cache
  await caches.delete(cacheName)
  return null
}

/** Caches a reply if its URL is cacheable. `isWrite` means that `reply` is the reply to a write. */
export async function cacheReply(
  url: string,
  profileId: string | null,
  reply: unknown,
  isWrite = false,
): Promise<void> {
  if (!isCacheable(url) || (isWrite && !CACHEABLE_WRITES_PATTERN.test(url))) return
  const cache = await openCache(url, profileId)
  if (!cache) return
  if (url === PROFILES_URL) await deleteCachesOfChangedProfiles(cache, parseProfiles(reply))
  await cache.put(buildCacheKey(url), Response.json(reply))
  const storedReplyCount = storedReplyCountsByProfileId.get(profileId) ?? 0
  storedReplyCountsByProfileId.set(profileId, storedReplyCount + 1)
  // Old replies are evicted with the first reply that a page stores, and then with every 50th reply. Most pages store
  // only a few replies, so without the eviction at the first reply, old replies would stay.
  if (storedReplyCount % 50 === 0) await evictOldestReplies(cache)
}

/**
 * Returns the cached reply; undefined when there is none, or when the profile is locked. In the list of profiles, a
 * locked profile counts as unlocked only if its PIN was entered in this tab.
 */
export async function findCachedReply(url: string, profileId: string | null): Promise<unknown> {
  if (!isCacheable(url)) return undefined
  const cachedReply = await (await (await openCache(url, profileId))?.match(buildCacheKey(url)))?.json()
  if (url !== PROFILES_URL)
    return cachedReply !== undefined && (await canEnterProfile(profileId)) ? cachedReply : undefined
  if (cachedReply === undefined) return undefined
  const hasExitPin = (cachedReply as Partial<ProfileList>).has_exit_pin === true
  const profiles = parseProfiles(cachedReply).map((cachedProfile) => ({
    ...cachedProfile,
    unlocked: !cachedProfile.locked || isUnlockedInTab(cachedProfile),
  }))
  return {
    results: hasExitPin ? lockProfilesBehindExitPin(profiles) : profiles,
    group: [],
    has_exit_pin: hasExitPin,
  } satisfies ProfileList
}

/** Returns all cached replies of a profile; an empty list when the profile is locked, and when nobody is signed in. */
export async function listCachedReplies(profileId: string | null): Promise<unknown[]> {
  const cache = await openCache('', profileId)
  if (!cache || !(await canEnterProfile(profileId))) return []
  const cachedRequests = await cache.keys()
  const responses = await Promise.all(cachedRequests.map((cachedRequest) => cache.match(cachedRequest)))
  return Promise.all(responses.map((response) => response?.json() as Promise<unknown>))
}

/** Interval at which a waiting read checks whether the server can be reached. */
const CHECK_INTERVAL_MS = 500
/** After a read has waited this long, the session is refreshed to find out whether the server can be reached. */
const REACHABILITY_PROBE_DELAY_MS = 2_000
/**
 * A read without a reply is treated as failed after this time, even if the server can be reached. Otherwise, a reply
 * that was lost would leave the page loading for ever. Writes have the same timeout (call.ts).
 */
const READ_TIMEOUT_MS = 30_000
/** When there is no cached reply, a read waits this much longer for the reply of the server. */
const OFFLINE_READ_TIMEOUT_MS = 8_000
/**
 * Time after which the page refetches its data, if an unavailable server or its proxy sent no Retry-After header.
 */
const UNAVAILABLE_RETRY_SECONDS = 10

let hasReplacedReplies = false
/** Returns whether cached replies have replaced replies of the server since the last call of this function. */
export function consumeReplacedRepliesFlag(): boolean {
  const hadReplacedReplies = hasReplacedReplies
  hasReplacedReplies = false
  return hadReplacedReplies
}

/**
 * Waits for the reply to a read that is slow or has failed. Returns the cached reply instead when the server
 * cannot be reached or is unavailable (isUnavailableError), when a refresh of the session is slow, or after
 * READ_TIMEOUT_MS. When there is no cached reply, throws the error of an unavailable server. Without a response, waits
 * OFFLINE_READ_TIMEOUT_MS longer and then throws a network error.
 */
export async function waitForReply(
  replyPromise: Promise<unknown>,
  url: string,
  profileId: string | null,
): Promise<unknown> {
  const failurePromise = replyPromise.then(
    (): false => false,
    (error: ApiError): ApiError => {
      if (!isUnavailableError(error)) throw error
      return error
    },
  )
  // The request may still fail after the cached reply was returned. This handler prevents the browser from reporting
  // the failure as an unhandled rejection.
  failurePromise.catch(() => {})
  let unavailableError: ApiError | undefined
  let waitedMs = 0
  for (; waitedMs < READ_TIMEOUT_MS && !isOffline() && !isRefreshSlow(); waitedMs += CHECK_INTERVAL_MS) {
    const outcome = await Promise.race([failurePromise, waitForDelay(CHECK_INTERVAL_MS)])
    if (outcome === false) return replyPromise
    if (outcome) {
      unavailableError = outcome
      break
    }
    if (waitedMs === REACHABILITY_PROBE_DELAY_MS) void refreshSession()
  }
  const cachedReply = await findCachedReply(url, profileId).catch(() => undefined)
  if (cachedReply !== undefined) {
    hasReplacedReplies = true
    if (unavailableError?.status) void scheduleRefetch(unavailableError.retryAfterSeconds)
    return cachedReply
  }
  if (unavailableError?.status) throw unavailableError
  if ((await Promise.race([failurePromise, waitForDelay(OFFLINE_READ_TIMEOUT_MS)])) === false)
    return replyPromise
  throw createNetworkError()
}

let isRefetchScheduled = false
/**
 * Makes the page refetch its data (outbox.ts) after a delay. An unavailable server or its proxy has responded and
 * therefore counts as reachable, so no other event makes the page refetch the data.
 */
async function scheduleRefetch(delaySeconds: number | null): Promise<void> {
  if (isRefetchScheduled) return
  isRefetchScheduled = true
  await waitForDelay((delaySeconds ?? UNAVAILABLE_RETRY_SECONDS) * 1_000)
  isRefetchScheduled = false
  dispatchEvent(new Event(REACHABILITY_EVENT))
}

const waitForDelay = (delayMs: number) => new Promise<void>((resolve) => setTimeout(resolve, delayMs))

const parseProfiles = (profilesReply: unknown) =>
  (profilesReply as Partial<ProfileList> | undefined)?.results ?? []

/**
 * True if the PIN of the profile was entered in this tab. Without a network, a locked profile can act only in this
 * case.
 */
function isUnlockedInTab({ profile_id }: Profile): boolean {
  return (sessionStorage.getItem(UNLOCKED_PROFILES_KEY) ?? '').split(' ').includes(profile_id)
}

async function canEnterProfile(profileId: string | null): Promise<boolean> {
  const cachedProfiles = (await findCachedReply(PROFILES_URL, null)) as { results: Profile[] } | undefined
  return cachedProfiles?.results.find((profile) => profile.profile_id === profileId)?.unlocked === true
}

/** Deletes the caches of deleted profiles, and of profiles whose visible titles have changed. */
async function deleteCachesOfChangedProfiles(cache: Cache, profiles: readonly Profile[]): Promise<void> {
  const previousProfiles = parseProfiles(await (await cache.match(buildCacheKey(PROFILES_URL)))?.json())
  for (const { profile_id, audience } of previousProfiles) {
    const currentProfile = profiles.find((profile) => profile.profile_id === profile_id)
    if (currentProfile?.audience !== audience) void deleteReadCaches(profile_id)
  }
}

async function evictOldestReplies(cache: Cache): Promise<void> {
  const cachedRequests = await cache.keys()
  for (const cachedRequest of cachedRequests.slice(
    0,
    Math.max(0, cachedRequests.length - MAX_CACHED_REPLIES),
  ))
    await cache.delete(cachedRequest)
}
