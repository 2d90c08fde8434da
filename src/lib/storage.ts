/**
 * Reads and writes values in local and session storage. These functions never throw, although browsers deny access in
 * some frames and privacy modes, and storage can be full.
 */
import { ACTING_PROFILE_KEY } from './storage-keys.ts'

type StorageName = 'localStorage' | 'sessionStorage'

/** Returns null when nothing is stored or access is denied. */
export function readStorage(storageName: StorageName, key: string): string | null {
  try {
    return globalThis[storageName].getItem(key)
  } catch {
    return null
  }
}

export function writeStorage(storageName: StorageName, key: string, value: string): void {
  try {
    globalThis[storageName].setItem(key, value)
  } catch {
    // Access is denied or the storage is full: the value is not stored.
  }
}

/** Returns the value stored as JSON in local storage; null when there is none, or when it cannot be parsed. */
export function readStoredJson(key: string): unknown {
  try {
    return JSON.parse(readStorage('localStorage', key) ?? 'null')
  } catch {
    return null
  }
}

/**
 * Returns the id of the acting profile of this tab, else of the profile selected last on this device; null if neither
 * is stored.
 */
export const readActingProfileId = (): string | null =>
  readStorage('sessionStorage', ACTING_PROFILE_KEY) ?? readStorage('localStorage', ACTING_PROFILE_KEY)

/** Returns the keys of the local storage that begin with `prefix`; an empty list when access is denied. */
export function listStoredKeys(prefix: string): string[] {
  try {
    const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '')
    return keys.filter((key) => key.startsWith(prefix))
  } catch {
    return []
  }
}
