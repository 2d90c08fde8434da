/** Progress of playback: saving, resetting with Undo, and the Continue Watching row. */
import { beforeEach, describe, expect, it } from 'vitest'
import { signInHousehold, startOutboxImmediately } from '../support/store-environment.ts'
import { waitFor } from '../support/wait-for.ts'

const household = await signInHousehold()
const { actAs, switchTo, getCard, findAdultRequests, network, otherDevice, profiles } = household
const { $displayedContinueWatching } = await import('../../src/lib/stores/continue-watching.ts')
const { dismissCard } = await import('../../src/lib/stores/dismiss-card.ts')
const { clearAllProgress, findPendingRemoval, isProgressRemovalPending, resetProgress } = await import(
  '../../src/lib/stores/progress.ts'
)
const { saveProgress } = await import('../../src/lib/stores/save-progress.ts')
const { $displayedPreviewProgress, $previewedTitle, $previewPlayAction } = await import(
  '../../src/lib/stores/preview.ts'
)
const { $continueWatching, $titleProgress, $currentTitle } = await import('../../src/lib/stores/titles.ts')
const { $displayedTitleProgress } = await import('../../src/lib/stores/title-progress.ts')
// Every page loads this module, which removes cards and progress when a removal was sent.
await import('../../src/lib/stores/sent-removals.ts')
const { $pendingWrites } = await import('../../src/lib/stores/pending-writes.ts')
const { $toast } = await import('../../src/lib/stores/toast.ts')
const { refreshSession } = await import('../../src/lib/client/auth.ts')

const harbour = getCard('Night Harbour')
const kites = getCard('Paper Kites')
const getHistoryPath = (profileId: string) => `/api/profile/${profileId}/history`
const readProgressSeconds = async (profileId = profiles.adult): Promise<number | undefined> => {
  otherDevice.profileId = profileId
  const { body } = await otherDevice.get(`${getHistoryPath(profileId)}/movie/${kites.id}`)
  otherDevice.profileId = profiles.adult
  return body.latest?.progress
}
const savePosition = (positionSeconds: number, isPageClosing = false) =>
  saveProgress({ title: kites, positionSeconds, durationSeconds: 6_000 }, isPageClosing)
const listContinueWatchingTitles = () => $continueWatching.get().data?.results.map(({ media }) => media.title)
const listDisplayedTitles = () =>
  $displayedContinueWatching.get().data?.results.map(({ media }) => media.title)
const loadContinueWatching = async () =>
  (await otherDevice.get(`/api/profile/${profiles.adult}/continue-watching`)).body
const waitUntilSettled = async <T>(promise: Promise<T>) => {
  const settledValue = await promise
  await network.waitUntilIdle()
  return settledValue
}
for (const $store of [
  $displayedContinueWatching,
  $previewPlayAction,
  $displayedPreviewProgress,
  $titleProgress,
  $displayedTitleProgress,
  $pendingWrites,
])
  $store.listen(() => {})

beforeEach(async () => {
  for (const profileId of [profiles.adult, profiles.kid]) {
    otherDevice.profileId = profileId
    await otherDevice.delete(getHistoryPath(profileId))
  }
  otherDevice.profileId = profiles.adult
  await actAs('adult')
})

describe('saving the position', () => {
  it('saving a position adds the title to Continue Watching', async () => {
    await waitUntilSettled(savePosition(1_200))
    expect(await readProgressSeconds()).toBe(1_200)
    expect(listContinueWatchingTitles()).toEqual(['Paper Kites'])
  })

  it('saving a position updates the displayed progress of the title', async () => {
    $currentTitle.set({ type: 'movie', slug: kites.slug })
    await network.waitUntilIdle()
    await waitUntilSettled(savePosition(1_800))
    expect($titleProgress.get().data?.latest?.progress).toBe(1_800)
  })

  it('the last position is sent immediately when the page is left', async () => {
    void savePosition(1_500, true)
    await network.waitUntilIdle()
    expect(await readProgressSeconds()).toBe(1_500)
  })

  it.each([
    ['fails', () => network.failNext(/POST .*history/, 503)],
    ['does not respond', () => void network.hold(/POST .*history/)],
  ])(
    'when the page is left while the server %s, the last position becomes a pending write and is sent later',
    async (_, startServerFault) => {
      await startOutboxImmediately(household)
      startServerFault()
      void savePosition(1_500, true)
      await network.waitUntilIdle()
      expect($pendingWrites.get()).toMatchObject([{ kind: 'progress', progress: 1_500 }])
      await network.reset()
      dispatchEvent(new Event('online'))
      await waitFor(() => expect($pendingWrites.get()).toEqual([]))
      expect(await readProgressSeconds()).toBe(1_500)
    },
  )

  it('the last position is sent when the page is left and the storage is full', async () => {
    const storage = localStorage as unknown as { isFull: boolean }
    storage.isFull = true
    void savePosition(1_500, true)
    await network.waitUntilIdle()
    storage.isFull = false
    expect(await readProgressSeconds()).toBe(1_500)
  })

  it('no position is saved before playback has started or when the duration is unknown', async () => {
    await savePosition(0)
    await saveProgress({ title: kites, positionSeconds: 100, durationSeconds: 0 })
    expect(network.requests).toEqual([])
  })

  it('an offline position is stored, and sent when the network returns', async () => {
    await startOutboxImmediately(household)
    network.setOffline(true)
    await savePosition(2_000)
    expect($pendingWrites.get()).toMatchObject([{ kind: 'progress', progress: 2_000 }])
    network.setOffline(false)
    await network.waitUntilIdle()
    expect(await readProgressSeconds()).toBe(2_000)
    expect($pendingWrites.get()).toEqual([])
  })
})

