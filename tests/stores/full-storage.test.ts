/**
 * A device whose storage is full. If a value that only the next page needs cannot be stored, the current page must
 * still work.
 */
import { afterEach, expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'
import { waitFor } from '../support/wait-for.ts'

const household = await signInHousehold()
const { credentials, network, profiles } = household
const { signIn } = await import('../../src/lib/stores/sign-in.ts')
const { signOut } = await import('../../src/lib/stores/sign-out.ts')
const { $session } = await import('../../src/lib/stores/session.ts')
const { $profile, loadProfiles, selectProfile } = await import('../../src/lib/stores/profile.ts')
const { setLiteMode, $liteMode } = await import('../../src/lib/stores/lite-mode.ts')
const { $recentSearches, storeRecentSearch } = await import('../../src/lib/stores/search.ts')
$session.listen(() => {})

const setStorageFull = (isFull: boolean) => {
  for (const storage of [localStorage, sessionStorage] as unknown as { isFull: boolean }[])
    storage.isFull = isFull
}
afterEach(() => setStorageFull(false))

it('a profile can be selected while the storage is full', () => {
  setStorageFull(true)
  selectProfile(profiles.guest)
  expect($profile.get()?.profile_id).toBe(profiles.guest)
})

it('while the storage is full, a changed lite mode and a new recent search still apply to the current page', () => {
  setStorageFull(true)
  setLiteMode('1')
  storeRecentSearch('kites')
  expect([$liteMode.get(), $recentSearches.get()]).toEqual(['1', ['kites']])
})

it('a device whose storage is full can be signed out without a network, and signed in again', async () => {
  setStorageFull(true)
  network.setOffline(true)
  await signOut()
  expect($session.get().status).toBe('anonymous')
  network.setOffline(false)
  await signIn(credentials)
  await loadProfiles()
  await waitFor(() => expect($session.get().status).toBe('signed-in'))
})
