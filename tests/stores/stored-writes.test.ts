/** Changes that are sent immediately. After a temporary rejection, a change is stored like a change made offline. */
import { beforeEach, expect, it } from 'vitest'
import { signInHousehold, startOutboxImmediately } from '../support/store-environment.ts'
import { waitFor } from '../support/wait-for.ts'

const household = await signInHousehold()
const { actAs, credentials, getCard, network, otherDevice, profiles, switchTo } = household
const { $pendingWrites, getWriteOwner } = await import('../../src/lib/stores/pending-writes.ts')
const { setInWatchlist } = await import('../../src/lib/stores/watchlist.ts')
const { $session } = await import('../../src/lib/stores/session.ts')
const { signIn } = await import('../../src/lib/stores/sign-in.ts')
const { loadProfiles } = await import('../../src/lib/stores/profile.ts')
const { unlockProfile } = await import('../../src/lib/stores/profile-changes.ts')

const kites = getCard('Paper Kites')
const getEntryPath = (profileId: string) => `/api/profile/${profileId}/watchlist/movie/${kites.id}`
const isInWatchlist = async (profileId = profiles.adult): Promise<boolean> => {
  otherDevice.profileId = profileId
  const { body } = await otherDevice.get(getEntryPath(profileId))
  otherDevice.profileId = profiles.adult
  return body.in_watchlist
}
await startOutboxImmediately(household)
for (const $store of [$session, $pendingWrites]) $store.listen(() => {})

beforeEach(async () => {
  await waitFor(() => expect(getWriteOwner()).not.toBeNull())
  await otherDevice.put(getEntryPath(profiles.adult), { in_watchlist: false })
  await actAs('adult')
})

it.each([408, 425, 429, 502, 503])(
  'a change that gets the response status %i is stored, and sent at the next attempt',
  async (status) => {
    network.failNext(/PUT/, status)
    await setInWatchlist(kites, true)
    expect($pendingWrites.get()).toMatchObject([{ kind: 'list', body: { in_watchlist: true } }])
    dispatchEvent(new Event('online'))
    await waitFor(() => expect($pendingWrites.get()).toEqual([]))
    expect(await isInWatchlist()).toBe(true)
  },
)

it.each([400, 404, 422, 500])(
  'a change that gets the response status %i fails and is not stored',
  async (status) => {
    network.failNext(/PUT/, status)
    await setInWatchlist(kites, true).catch(() => {})
    expect($pendingWrites.get()).toEqual([])
    expect(await isInWatchlist()).toBe(false)
  },
)

it('if the server rejects a change because the profile is locked, the change is sent after the profile is unlocked', async () => {
  otherDevice.profileId = profiles.guest
  await otherDevice.post(`/api/profile/${profiles.guest}/lock`, { pin: '4821' })
  await loadProfiles()
  await unlockProfile(profiles.guest, { pin: '4821' })
  await switchTo('guest')
  await waitFor(() => expect(getWriteOwner()?.profileId).toBe(profiles.guest))
  // A change of the PIN ends the unlock of this device.
  const pinChange = { current_pin: '4821', new_pin: '1379' }
  expect((await otherDevice.put(`/api/profile/${profiles.guest}/update-lock`, pinChange)).status).toBe(200)
  await setInWatchlist(kites, true)
  expect($pendingWrites.get()).toMatchObject([{ kind: 'list', body: { in_watchlist: true } }])
  await unlockProfile(profiles.guest, { pin: '1379' })
  dispatchEvent(new Event('online'))
  await waitFor(() => expect($pendingWrites.get()).toEqual([]))
  await otherDevice.post(`/api/profile/${profiles.guest}/unlock`, { pin: '1379' })
  expect(await isInWatchlist(profiles.guest)).toBe(true)
})

it('a change that is made after the session has ended is stored, and sent when the same user signs in again', async () => {
  const devices = (await otherDevice.get('/api/auth/devices?limit=100')).body.results as {
    device_id: string
    current: boolean
  }[]
  for (const { device_id, current } of devices)
    if (!current) await otherDevice.post('/api/auth/logout-device', { device_id })
  // The server rejects the change, because the login of this device was ended. The rejection ends the session, and with
  // it the profile session. Promises of an ended profile session never settle, so the test does not await the change.
  void setInWatchlist(kites, true)
  await waitFor(() => expect($session.get()).toEqual({ status: 'anonymous' }))
  expect(await isInWatchlist()).toBe(false)
  await signIn(credentials)
  await loadProfiles()
  await actAs('adult')
  await waitFor(async () => expect(await isInWatchlist()).toBe(true))
  expect($pendingWrites.get()).toEqual([])
})
