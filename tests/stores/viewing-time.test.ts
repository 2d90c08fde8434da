/** Viewing time, watch requests and options of a child, in the profiles of the child and of a parent. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signInHousehold, startOutboxImmediately } from '../support/store-environment.ts'
import { waitFor } from '../support/wait-for.ts'

const household = await signInHousehold()
const { actAs, getCard, network, otherDevice, profiles } = household
await startOutboxImmediately(household)
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
const { $characters } = await import('../../src/lib/stores/characters.ts')
const {
  $askableTitles,
  $watchRequests,
  countAskableTitles,
  listenToAskableTitleDecrease,
  setAskableTitleName,
} = await import('../../src/lib/stores/watch-requests.ts')
const { refetchAll } = await import('../../src/lib/stores/query.ts')
const { getPlayedTime, startMeasuringPlayedTime } = await import('../../src/islands/watch/played-time.ts')
const { saveProgress } = await import('../../src/lib/stores/save-progress.ts')
const { $toast } = await import('../../src/lib/stores/toast.ts')

const DAY_MS = 86_400_000
const VIEWING_LIMITS = { school_day_minutes: 60, weekend_minutes: 60, quiet_start: null, quiet_end: null }
const kidPath = `/api/profile/${profiles.kid}`
$viewingTime.listen(() => {})
$characters.listen(() => {})
$askableTitles.listen(() => {})
$watchRequests.listen(() => {})
$familySettings.listen(() => {})

beforeEach(async () => {
  otherDevice.profileId = profiles.adult
  await otherDevice.put(`${kidPath}/viewing-limits`, VIEWING_LIMITS)
  await actAs('adult')
  await network.waitUntilIdle()
})

describe('viewing time', () => {
  it('viewing time is unlimited for a parent and limited for the child', async () => {
    expect($viewingTime.get().data?.status).toBe('unlimited')
    await actAs('kid')
    await network.waitUntilIdle()
    expect($viewingTime.get().data).toMatchObject({ status: 'allowed', allowed_seconds: 3_600 })
  })

  it('changed limits are shown immediately, and a failed change restores the previous limits', async () => {
    const limitsStore = getViewingLimitsStore(profiles.kid)
    limitsStore.listen(() => {})
    await network.waitUntilIdle()
    network.failNext(/PUT .*viewing-limits/, 500)
    const savePromise = saveViewingLimits(profiles.kid, { ...VIEWING_LIMITS, school_day_minutes: 30 })
    expect(limitsStore.get().data?.limits.school_day_minutes).toBe(30)
    expect(await savePromise).toBe(false)
    expect([limitsStore.get().data?.limits.school_day_minutes, $toast.get()?.kind]).toEqual([60, 'bad'])
  })

  it('added viewing time increases the allowed time of today', async () => {
    const limitsStore = getViewingLimitsStore(profiles.kid)
    limitsStore.listen(() => {})
    await network.waitUntilIdle()
    await addViewingTime(profiles.kid, 15)
    expect(limitsStore.get().data?.today.allowed_seconds).toBe(75 * 60)
    await otherDevice.post(`/api/profile/${profiles.kid}/viewing-time/extra`, { minutes: 15 })
    network.failNext(/extra/, 504)
    await addViewingTime(profiles.kid, 15)
    // The call fails, so the store requests the limits again. The reply is displayed only after a dynamic `import()`.
    // The test therefore polls.
    await waitFor(() => expect(limitsStore.get().data?.today.allowed_seconds).toBe(90 * 60))
  })

  it('saving the family settings updates the displayed settings', async () => {
    await saveFamilySettings({ weekend: 'fri_sat' })
    expect($familySettings.get().data?.weekend).toBe('fri_sat')
  })

  it('the loaded activity of a child contains no searches when the child has searched nothing', async () => {
    const activityStore = getActivityStore(profiles.kid)
    activityStore.listen(() => {})
    await network.waitUntilIdle()
    expect(activityStore.get().data?.searches).toEqual([])
  })
})

/** A video element without playback. The test sets the position of the video. */
class TestVideo extends EventTarget {
  currentTime = 100
  playbackRate = 1
  paused = true
  muted = false
  seeking = false
  dispatchEvents(...eventNames: string[]): void {
    for (const eventName of eventNames) this.dispatchEvent(new Event(eventName))
  }
}

