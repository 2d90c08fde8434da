/** Changes of limits and added viewing time, while another device changes the same profile or a reply is lost. */
import { beforeEach, expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'
import { waitFor } from '../support/wait-for.ts'

const { actAs, network, otherDevice, profiles } = await signInHousehold()
const { changeLimits, getLimitsStore } = await import('../../src/lib/stores/family.ts')
const { addViewingTime, getChildOptionsStore, getViewingLimitsStore, saveChildOptions, saveViewingLimits } =
  await import('../../src/lib/stores/viewing-limits.ts')

const { addViewingTimeWithPin } = await import('../../src/lib/stores/parent-pin.ts')
const { $hasParentPin } = await import('../../src/lib/stores/watch-requests.ts')
const { $viewingTime } = await import('../../src/lib/stores/viewing-time.ts')
const { loadProfiles } = await import('../../src/lib/stores/profile.ts')
const { $toast } = await import('../../src/lib/stores/toast.ts')

const kidPath = `/api/profile/${profiles.kid}`
const stores = [getLimitsStore, getViewingLimitsStore, getChildOptionsStore].map((getStore) =>
  getStore(profiles.kid),
)
for (const store of stores) store.listen(() => {})

beforeEach(async () => {
  otherDevice.profileId = profiles.adult
  await actAs('adult')
  await otherDevice.put(`${kidPath}/viewing-limits`, {
    school_day_minutes: 60,
    weekend_minutes: 60,
    quiet_start: null,
    quiet_end: null,
  })
  await network.waitUntilIdle()
})

it('saving one limit does not reset other limits that another device has changed since the limits were loaded', async () => {
  const loadedLimits = getLimitsStore(profiles.kid).get().data
  await otherDevice.put(`${kidPath}/limits`, { guide: { sex: 'none' } })
  await otherDevice.put(`${kidPath}/viewing-limits`, { weekend_minutes: 90 })
  await otherDevice.put(`${kidPath}/child-options`, { may_ask: true })
  expect(await changeLimits(profiles.kid, { guide: { ...loadedLimits?.guide, violence: 'mild' } })).toBe(true)
  expect(await saveViewingLimits(profiles.kid, { school_day_minutes: 30 })).toBe(true)
  expect(await saveChildOptions(profiles.kid, { spoken_labels: true })).toBe(true)
  expect(getLimitsStore(profiles.kid).get().data?.guide).toEqual({ sex: 'none', violence: 'mild' })
  expect(getViewingLimitsStore(profiles.kid).get().data?.limits).toMatchObject({
    school_day_minutes: 30,
    weekend_minutes: 90,
  })
  expect(getChildOptionsStore(profiles.kid).get().data).toEqual({ may_ask: true, spoken_labels: true })
})

it('a retry after a lost reply does not add viewing time a second time, but a later addition adds viewing time again', async () => {
  const getAllowedMinutes = () =>
    (getViewingLimitsStore(profiles.kid).get().data?.today.allowed_seconds ?? 0) / 60
  network.loseNextReply(/POST .*extra/)
  await addViewingTime(profiles.kid, 15)
  await addViewingTime(profiles.kid, 15)
  expect(getAllowedMinutes()).toBe(75)
  await addViewingTime(profiles.kid, 15)
  expect(getAllowedMinutes()).toBe(90)
  network.failNext(/POST .*extra/, 403)
  await addViewingTime(profiles.kid, 30)
  await addViewingTime(profiles.kid, 30)
  expect(getAllowedMinutes()).toBe(120)
  $toast.get()?.undo?.()
  await waitFor(() => expect(getAllowedMinutes()).toBe(90))
})

it('a parent adds viewing time on the device of the child with the exit PIN if the main profile has no PIN', async () => {
  $viewingTime.listen(() => {})
  await actAs('kid')
  await network.waitUntilIdle()
  expect($hasParentPin.get()).toBe(false)
  await otherDevice.put('/api/user/family/exit-pin', { pin: '9753' })
  await loadProfiles()
  expect($hasParentPin.get()).toBe(true)
  const allowedSecondsBefore = $viewingTime.get().data?.allowed_seconds ?? 0
  const addedTime = { minutes: 15, key: 'here' }
  await expect(addViewingTimeWithPin({ ...addedTime, pin: '0000' })).rejects.toMatchObject({
    type: 'invalid_pin',
  })
  await addViewingTimeWithPin({ ...addedTime, pin: '9753' })
  expect($viewingTime.get().data?.allowed_seconds).toBe(allowedSecondsBefore + 900)
  await otherDevice.put('/api/user/family/exit-pin', { pin: null })
})