describe('removing progress', () => {
  it('removing the progress of a title can be reverted with Undo', async () => {
    await waitUntilSettled(savePosition(1_200))
    await waitUntilSettled(resetProgress(kites))
    expect(await readProgressSeconds()).toBeUndefined()
    expect(listContinueWatchingTitles()).toEqual([])
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(await readProgressSeconds()).toBe(1_200)
    expect(listContinueWatchingTitles()).toEqual(['Paper Kites'])
  })

  it('clearing all progress can be reverted with Undo', async () => {
    await waitUntilSettled(savePosition(1_200))
    await waitUntilSettled(clearAllProgress())
    expect($toast.get()).toMatchObject({ key: 'account:historyCleared' })
    expect(await readProgressSeconds()).toBeUndefined()
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(await readProgressSeconds()).toBe(1_200)
  })

  it('an offline removal of progress stays pending until Undo cancels the removal', async () => {
    await startOutboxImmediately(household)
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

  it('a message is shown when the server rejects the removal of progress', async () => {
    network.failNext(/DELETE/, 403)
    await resetProgress(kites)
    expect($toast.get()).toMatchObject({ key: 'errors:failed', kind: 'bad' })
  })

  it('a removal that finds no progress offers no Undo', async () => {
    await waitUntilSettled(savePosition(1_200))
    await otherDevice.delete(`${getHistoryPath(profiles.adult)}/movie/${kites.id}`)
    for (const removeProgress of [() => resetProgress(kites), clearAllProgress]) {
      await waitUntilSettled(removeProgress())
      expect($toast.get()?.undo).toBeUndefined()
    }
    expect(await readProgressSeconds()).toBeUndefined()
  })

  it.each([
    ['sent immediately', false],
    ['pending at first', true],
  ])(
    'Undo of a removal that was %s restores the progress of that title, but no progress that another device has removed since then',
    async (_, isPending) => {
      await startOutboxImmediately(household)
      await waitUntilSettled(savePosition(1_200))
      await otherDevice.post(getHistoryPath(profiles.adult), {
        type: 'movie',
        media_id: harbour.id,
        progress: 300,
        data: { video_duration: 6_000 },
      })
      network.setOffline(isPending)
      await waitUntilSettled(resetProgress(kites))
      network.setOffline(false)
      await waitFor(() => expect($pendingWrites.get()).toEqual([]))
      await network.waitUntilIdle()
      const harbourPath = `${getHistoryPath(profiles.adult)}/movie/${harbour.id}`
      await otherDevice.delete(harbourPath)
      $toast.get()?.undo?.()
      await network.waitUntilIdle()
      expect(await readProgressSeconds()).toBe(1_200)
      expect((await otherDevice.get(harbourPath)).body.latest).toBeNull()
    },
  )

  it('a message is shown when Undo fails', async () => {
    await waitUntilSettled(savePosition(1_200))
    await waitUntilSettled(resetProgress(kites))
    network.failNext(/undo/, 500)
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect($toast.get()).toMatchObject({ key: 'errors:failed', kind: 'bad' })
  })
})

describe('removing a card from Continue Watching', () => {
  it('a dismissed card is hidden immediately, and shown again after Undo', async () => {
    await waitUntilSettled(savePosition(1_200))
    const releaseRequest = network.hold(/PUT/)
    const changePromise = dismissCard(kites)
    expect(listContinueWatchingTitles()).toEqual([])
    releaseRequest()
    await waitUntilSettled(changePromise)
    expect(await readProgressSeconds()).toBe(1_200)
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(listContinueWatchingTitles()).toEqual(['Paper Kites'])
  })

  it('a message is shown when the server rejects the Undo of a dismissal', async () => {
    await waitUntilSettled(dismissCard(kites))
    network.failNext(/PUT/, 500)
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect($toast.get()).toMatchObject({ key: 'errors:failed', kind: 'bad' })
  })

  it('an offline dismissal hides the card also after the row is loaded again, until Undo', async () => {
    await startOutboxImmediately(household)
    await waitUntilSettled(savePosition(1_200))
    network.setOffline(true)
    await dismissCard(kites)
    // Simulates a reload without a network: the cached reply still contains the dismissed card.
    $continueWatching.mutate(await loadContinueWatching())
    expect(listDisplayedTitles()).toEqual([])
    $toast.get()?.undo?.()
    await waitFor(() => expect(listDisplayedTitles()).toEqual(['Paper Kites']))
    await dismissCard(kites)
    const dismissedAt = new Date().toISOString()
    network.setOffline(false)
    await network.waitUntilIdle()
    const { body = '{}' } = network.requests.findLast(({ url }) => url.includes('/interaction/')) ?? {}
    const { event, at, sent_at } = JSON.parse(body)
    expect([event, at <= dismissedAt, sent_at >= dismissedAt]).toEqual(['dismiss', true, true])
  })

  it.each([
    ['a title whose progress was removed', () => resetProgress(kites)],
    ['a title of a cleared history', () => clearAllProgress()],
  ])('%s has no card and no progress while its removal is pending', async (_description, removeProgress) => {
    await startOutboxImmediately(household)
    await waitUntilSettled(savePosition(1_200))
    const reply = await loadContinueWatching()
    $previewedTitle.set(kites)
    await network.waitUntilIdle()
    expect($previewPlayAction.get().resumedProgress).toMatchObject({ percentage: expect.any(Number) })
    network.setOffline(true)
    await removeProgress()
    $continueWatching.mutate(reply)
    expect(listDisplayedTitles()).toEqual([])
    expect($previewPlayAction.get().resumedProgress).toBeNull()
    expect($displayedPreviewProgress.get().data).toMatchObject({ latest: null, seen: false })
    expect(isProgressRemovalPending($pendingWrites.get(), kites)).toBe(true)
    $toast.get()?.undo?.()
    await waitFor(() => expect(listDisplayedTitles()).toEqual(['Paper Kites']))
    network.setOffline(false)
    await network.waitUntilIdle()
  })

  it.each([
    ['a dismissed card', () => dismissCard(kites)],
    ['a title whose progress was removed', () => resetProgress(kites)],
    ['a title of a cleared history', () => clearAllProgress()],
  ])(
    '%s does not reappear between the sending of its removal and the reload of the displayed data',
    async (removalDescription, removeProgress) => {
      await startOutboxImmediately(household)
      await waitUntilSettled(savePosition(1_200))
      $currentTitle.set({ type: 'movie', slug: kites.slug })
      await network.waitUntilIdle()
      const [continueWatching, titleProgress] = [await loadContinueWatching(), $titleProgress.get().data]
      network.setOffline(true)
      await removeProgress()
      $continueWatching.mutate(continueWatching)
      $titleProgress.mutate(titleProgress)
      const isProgressKept = removalDescription === 'a dismissed card'
      const isProgressDisplayed = () => $displayedTitleProgress.get().data?.latest != null
      expect([listDisplayedTitles(), isProgressDisplayed()]).toEqual([[], isProgressKept])
      const releaseRequests = network.hold(/GET .*(?:continue-watching|history)/)
      network.setOffline(false)
      await waitFor(() => expect($pendingWrites.get()).toEqual([]))
      expect([listDisplayedTitles(), isProgressDisplayed()]).toEqual([[], isProgressKept])
      releaseRequests()
      await network.waitUntilIdle()
      expect([listDisplayedTitles(), isProgressDisplayed()]).toEqual([[], isProgressKept])
    },
  )

  it('a dismissed card is shown again when the server rejects the removal', async () => {
    await waitUntilSettled(savePosition(1_200))
    network.failNext(/PUT/, 422)
    await dismissCard(kites)
    expect(listContinueWatchingTitles()).toEqual(['Paper Kites'])
    expect($toast.get()).toMatchObject({ key: 'errors:failed', kind: 'bad' })
  })
})

describe('after a switch to a kids profile', () => {
  it('the progress of the adult is not shown, and no request is sent for the adult profile', async () => {
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

  it('a position that was being saved during the switch belongs to the adult profile', async () => {
    const releaseRequest = network.hold(/history/)
    void savePosition(900, true)
    await network.waitUntilIdle()
    await switchTo('kid')
    releaseRequest()
    await network.waitUntilIdle()
    expect(await readProgressSeconds()).toBe(900)
    expect(await readProgressSeconds(profiles.kid)).toBeUndefined()
  })

  it('a card of the adult is not added to the row of the child when removing the card fails', async () => {
    await waitUntilSettled(savePosition(1_200))
    const releaseRequest = network.hold(/PUT/)
    network.failNext(/PUT/, 422)
    void dismissCard(kites)
    await switchTo('kid')
    releaseRequest()
    await network.waitUntilIdle()
    expect(listContinueWatchingTitles()).toEqual([])
    expect($toast.get()).toBeNull()
  })
})

describe('on a device whose clock is behind', () => {
  it.each([
    ['saved', false],
    ['saved while the page is left', true],
  ])('a position that is %s replaces an older position of another device', async (_, isPageClosing) => {
    await savePosition(1_200)
    // The time of the other device's report is later than the current time on this device.
    household.server.advanceClock(7_200_000)
    await otherDevice.login(household.credentials.email)
    await otherDevice.post(getHistoryPath(profiles.adult), {
      type: 'movie',
      media_id: kites.id,
      progress: 1_800,
      data: { video_duration: 6_000 },
    })
    household.server.advanceClock(120_000)
    await refreshSession()
    await waitUntilSettled(savePosition(2_400, isPageClosing))
    expect(await readProgressSeconds()).toBe(2_400)
  })
})
