/**
 * Creates stores whose content belongs to a profile. Every store in this folder is created here or derived from such
 * stores. Exceptions are stores whose content does not belong to a profile (listed in
 * tests/house/profile-stores.test.ts).
 */
import { batch, type MapStore, map, type WritableAtom } from 'nanostores'
import { onProfileSessionStart } from '../client/profile-session.ts'

const profileResets: (() => void)[] = []
onProfileSessionStart(() =>
  batch(() => {
    for (const reset of profileResets) reset()
  }),
)

/** Calls `reset` at every start of a profile session. Listeners are notified once all stores have been reset. */
export function onProfileReset(reset: () => void): void {
  profileResets.push(reset)
}

/**
 * Creates a store whose content belongs to the acting profile. The store gets a new value from `createValue` whenever a
 * profile session starts: after another profile is selected, after a sign-out, and after the profile is locked, is
 * deleted, or gets another audience or group.
 */
export function perProfile<T>(createValue: () => T): [T] extends [object] ? MapStore<T> : WritableAtom<T>
export function perProfile(createValue: () => object): MapStore {
  const $store = map(createValue())
  onProfileReset(() => $store.set(createValue()))
  return $store
}
