/** Deletions whose reply is lost: the displayed list is reloaded, and a second attempt succeeds. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { TEST_PASSWORD } from '../support/server.ts'
import { signInHousehold } from '../support/store-environment.ts'
import { waitFor } from '../support/wait-for.ts'

const { actAs, network, otherDevice, profiles } = await signInHousehold()
const { $apiKeys, createApiKey, revokeApiKey } = await import('../../src/lib/stores/api-keys.ts')
const { $bin, eraseBinItem } = await import('../../src/lib/stores/bin.ts')
const { $calendarAddress, $calendarFeed, createCalendarAddress } = await import(
  '../../src/lib/stores/calendar-feed.ts'
)
const { $namedLists, deleteList, saveList } = await import('../../src/lib/stores/named-lists.ts')
const { $profiles } = await import('../../src/lib/stores/profile.ts')
const { createProfile, deleteProfile } = await import('../../src/lib/stores/profile-changes.ts')
const { $toast } = await import('../../src/lib/stores/toast.ts')

let stopListening: (() => void)[] = []
beforeEach(async () => {
  await actAs('adult')
  stopListening = [$apiKeys, $bin, $calendarFeed, $namedLists].map(($store) => $store.listen(() => {}))
  await network.waitUntilIdle()
})
afterEach(() => {
  for (const stop of stopListening) stop()
})

const createKey = () =>
  createApiKey({ name: 'Script', scopes: ['catalogue:read'], password: TEST_PASSWORD }).then(() =>
    network.waitUntilIdle(),
  )
const getKeys = () => $apiKeys.get().data?.results ?? []

it('an API key is no longer displayed after the reply to its revocation was lost', async () => {
  await createKey()
  network.loseNextReply(/DELETE .*api-keys/)
  await expect(revokeApiKey(getKeys()[0]?.key_id ?? '')).rejects.toMatchObject({ status: 0 })
  await waitFor(() => expect(getKeys()).toEqual([]))
})

it('a second attempt to revoke an API key succeeds when the first attempt has revoked it', async () => {
  await createKey()
  const keyId = getKeys()[0]?.key_id ?? ''
  network.loseNextReply(/DELETE .*api-keys/)
  await revokeApiKey(keyId).catch(() => {})
  await revokeApiKey(keyId)
  await waitFor(() => expect(getKeys()).toEqual([]))
})

it('revoking an API key fails when the server responds with 403, or with a 404 that is not an API error', async () => {
  await createKey()
  const keyId = getKeys()[0]?.key_id ?? ''
  network.failNext(/DELETE .*api-keys/, 403)
  await expect(revokeApiKey(keyId)).rejects.toMatchObject({ status: 403 })
  network.failNext(/DELETE .*api-keys/, 404, '<html>404 page not found</html>')
  await expect(revokeApiKey(keyId)).rejects.toMatchObject({ status: 404 })
  await revokeApiKey(keyId)
})

it('after a lost reply, a second attempt to delete a list, or to erase the list from the bin, succeeds', async () => {
  const savedList = await saveList(null, { name: 'Rainy days' })
  const listId = 'list' in savedList ? savedList.list.list_id : ''
  network.loseNextReply(/DELETE .*lists/)
  expect(await deleteList(listId)).toBe(false)
  await waitFor(() => expect($namedLists.get().data?.results).toEqual([]))
  expect(await deleteList(listId)).toBe(true)
  expect($toast.get()).toMatchObject({ key: 'lists:deleted' })
  await actAs('adult')
  await waitFor(() => expect($bin.get().data?.results).toHaveLength(1))
  const [binItem] = $bin.get().data?.results ?? []
  if (!binItem) throw new Error('The bin is empty')
  network.loseNextReply(/DELETE .*bin/)
  await expect(eraseBinItem(binItem)).rejects.toMatchObject({ status: 0 })
  await eraseBinItem(binItem)
  await waitFor(() => expect($bin.get().data?.results).toEqual([]))
})

it('after a lost reply, a second attempt to delete a profile succeeds', async () => {
  const { profile_id: profileId } = await createProfile({ name: 'Visitor' })
  network.loseNextReply(/DELETE .*profile/)
  await expect(deleteProfile(profileId)).rejects.toMatchObject({ status: 0 })
  await deleteProfile(profileId)
  expect($profiles.get()?.some(({ profile_id }) => profile_id === profileId)).toBe(false)
})

it('a calendar address is no longer displayed after the reply to its replacement was lost', async () => {
  await createCalendarAddress()
  const address = $calendarAddress.get()
  network.failNext(/POST .*feed/, 429)
  await createCalendarAddress()
  expect($calendarAddress.get()).toBe(address)
  network.loseNextReply(/POST .*feed/)
  await createCalendarAddress()
  expect($calendarAddress.get()).toBe('')
  otherDevice.profileId = profiles.adult
  const { body: feed } = await otherDevice.get(`/api/profile/${profiles.adult}/calendar/feed`)
  await waitFor(() => expect($calendarFeed.get().data).toEqual(feed))
})
