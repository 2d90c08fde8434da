/** A device whose storage is full: what is stored only for the next page must not prevent anything on this page. */
import { afterEach, expect, it, vi } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'

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

it('a profile can be selected', () => {
  setStorageFull(true)
  selectProfile(profiles.guest)
  expect($profile.get()?.profile_id).toBe(profiles.guest)
})

it('settings and recent searches apply to this page', () => {
  setStorageFull(true)
  setLiteMode('1')
  storeRecentSearch('kites')
  expect([$liteMode.get(), $recentSearches.get()]).toEqual(['1', ['kites']])
})

it('the device can be signed out without a network, and signed in again', async () => {
  setStorageFull(true)
  network.setOffline(true)
  await signOut()
  expect($session.get().status).toBe('anonymous')
  network.setOffline(false)
  await signIn(credentials)
  await loadProfiles()
  await vi.waitFor(() => expect($session.get().status).toBe('signed-in'))
})
