/** Settings that are shown before the server replies: several changes at once, failed changes, and late reads. */
import { STORE_UNMOUNT_DELAY } from 'nanostores'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'

const { actAs, switchTo, findAdultRequests, getCard, network, otherDevice, profiles } =
  await signInHousehold()
const { changeLimits, getLimitsStore } = await import('../../src/lib/stores/family.ts')
const { $familySettings, getViewingLimitsStore, saveFamilySettings, saveViewingLimits } = await import(
  '../../src/lib/stores/viewing-limits.ts'
)
const { $noticeSettings, saveNoticeSettings } = await import('../../src/lib/stores/notice-settings.ts')
const { $recommendationSignals } = await import('../../src/lib/stores/recommendation-settings.ts')
const { switchSignal } = await import('../../src/lib/stores/signal-switches.ts')

const limitsStore = getViewingLimitsStore(profiles.kid)
const kidLimitsStore = getLimitsStore(profiles.kid)
for (const store of [kidLimitsStore, $familySettings, $noticeSettings, $recommendationSignals])
  store.listen(() => {})
let stopShowingLimits = () => {}
const showLimits = () => {
  stopShowingLimits = limitsStore.listen(() => {})
}
showLimits()

const limitsPath = `/api/profile/${profiles.kid}/viewing-limits`
const getShownLimits = () => limitsStore.get().data?.limits
const loadStoredLimits = async () =>
  ((await otherDevice.get(limitsPath)).body as { limits: Record<string, unknown> }).limits
const WRITE_PATTERN = /^PUT /
/** Returns the weekend minutes that were displayed until `savesPromise` settled. */
async function recordWeekendMinutes(savesPromise: Promise<unknown>): Promise<unknown[]> {
  const shownMinutes: unknown[] = []
  // React renders in a microtask after the change of a store.
  const stopRecording = limitsStore.listen(() =>
    queueMicrotask(() => shownMinutes.push(getShownLimits()?.weekend_minutes)),
  )
  await savesPromise
  stopRecording()
  return shownMinutes
}

/** Likes a movie, and returns the first signal of the profile. */
async function showFirstSignal(): Promise<string> {
  await otherDevice.put(`/api/profile/${profiles.adult}/feedback/movie/${getCard('Paper Kites').id}`, {
    feedback: 'like',
  })
  $recommendationSignals.revalidate()
  await network.waitUntilIdle()
  return $recommendationSignals.get().data?.results[0]?.signal ?? ''
}
const isSignalOff = (signal: string) =>
  $recommendationSignals.get().data?.results.find((listed) => listed.signal === signal)?.off

beforeEach(async () => {
  otherDevice.profileId = profiles.adult
  await actAs('adult')
  await otherDevice.put(limitsPath, {
    school_day_minutes: 60,
    weekend_minutes: 60,
    quiet_start: null,
    quiet_end: null,
  })
  await network.waitUntilIdle()
})

describe('two changes at the same time', () => {
  it('the last of two changes of a limit is displayed and stored, although the request of the first change is slower', async () => {
    const releaseFirstRequest = network.hold(WRITE_PATTERN, 'request', 1)
    const firstSavePromise = saveViewingLimits(profiles.kid, { school_day_minutes: 30 })
    await network.waitUntilIdle()
    const secondSavePromise = saveViewingLimits(profiles.kid, { school_day_minutes: 90 })
    await network.waitUntilIdle()
    expect(getShownLimits()).toMatchObject({ school_day_minutes: 90 })
    releaseFirstRequest()
    await Promise.all([firstSavePromise, secondSavePromise])
    expect(getShownLimits()).toMatchObject({ school_day_minutes: 90 })
    expect(await loadStoredLimits()).toMatchObject({ school_day_minutes: 90 })
  })

  it('the second change stays displayed when the reply to the first change arrives', async () => {
    const firstSavePromise = saveViewingLimits(profiles.kid, { school_day_minutes: 30 })
    const secondSavePromise = saveViewingLimits(profiles.kid, { weekend_minutes: 90 })
    const shownMinutes = await recordWeekendMinutes(Promise.all([firstSavePromise, secondSavePromise]))
    expect(new Set(shownMinutes)).toEqual(new Set([90]))
    expect(getShownLimits()).toMatchObject({ school_day_minutes: 30, weekend_minutes: 90 })
  })

  it('if the first change fails, the second change stays displayed and is stored', async () => {
    network.failNext(WRITE_PATTERN, 500)
    const releaseRequests = network.hold(WRITE_PATTERN)
    const firstSavePromise = saveViewingLimits(profiles.kid, { school_day_minutes: 30 })
    const secondSavePromise = saveViewingLimits(profiles.kid, { weekend_minutes: 90 })
    releaseRequests()
    const savesPromise = Promise.all([firstSavePromise, secondSavePromise])
    expect(new Set(await recordWeekendMinutes(savesPromise))).toEqual(new Set([90]))
    expect(await savesPromise).toEqual([false, true])
    await network.waitUntilIdle()
    expect(getShownLimits()).toMatchObject({ school_day_minutes: 60, weekend_minutes: 90 })
    expect(await loadStoredLimits()).toMatchObject({ school_day_minutes: 60, weekend_minutes: 90 })
  })

  it('limits of two categories of the parental guide are both stored', async () => {
    const releaseRequests = network.hold(WRITE_PATTERN)
    const firstSavePromise = changeLimits(profiles.kid, { guide: { violence: 'mild' } })
    const shownGuide = kidLimitsStore.get().data?.guide
    const secondSavePromise = changeLimits(profiles.kid, { guide: { ...shownGuide, sex: 'none' } })
    expect(kidLimitsStore.get().data?.guide).toEqual({ violence: 'mild', sex: 'none' })
    releaseRequests()
    await Promise.all([firstSavePromise, secondSavePromise])
    expect(kidLimitsStore.get().data?.guide).toEqual({ violence: 'mild', sex: 'none' })
  })
})

