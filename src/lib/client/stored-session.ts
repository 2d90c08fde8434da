/**
 * Data that is stored on the device: the acting profile, the last user, and the cached reads of this user. The user and
 * the reads are stored so that the site works offline (docs/offline.md).
 */
import type { User } from '../contract/auth.ts'
import { writeStorage } from '../storage.ts'
import {
  ACTING_PROFILE_KEY,
  ENDED_LOGIN_KEY,
  HOME_HERO_KEY,
  IMAGE_CACHE,
  PENDING_PROFILE_LEAVE_KEY,
  PENDING_SIGN_OUT_KEY,
  READ_CACHE_PREFIX,
  USER_KEY,
} from '../storage-keys.ts'

/** Name of the cache of reads of a profile, or of the account when `profileId` is null. */
export const buildReadCacheName = (accountId: string, profileId: string | null) =>
  `${READ_CACHE_PREFIX} ${accountId} ${profileId ?? '-'}`

export function loadStoredUser(): User | null {
  try {
    return JSON.parse(globalThis.localStorage?.getItem(USER_KEY) ?? 'null') as User | null
  } catch {
    return null
  }
}

/**
 * Stores the user, and creates the cache of images. If another account was stored before, deletes all caches first. The
 * service worker stores images only while the cache of images exists. An image that arrives after a sign-out is
 * therefore not stored.
 */
export function storeUser(user: User): void {
  const previousUser = loadStoredUser()
  const cacheDeletionPromise =
    previousUser && previousUser.user_id !== user.user_id ? deleteReadCaches() : Promise.resolve()
  writeStorage('localStorage', USER_KEY, JSON.stringify(user))
  endedLogin.clear()
  void cacheDeletionPromise.then(() => loadStoredUser() && globalThis.caches?.open(IMAGE_CACHE))
}

export function clearStoredUser(): void {
  globalThis.localStorage?.removeItem(USER_KEY)
  void deleteReadCaches()
}

/**
 * Deletes the stored hero of the home page. Also deletes the cached reads of one profile or, without `profileId`, all
 * cached reads and images.
 */
export async function deleteReadCaches(profileId?: string): Promise<void> {
  globalThis.localStorage?.removeItem(HOME_HERO_KEY)
  const shouldDeleteCache = (cacheName: string) =>
    profileId === undefined
      ? cacheName.startsWith(READ_CACHE_PREFIX) || cacheName === IMAGE_CACHE
      : cacheName.endsWith(` ${profileId}`)
  const cacheNames = (await globalThis.caches?.keys()) ?? []
  await Promise.all(cacheNames.filter(shouldDeleteCache).map((cacheName) => caches.delete(cacheName)))
}

/** Returns functions that read, set and remove the flag under `storageKey` in local storage. */
const createStoredFlag = (storageKey: string) => ({
  get: () => globalThis.localStorage?.getItem(storageKey) === '1',
  set: () => writeStorage('localStorage', storageKey, '1'),
  clear: () => globalThis.localStorage?.removeItem(storageKey),
})

/**
 * Set when the user signed out while the server could not be reached. The next refresh then repeats the sign-out
 * instead of starting a session.
 */
export const pendingSignOut = createStoredFlag(PENDING_SIGN_OUT_KEY)

/**
 * Set when the login of this device has expired or was ended elsewhere. The sign-in page says so until a user signs in.
 */
export const endedLogin = createStoredFlag(ENDED_LOGIN_KEY)

/**
 * Set when the profile picker opened while the server could not be reached. The client then calls `leaveProfile` before
 * it loads the profiles again, so that no profile acts on the server.
 */
export const pendingProfileLeave = createStoredFlag(PENDING_PROFILE_LEAVE_KEY)

/**
 * Stores the acting profile for this tab, and as the profile selected last on this device (storage.ts). Null removes
 * both.
 */
export function storeProfileId(profileId: string | null): void {
  for (const storageName of ['sessionStorage', 'localStorage'] as const) {
    if (profileId === null) globalThis[storageName].removeItem(ACTING_PROFILE_KEY)
    else writeStorage(storageName, ACTING_PROFILE_KEY, profileId)
  }
}

/** Lock state of a profile that has no PIN of its own, but needs the exit PIN of the account on this device. */
export const EXIT_PIN_LOCK_STATE = { locked: true, needs_exit_pin: true, unlocked: false } as const
