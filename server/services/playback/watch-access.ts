/**
 * Checks whether a caller may still watch a title. The check runs before the first byte of a stream is sent, and
 * repeatedly until the end of the stream.
 */

import { selectActiveLogin } from '../../queries/caller.ts'
import { selectTitlesByIds } from '../../queries/title.ts'
import { toCaller } from '../auth/acting-profile.ts'
import { loadAudience, loadProfilesAudience } from '../auth/audience.ts'
import type { Deps } from '../deps.ts'
import { mayKeepPlaying, mayPlayWithoutProfile } from '../family/viewing-time.ts'
import type { MediaClaim } from './media-url.ts'

export type WatchIdentity = Pick<MediaClaim, 'sid' | 'profileId' | 'pinGeneration' | 'titleId'>

/**
 * Lifetime of cached results. This lifetime and the check interval of running streams are so short that a stream on a
 * revoked device stops within five seconds.
 */
const CACHE_LIFETIME_MS = 1_000
const MAX_CACHED_RESULTS = 5_000
const cachesByDeps = new WeakMap<Deps, Map<string, { untilMs: number; result: Promise<boolean> }>>()

export const getWatchIdentityKey = ({ sid, profileId, pinGeneration, titleId }: WatchIdentity) =>
  `${sid} ${profileId} ${pinGeneration} ${titleId}`

/** A title, and the login of the device on which it is blocked. */
export type BlockedTitle = Pick<WatchIdentity, 'sid' | 'titleId'>

/** A title is blocked for this long after its stream was stopped, because players reconnect automatically. */
const BLOCK_DURATION_MS = 60_000
const blocksByDeps = new WeakMap<Deps, Map<string, number>>()

/** Blocks a title on a device for BLOCK_DURATION_MS, after an administrator has stopped its stream. */
export function blockWatching(deps: Deps, { sid, titleId }: BlockedTitle): void {
  const blockedUntilMsByKey = blocksByDeps.get(deps) ?? new Map<string, number>()
  blocksByDeps.set(deps, blockedUntilMsByKey)
  for (const [key, untilMs] of blockedUntilMsByKey)
    if (untilMs <= deps.monotonicNow()) blockedUntilMsByKey.delete(key)
  blockedUntilMsByKey.set(`${sid} ${titleId}`, deps.monotonicNow() + BLOCK_DURATION_MS)
  cachesByDeps.get(deps)?.clear()
}
const isTitleBlocked = (deps: Deps, { sid, titleId }: BlockedTitle) =>
  (blocksByDeps.get(deps)?.get(`${sid} ${titleId}`) ?? 0) > deps.monotonicNow()

/**
 * True while the login of a signed URL is active, its viewers may watch the title, and the title is not blocked on the
 * device. Results are cached for CACHE_LIFETIME_MS.
 */
export function canStillWatch(deps: Deps, watchIdentity: WatchIdentity): Promise<boolean> {
  if (isTitleBlocked(deps, watchIdentity)) return Promise.resolve(false)
  const accessByKey =
    cachesByDeps.get(deps) ?? new Map<string, { untilMs: number; result: Promise<boolean> }>()
  cachesByDeps.set(deps, accessByKey)
  const identityKey = getWatchIdentityKey(watchIdentity)
  const cachedAccess = accessByKey.get(identityKey)
  if (cachedAccess && cachedAccess.untilMs > deps.monotonicNow()) return cachedAccess.result
  const accessPromise = isWatchAllowed(deps, watchIdentity)
  if (accessByKey.size >= MAX_CACHED_RESULTS) accessByKey.clear()
  accessByKey.set(identityKey, { untilMs: deps.monotonicNow() + CACHE_LIFETIME_MS, result: accessPromise })
  accessPromise.catch(() => accessByKey.delete(identityKey))
  return accessPromise
}

/**
 * True if the device and all viewers may watch the title. The device must still be able to enter the profile of the URL
 * without a PIN, and the PIN must not have changed since the URL was created.
 * The viewers are the profile of the URL, the acting profile of the device, and the group that watches. The title must
 * be visible to all of them, and `mayKeepPlaying` must be true for each of them. If there is no viewer,
 * `mayPlayWithoutProfile` decides whether the device may play.
 */
async function isWatchAllowed(
  deps: Deps,
  { sid, profileId, pinGeneration, titleId }: WatchIdentity,
): Promise<boolean> {
  const activeLogin = await selectActiveLogin(deps.database.primary, sid, deps.now())
  if (!activeLogin || activeLogin.account.blocked) return false
  const { profiles } = activeLogin
  const urlProfile = profiles.find((profile) => profile.profile_id === profileId)
  const isUrlProfileUsable = urlProfile?.enterable && urlProfile.pin_generation === pinGeneration
  if (profileId !== null && !isUrlProfileUsable) return false
  const actingProfile = profiles.find((profile) => profile.profile_id === activeLogin.login.active_profile_id)
  const caller = toCaller(activeLogin, actingProfile ?? urlProfile ?? null)
  const viewers = new Set([
    ...(urlProfile ? [urlProfile] : []),
    ...(actingProfile ? [actingProfile] : []),
    ...caller.group,
  ])
  if (viewers.size === 0 && !mayPlayWithoutProfile(profiles)) return false
  for (const { profile_id } of viewers) if (!(await mayKeepPlaying(deps, profile_id))) return false
  const audience = (await loadAudience(deps, caller)).intersect(
    await loadProfilesAudience(deps, urlProfile ? [urlProfile] : []),
  )
  return (await selectTitlesByIds(deps.database.reader, audience, [titleId])).length === 1
}