describe('a change while its write is being sent', () => {
  it('a changed notice setting and a changed family setting are displayed before the server replies', async () => {
    const releaseRequests = network.hold(WRITE_PATTERN)
    const savePromises = [
      saveNoticeSettings({ quiet: { from: '21:00', until: '06:00' } }),
      saveFamilySettings({ weekend: 'fri_sat' }),
    ]
    expect($noticeSettings.get().data?.quiet).toEqual({ from: '21:00', until: '06:00' })
    expect($familySettings.get().data?.weekend).toBe('fri_sat')
    releaseRequests()
    await Promise.all(savePromises)
    await saveFamilySettings({ weekend: 'sat_sun' })
  })

  it('a reply to an earlier read does not replace the change', async () => {
    const releaseRead = network.hold(/^GET .*viewing-limits/, 'reply')
    limitsStore.revalidate()
    await network.waitUntilIdle()
    await saveViewingLimits(profiles.kid, { school_day_minutes: 30 })
    releaseRead()
    await network.waitUntilIdle()
    expect(getShownLimits()).toMatchObject({ school_day_minutes: 30 })
  })

  it('if changing a limit fails after the user has left the page, the previous limit is displayed when the user returns', async () => {
    network.failNext(WRITE_PATTERN, 500)
    const releaseRequest = network.hold(WRITE_PATTERN)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const save = saveViewingLimits(profiles.kid, { school_day_minutes: 30 })
    stopShowingLimits()
    vi.advanceTimersByTime(STORE_UNMOUNT_DELAY)
    vi.useRealTimers()
    releaseRequest()
    expect(await save).toBe(false)
    showLimits()
    await network.waitUntilIdle()
    expect(getShownLimits()).toMatchObject({ school_day_minutes: 60 })
  })

  it('when the profile is switched before the server replies, no data of the previous profile is requested', async () => {
    const releaseRequest = network.hold(WRITE_PATTERN)
    void saveNoticeSettings({ quiet: { from: '21:00', until: '06:00' } })
    await switchTo('kid')
    network.clearRequests()
    releaseRequest()
    await network.waitUntilIdle()
    expect(findAdultRequests()).toEqual([])
    expect($noticeSettings.get().data).toBeUndefined()
  })

  it('if the server fails to disable a signal, the signals are requested once, and the signal is displayed as enabled again', async () => {
    const signal = await showFirstSignal()
    network.failNext(WRITE_PATTERN, 500)
    network.clearRequests()
    const save = switchSignal(signal, false)
    expect(isSignalOff(signal)).toBe(true)
    await save
    await network.waitUntilIdle()
    expect(isSignalOff(signal)).toBe(false)
    expect(network.requests.filter(({ url }) => url.endsWith('/recommend/signals'))).toHaveLength(1)
  })

  it('a disabled signal is displayed as disabled before the server replies, and as enabled after another device has enabled the signal', async () => {
    const signal = await showFirstSignal()
    const releaseRequest = network.hold(WRITE_PATTERN)
    const save = switchSignal(signal, false)
    expect(isSignalOff(signal)).toBe(true)
    releaseRequest()
    await save
    await network.waitUntilIdle()
    await otherDevice.put(`/api/profile/${profiles.adult}/recommend/signals/${encodeURIComponent(signal)}`, {
      off: false,
    })
    $recommendationSignals.revalidate()
    await network.waitUntilIdle()
    expect(isSignalOff(signal)).toBe(false)
  })
})
