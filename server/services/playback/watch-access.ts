/** Checks whether a caller may still watch a title: before the first byte, and repeatedly while a stream is sent. */

import { selectActiveLogin } from '../../queries/caller.ts'
import { selectTitlesByIds } from '../../queries/title.ts'
import { toCaller } from '../auth/acting-profile.ts'
import { loadAudience, loadProfilesAudience } from '../auth/audience.ts'
import type { Deps } from '../deps.ts'
import { mayKeepPlaying } from '../family/viewing-time.ts'
import type { MediaClaim } from './media-url.ts'

export type WatchIdentity = Pick<MediaClaim, 'sid' | 'profileId' | 'pinGeneration' | 'titleId'>

/** Cache lifetime of results. Together with the check interval of running streams, a revoked device stops within five seconds. */
const CACHE_MS = 1_000
const MAX_CACHED_RESULTS = 5_000
const caches = new WeakMap<Deps, Map<string, { untilMs: number; result: Promise<boolean> }>>()

export const getWatchIdentityKey = ({ sid, profileId, pinGeneration, titleId }: WatchIdentity) =>
  `${sid} ${profileId} ${pinGeneration} ${titleId}`

/** A stopped stream cannot continue for this long, so that its player does not restart it by itself. */
const BLOCK_MS = 60_000
const blocks = new WeakMap<Deps, Map<string, number>>()

/** Refuses a title to a device for a minute, after an administrator has stopped its stream. */
export function blockWatching(deps: Deps, { sid, titleId }: WatchIdentity): void {
  const blockedUntil = blocks.get(deps) ?? new Map<string, number>()
  blocks.set(deps, blockedUntil)
  for (const [key, untilMs] of blockedUntil) if (untilMs <= deps.now()) blockedUntil.delete(key)
  blockedUntil.set(`${sid} ${titleId}`, deps.now() + BLOCK_MS)
  caches.get(deps)?.clear()
}
const isBlocked = (deps: Deps, { sid, titleId }: WatchIdentity) =>
  (blocks.get(deps)?.get(`${sid} ${titleId}`) ?? 0) > deps.now()

/** True while the login of a signed URL exists and its profile may see the title. Results are cached for a second. */
export function canStillWatch(deps: Deps, watchIdentity: WatchIdentity): Promise<boolean> {
  if (isBlocked(deps, watchIdentity)) return Promise.resolve(false)
  const cache = caches.get(deps) ?? new Map<string, { untilMs: number; result: Promise<boolean> }>()
  caches.set(deps, cache)
  const key = getWatchIdentityKey(watchIdentity)
  const cachedAccess = cache.get(key)
  if (cachedAccess && cachedAccess.untilMs > deps.now()) return cachedAccess.result
  const result = loadWatchAccess(deps, watchIdentity)
  if (cache.size >= MAX_CACHED_RESULTS) cache.clear()
  cache.set(key, { untilMs: deps.now() + CACHE_MS, result })
  result.catch(() => cache.delete(key))
  return result
}

/**
 * The profile of the URL must still be enterable on the device without its PIN, and the PIN must not have changed. When
 * another profile is now active on the device, a title must be visible to both, and to the group that watches, and all of them
 * must have viewing time.
 */
async function loadWatchAccess(
  deps: Deps,
  { sid, profileId, pinGeneration, titleId }: WatchIdentity,
): Promise<boolean> {
  const activeLogin = await selectActiveLogin(deps.database.primary, sid, deps.now())
  if (!activeLogin || activeLogin.account.blocked) return false
  const { profiles } = activeLogin
  const urlProfile = profiles.find((profile) => profile.profile_id === profileId)
  const isUrlProfileUsable = urlProfile?.enterable && urlProfile.pin_generation === pinGeneration
  if (profileId !== null && !isUrlProfileUsable) return false
  const acting = profiles.find((profile) => profile.profile_id === activeLogin.login.active_profile_id)
  const caller = toCaller(activeLogin, acting ?? urlProfile ?? null)
  const viewers = new Set([...(urlProfile ? [urlProfile] : []), ...(acting ? [acting] : []), ...caller.group])
  for (const { profile_id } of viewers) if (!(await mayKeepPlaying(deps, profile_id))) return false
  const audience = (await loadAudience(deps, caller)).intersect(
    await loadProfilesAudience(deps, urlProfile ? [urlProfile] : []),
  )
  return (await selectTitlesByIds(deps.database.reader, audience, [titleId])).length === 1
}
