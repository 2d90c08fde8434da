/** Viewing time, requests and options of children: in the profile of the child and in that of a parent. */
import { beforeEach, describe, expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'

const { actAs, network, otherDevice, profiles } = await signInHousehold()
const { $viewingTime } = await import('../../src/lib/stores/viewing-time.ts')
const {
  $familySettings,
  addViewingTime,
  getActivityStore,
  getChildOptionsStore,
  getViewingLimitsStore,
  saveChildOptions,
  saveFamilySettings,
  saveViewingLimits,
} = await import('../../src/lib/stores/viewing-limits.ts')
const { $askableTitles, $watchRequests, setAskableName } = await import(
  '../../src/lib/stores/watch-requests.ts'
)
const { $toast } = await import('../../src/lib/stores/toast.ts')

const LIMITS = { school_day_minutes: 60, weekend_minutes: 60, quiet_start: null, quiet_end: null }
const kidPath = `/api/profile/${profiles.kid}`
$viewingTime.listen(() => {})
$askableTitles.listen(() => {})
$watchRequests.listen(() => {})
$familySettings.listen(() => {})

beforeEach(async () => {
  otherDevice.profileId = profiles.adult
  await otherDevice.put(`${kidPath}/viewing-limits`, LIMITS)
  await actAs('adult')
  await network.waitUntilIdle()
})

describe('viewing time', () => {
  it('is unlimited for a parent and limited for the child', async () => {
    expect($viewingTime.get().data?.status).toBe('unlimited')
    await actAs('kid')
    await network.waitUntilIdle()
    expect($viewingTime.get().data).toMatchObject({ status: 'allowed', allowed_seconds: 3_600 })
  })

  it('shows limits before the server has confirmed them, and the previous ones after a failure', async () => {
    const store = getViewingLimitsStore(profiles.kid)
    store.listen(() => {})
    await network.waitUntilIdle()
    network.failNext(/PUT .*viewing-limits/, 500)
    const saving = saveViewingLimits(profiles.kid, { ...LIMITS, school_day_minutes: 30 })
    expect(store.get().data?.limits.school_day_minutes).toBe(30)
    expect(await saving).toBe(false)
    expect([store.get().data?.limits.school_day_minutes, $toast.get()?.kind]).toEqual([60, 'bad'])
  })

  it('shows added time', async () => {
    const store = getViewingLimitsStore(profiles.kid)
    store.listen(() => {})
    await network.waitUntilIdle()
    await addViewingTime(profiles.kid, 15)
    expect(store.get().data?.today.allowed_seconds).toBe(75 * 60)
  })

  it('shows saved settings of the household', async () => {
    await saveFamilySettings({ weekend: 'fri_sat' })
    expect($familySettings.get().data?.weekend).toBe('fri_sat')
  })

  it('loads the activity of a child', async () => {
    const store = getActivityStore(profiles.kid)
    store.listen(() => {})
    await network.waitUntilIdle()
    expect(store.get().data?.searches).toEqual([])
  })
})

describe('requests', () => {
  it('are empty for a parent whom nobody has asked', () => {
    expect($watchRequests.get().data).toEqual({ results: [], open: 0 })
  })

  it('asks the server for titles with the searched name, in the profile of the child only', async () => {
    expect(await saveChildOptions(profiles.kid, { may_ask: true, spoken_labels: false })).toBe(true)
    expect(getChildOptionsStore(profiles.kid)).toBe(getChildOptionsStore(profiles.kid))
    await actAs('kid')
    setAskableName('Nothing has this name')
    await network.waitUntilIdle()
    expect($askableTitles.get().data).toEqual({ results: [] })
  })
})
