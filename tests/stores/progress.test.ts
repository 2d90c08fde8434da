/** Progress of playback: saving, resetting with Undo, and the Continue Watching row. */
import { beforeEach, describe, expect, it } from 'vitest'
import { signInHousehold, startOutboxAtOnce } from '../support/store-environment.ts'

const household = await signInHousehold()
const { actAs, switchTo, card, findAdultRequests, network, otherDevice, profiles } = household
const { dismissCard } = await import('../../src/lib/stores/continue-watching.ts')
const { clearAllProgress, findPendingRemoval, resetProgress, saveProgress } = await import(
  '../../src/lib/stores/progress.ts'
)
const { $continueWatching, $titleProgress, $currentTitle } = await import('../../src/lib/stores/titles.ts')
const { $pendingWrites } = await import('../../src/lib/stores/pending-writes.ts')
const { $toast } = await import('../../src/lib/stores/toast.ts')

const kites = card('Paper Kites')
const getHistoryPath = (profile: string) => `/api/profile/${profile}/history`
const readSeconds = async (profile = profiles.adult): Promise<number | undefined> => {
  otherDevice.profileId = profile
  const { body } = await otherDevice.get(`${getHistoryPath(profile)}/movie/${kites.id}`)
  otherDevice.profileId = profiles.adult
  return body.latest?.progress
}
const savePosition = (seconds: number, isLeaving = false) =>
  saveProgress({ title: kites, progress: seconds, duration: 6_000 }, isLeaving)
const listContinueWatchingTitles = () => $continueWatching.get().data?.results.map(({ media }) => media.title)
const waitUntilSettled = async <T>(promise: Promise<T>) => {
  const value = await promise
  await network.waitUntilIdle()
  return value
}
for (const $store of [$continueWatching, $titleProgress, $pendingWrites]) $store.listen(() => {})

beforeEach(async () => {
  for (const profile of [profiles.adult, profiles.kid]) {
    otherDevice.profileId = profile
    await otherDevice.delete(getHistoryPath(profile))
  }
  otherDevice.profileId = profiles.adult
  await actAs('adult')
})

describe('saving the position', () => {
  it('adds the title to Continue Watching', async () => {
    await waitUntilSettled(savePosition(1_200))
    expect(await readSeconds()).toBe(1_200)
    expect(listContinueWatchingTitles()).toEqual(['Paper Kites'])
  })

  it('updates the progress of the title that is displayed', async () => {
    $currentTitle.set({ type: 'movie', slug: kites.slug })
    await network.waitUntilIdle()
    await waitUntilSettled(savePosition(1_800))
    expect($titleProgress.get().data?.latest?.progress).toBe(1_800)
  })

  it('sends the last position at once when the page is left', async () => {
    void savePosition(1_500, true)
    await network.waitUntilIdle()
    expect(await readSeconds()).toBe(1_500)
  })

  it('saves nothing before playback has started or when the duration is unknown', async () => {
    await savePosition(0)
    await saveProgress({ title: kites, progress: 100, duration: 0 })
    expect(network.requests).toEqual([])
  })

  it('stores the position while offline, until the network returns', async () => {
    await startOutboxAtOnce(household)
    network.setOffline(true)
    await savePosition(2_000)
    expect($pendingWrites.get()).toMatchObject([{ kind: 'progress', progress: 2_000 }])
    network.setOffline(false)
    await network.waitUntilIdle()
    expect(await readSeconds()).toBe(2_000)
    expect($pendingWrites.get()).toEqual([])
  })
})

describe('removing progress', () => {
  it('resets a title, and restores it with Undo', async () => {
    await waitUntilSettled(savePosition(1_200))
    await waitUntilSettled(resetProgress(kites))
    expect(await readSeconds()).toBeUndefined()
    expect(listContinueWatchingTitles()).toEqual([])
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(await readSeconds()).toBe(1_200)
    expect(listContinueWatchingTitles()).toEqual(['Paper Kites'])
  })

  it('clears the whole history, and restores it with Undo', async () => {
    await waitUntilSettled(savePosition(1_200))
    await waitUntilSettled(clearAllProgress())
    expect($toast.get()).toMatchObject({ key: 'account:historyCleared' })
    expect(await readSeconds()).toBeUndefined()
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(await readSeconds()).toBe(1_200)
  })

  it('finds the pending removal while offline', async () => {
    await startOutboxAtOnce(household)
    network.setOffline(true)
    await resetProgress(kites)
    expect(findPendingRemoval($pendingWrites.get(), `reset movie/${kites.id}`)).toMatchObject({
      kind: 'reset',
    })
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(findPendingRemoval($pendingWrites.get(), `reset movie/${kites.id}`)).toBeUndefined()
    network.setOffline(false)
    await network.waitUntilIdle()
  })

  it('shows a message when Undo fails', async () => {
    await waitUntilSettled(resetProgress(kites))
    network.failNext(/undo/, 500)
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect($toast.get()).toMatchObject({ key: 'errors:failed', kind: 'bad' })
  })
})

describe('removing a card from Continue Watching', () => {
  it('hides the card at once, and shows it again after Undo', async () => {
    await waitUntilSettled(savePosition(1_200))
    const release = network.hold(/PUT/)
    const changePromise = dismissCard(kites)
    expect(listContinueWatchingTitles()).toEqual([])
    release()
    await waitUntilSettled(changePromise)
    expect(await readSeconds()).toBe(1_200)
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(listContinueWatchingTitles()).toEqual(['Paper Kites'])
  })

  it('shows the card again when the server rejects the removal', async () => {
    await waitUntilSettled(savePosition(1_200))
    network.failNext(/PUT/, 422)
    await dismissCard(kites)
    expect(listContinueWatchingTitles()).toEqual(['Paper Kites'])
    expect($toast.get()).toMatchObject({ key: 'errors:failed', kind: 'bad' })
  })
})

describe('after a switch to a kids profile', () => {
  it('shows the progress of the kid, and sends no request for the adult profile', async () => {
    await waitUntilSettled(savePosition(1_200))
    $currentTitle.set({ type: 'movie', slug: kites.slug })
    await network.waitUntilIdle()
    await switchTo('kid')
    expect(listContinueWatchingTitles()).toEqual([])
    expect($titleProgress.get()).toEqual({ loading: false })
    expect(findAdultRequests()).toEqual([])
    await switchTo('adult')
    expect(listContinueWatchingTitles()).toEqual(['Paper Kites'])
  })

  it('saves a position for the profile that watched', async () => {
    const release = network.hold(/history/)
    void savePosition(900, true)
    await network.waitUntilIdle()
    await switchTo('kid')
    release()
    await network.waitUntilIdle()
    expect(await readSeconds()).toBe(900)
    expect(await readSeconds(profiles.kid)).toBeUndefined()
  })

  it('does not add a card of the adult to the row of the kid when the removal of the card fails', async () => {
    await waitUntilSettled(savePosition(1_200))
    const release = network.hold(/PUT/)
    network.failNext(/PUT/, 422)
    void dismissCard(kites)
    await switchTo('kid')
    release()
    await network.waitUntilIdle()
    expect(listContinueWatchingTitles()).toEqual([])
    expect($toast.get()).toBeNull()
  })
})