describe('measured playing time', () => {
  const { now: originalPerformanceNow } = performance
  const originalDateNow = Date.now
  let clockMs = 0
  let video: TestVideo
  let stopMeasuring = () => {}
  beforeEach(() => {
    performance.now = () => clockMs
    video = new TestVideo()
    stopMeasuring = startMeasuringPlayedTime(video as unknown as HTMLVideoElement)
  })
  afterEach(() => {
    stopMeasuring()
    performance.now = originalPerformanceNow
    Date.now = originalDateNow
  })
  const advanceClock = (seconds: number) => {
    clockMs += seconds * 1_000
  }
  const playVideo = (seconds: number) => {
    video.paused = false
    video.dispatchEvents('playing')
    for (let quarterSecondIndex = 0; quarterSecondIndex < seconds * 4; quarterSecondIndex++) {
      advanceClock(0.25)
      video.currentTime += video.playbackRate / 4
      video.dispatchEvents('timeupdate')
    }
  }
  const countPlayedSeconds = (action: () => void) => {
    const playedSecondsBefore = getPlayedTime().seconds
    action()
    return Math.round(getPlayedTime().seconds - playedSecondsBefore)
  }

  it('playing time is counted with and without sound, and in real time at double playback rate', () => {
    expect(countPlayedSeconds(() => playVideo(60))).toBe(60)
    video.muted = true
    expect(countPlayedSeconds(() => playVideo(60))).toBe(60)
    video.playbackRate = 2
    expect(countPlayedSeconds(() => playVideo(30))).toBe(30)
  })

  it('playing time excludes pauses, stalled playback and jumps', () => {
    playVideo(10)
    expect(
      countPlayedSeconds(() => {
        video.paused = true
        video.dispatchEvents('pause')
        advanceClock(600)
        playVideo(20)
      }),
    ).toBe(20)
    expect(
      countPlayedSeconds(() => {
        video.dispatchEvents('waiting')
        advanceClock(300)
        playVideo(20)
      }),
    ).toBe(20)
    expect(
      countPlayedSeconds(() => {
        for (const positionSeconds of [5_000, 10]) {
          video.seeking = true
          video.dispatchEvents('seeking')
          advanceClock(3)
          video.currentTime = positionSeconds
          video.seeking = false
          playVideo(10)
        }
      }),
    ).toBe(20)
  })

  it('playing time does not depend on the clock of the device', () => {
    for (const clockStepMs of [-7_200_000, 86_400_000]) {
      Date.now = () => originalDateNow() + clockStepMs
      expect(countPlayedSeconds(() => playVideo(30))).toBe(30)
    }
  })

  it('playing time and position of offline playback are sent when the network returns, and the playing time is counted once', async () => {
    const { server } = household
    // Moves the server's clock to noon. Viewing time is counted by day, and this test must not run past midnight.
    server.advanceClock((1.5 * DAY_MS - (server.deps.now() % DAY_MS)) % DAY_MS)
    const refreshOtherDevice = async () => {
      otherDevice.accessToken = (await otherDevice.post('/api/auth/refresh')).body.access_token
    }
    await refreshOtherDevice()
    await actAs('kid')
    const title = { type: 'movie', id: getCard('Paper Kites').id } as const
    const savePosition = () =>
      saveProgress({
        title,
        positionSeconds: video.currentTime,
        durationSeconds: 9_000,
        played: [getPlayedTime()],
      })
    playVideo(10)
    await savePosition()
    await network.waitUntilIdle()
    const readViewingTimeToday = async () => (await otherDevice.get(`${kidPath}/viewing-limits`)).body.today
    const playedSecondsBefore = (await readViewingTimeToday()).played_seconds
    network.setOffline(true)
    const playedSeconds = countPlayedSeconds(() => playVideo(10))
    await savePosition()
    server.advanceClock(3_600_000)
    expect(countPlayedSeconds(() => playVideo(1_800)) + playedSeconds).toBe(1_810)
    await savePosition()
    network.setOffline(false)
    await network.waitUntilIdle()
    await refreshOtherDevice()
    const viewingTimeAfter = await readViewingTimeToday()
    expect(Math.abs(viewingTimeAfter.played_seconds - playedSecondsBefore - 1_810)).toBeLessThanOrEqual(30)
    const { body } = await otherDevice.get(`${kidPath}/history/movie/${title.id}`)
    expect(body.latest.progress).toBe(video.currentTime)
  })
})

describe('characters', () => {
  it('characters are loaded for kids profiles only', async () => {
    expect($characters.get()).toEqual({ loading: false })
    await actAs('kid')
    await network.waitUntilIdle()
    expect($characters.get().data?.results).toMatchObject([{ name: 'Lead' }])
    await actAs('adult')
    expect($characters.get()).toEqual({ loading: false })
  })
})

describe('watch requests', () => {
  it('a parent has no watch requests while no child has sent a request', () => {
    expect($watchRequests.get().data).toEqual({ results: [], open: 0 })
  })

  it('the number of titles that a child can ask for is unknown until the server has searched the name', async () => {
    expect(await saveChildOptions(profiles.kid, { may_ask: true, spoken_labels: false })).toBe(true)
    expect(getChildOptionsStore(profiles.kid)).toBe(getChildOptionsStore(profiles.kid))
    await actAs('kid')
    const unknownName = 'Nothing has this name'
    const releaseRequest = network.hold(/GET .*\/requests\?name/)
    setAskableTitleName(unknownName)
    await network.waitUntilIdle()
    expect(countAskableTitles($askableTitles.get(), unknownName)).toBe(null)
    expect(countAskableTitles($askableTitles.get(), 'N')).toBe(0)
    releaseRequest()
    await network.waitUntilIdle()
    expect($askableTitles.get().data).toEqual({ results: [] })
    expect(countAskableTitles($askableTitles.get(), unknownName)).toBe(0)
  })

  it('`listenToAskableTitleDecrease` calls its listener when a child can ask for fewer titles of the same searched name, but not when the name changes', async () => {
    await saveChildOptions(profiles.kid, { may_ask: true, spoken_labels: false })
    await actAs('kid')
    let decreaseCount = 0
    const stopListening = listenToAskableTitleDecrease(() => {
      decreaseCount += 1
    })
    const searchNameAndCount = async (name: string) => {
      // The search page also removes the previous name before it sets another name.
      setAskableTitleName('')
      setAskableTitleName(name)
      await network.waitUntilIdle()
      return countAskableTitles($askableTitles.get(), name)
    }
    await searchNameAndCount('Cold Verdict')
    $askableTitles.mutate({ results: [{ ...getCard('Cold Verdict'), request_id: null }] })
    expect(await searchNameAndCount('Cold Verdicts')).toBe(0)
    expect(await searchNameAndCount('Cold Verdict')).toBe(1)
    expect(decreaseCount).toBe(0)
    // The server finds no title with this name that the child may ask for.
    refetchAll()
    await network.waitUntilIdle()
    expect(countAskableTitles($askableTitles.get(), 'Cold Verdict')).toBe(0)
    expect(decreaseCount).toBe(1)
    stopListening()
  })
})
