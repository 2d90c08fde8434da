/** Account events over plain HTTP, where browsers have no Web Locks. */
import { afterAll, expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'
import { waitFor } from '../support/wait-for.ts'

const { browser, getCard, network, otherDevice, profiles } = await signInHousehold()
Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true })
const { startAccountEvents } = await import('../../src/lib/stores/account-events.ts')
const { $watchlistEntries, loadWatchlistEntry } = await import('../../src/lib/stores/watchlist.ts')
const { $profiles } = await import('../../src/lib/stores/profile.ts')
const { signOut } = await import('../../src/lib/stores/sign-out.ts')

const kites = getCard('Paper Kites')
const titleKey = `movie/${kites.id}`
const entryPath = `/api/profile/${profiles.adult}/watchlist/${titleKey}`
$watchlistEntries.listen(() => {})
startAccountEvents()
afterAll(signOut)

const countConnections = () => network.requests.filter(({ url }) => url === '/api/events').length
const setPageVisibility = (visibilityState: 'visible' | 'hidden') => {
  Object.defineProperty(browser.document, 'visibilityState', { value: visibilityState, configurable: true })
  browser.document.dispatchEvent(new Event('visibilitychange'))
}

it('without Web Locks, a visible tab shows a watchlist entry that was added on another device', async () => {
  await loadWatchlistEntry(kites)
  await otherDevice.put(entryPath, {})
  await waitFor(() => expect($watchlistEntries.get()[titleKey]).toMatchObject({ in_watchlist: true }))
})

it('without Web Locks, a hidden tab has no connection for account events, and reloads its data when it becomes visible again', async () => {
  setPageVisibility('hidden')
  await otherDevice.put(entryPath, { in_watchlist: false })
  await network.waitUntilIdle()
  expect($watchlistEntries.get()[titleKey]).toMatchObject({ in_watchlist: true })
  network.clearRequests()
  setPageVisibility('visible')
  setPageVisibility('visible')
  await waitFor(() => expect($watchlistEntries.get()[titleKey]).toMatchObject({ in_watchlist: false }))
  expect(countConnections()).toBe(1)
})

it('without Web Locks, a profile that gets a PIN on another device is locked in the tab', async () => {
  otherDevice.profileId = profiles.guest
  expect((await otherDevice.post(`/api/profile/${profiles.guest}/lock`, { pin: '1234' })).status).toBe(200)
  const isGuestLocked = () =>
    $profiles.get()?.some(({ profile_id, locked }) => profile_id === profiles.guest && locked)
  await waitFor(() => expect(isGuestLocked()).toBe(true))
})
