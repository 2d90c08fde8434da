/** The preview of a card: its data, the requests before it opens, and the video. */
import { beforeEach, describe, expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'
import { waitFor } from '../support/wait-for.ts'

const { actAs, switchTo, getCard, findAdultRequests, network, otherDevice, profiles } =
  await signInHousehold()
const { $previewDetails, $previewedTitle, $previewPlayAction, prefetchActionState, prefetchDetails } =
  await import('../../src/lib/stores/preview.ts')
const { findPreviewSource } = await import('../../src/lib/stores/preview-source.ts')
const { $currentTitle, $titleDetails, $titleProgress } = await import('../../src/lib/stores/titles.ts')
const { loadWatchlistEntry } = await import('../../src/lib/stores/watchlist.ts')

const harbour = getCard('Night Harbour')
const ledger = getCard('Iron Ledger')
const openPreview = async (title: typeof harbour) => {
  $previewedTitle.set(title)
  await network.waitUntilIdle()
}
/** Simulates a pointer that rests on a card until the details of the title are requested. */
const restPointerOn = async (title: typeof harbour) => {
  prefetchDetails(title)
  await waitFor(() => expect(network.requests).not.toEqual([]))
  await network.waitUntilIdle()
}
for (const $store of [$previewDetails, $previewPlayAction, $titleDetails, $titleProgress])
  $store.listen(() => {})

beforeEach(async () => {
  await otherDevice.delete(`/api/profile/${profiles.adult}/history`)
  await actAs('adult')
})

describe('a preview', () => {
  it('an open preview loads the details of its movie or series', async () => {
    await openPreview(harbour)
    expect($previewDetails.get()?.overview).toBe('The story of Night Harbour.')
    await openPreview(ledger)
    expect($previewDetails.get()).toMatchObject({ type: 'tv', title: 'Iron Ledger' })
  })

  it('the Play button of a preview starts a movie without progress at the beginning, and resumes a started movie and shows its remaining minutes', async () => {
    await openPreview(harbour)
    expect($previewPlayAction.get()).toEqual({ episode: null, resumedProgress: null })
    $previewedTitle.set(null)
    const progressBody = {
      type: 'movie',
      media_id: harbour.id,
      progress: 3_000,
      data: { video_duration: 6_000 },
    }
    await otherDevice.post(`/api/profile/${profiles.adult}/history`, progressBody)
    await actAs('adult')
    await openPreview(harbour)
    expect($previewPlayAction.get()).toMatchObject({ resumedProgress: { percentage: 50, minutesLeft: 50 } })
  })

  it('when a series has no card in Continue Watching, the Play button of its preview starts the next episode', async () => {
    await openPreview(ledger)
    expect($previewPlayAction.get()).toEqual({ episode: { season: 1, episode: 1 }, resumedProgress: null })
    $previewedTitle.set(null)
    await otherDevice.post(`/api/profile/${profiles.adult}/history`, {
      type: 'tv',
      media_id: ledger.id,
      season: 1,
      episode: 3,
      progress: 1_800,
      data: { video_duration: 1_800 },
    })
    await otherDevice.put(`/api/profile/${profiles.adult}/interaction/tv/${ledger.id}`, { event: 'dismiss' })
    await actAs('adult')
    await openPreview(ledger)
    expect($previewPlayAction.get()).toEqual({ episode: { season: 2, episode: 1 }, resumedProgress: null })
  })

  it('closing a preview removes its details and sends no request', async () => {
    await openPreview(harbour)
    network.clearRequests()
    $previewedTitle.set(null)
    await network.waitUntilIdle()
    expect($previewDetails.get()).toBeUndefined()
    expect(network.requests).toEqual([])
  })

  it('a preview plays a source that the browser can play directly', async () => {
    await openPreview(harbour)
    const details = $previewDetails.get()
    const source = details && (await findPreviewSource(details))
    expect(source).toMatchObject({ mime_type: 'video/mp4' })
    // A title without an IMDb id is looked up by its id in the catalogue.
    expect(details && (await findPreviewSource({ ...details, imdb_id: null }))).toMatchObject({
      mime_type: 'video/mp4',
    })
  })
})

describe('before a title is opened', () => {
  it('details are requested while the pointer rests on a card, and the title page then sends no request for details', async () => {
    await restPointerOn(harbour)
    network.clearRequests()
    $currentTitle.set({ type: 'movie', slug: harbour.slug })
    await network.waitUntilIdle()
    expect($titleDetails.get().data?.title).toBe('Night Harbour')
    expect(network.requests.filter(({ url }) => url.includes('slug'))).toEqual([])
  })

  it('only the card on which the pointer rests requests its details', async () => {
    prefetchDetails(harbour)
    await restPointerOn(ledger)
    expect(network.requests.map(({ url }) => url)).toEqual([`/api/series/slug/${ledger.slug}`])
  })

  it('details that a preview or the pointer has just requested are not requested again', async () => {
    await openPreview(harbour)
    network.clearRequests()
    prefetchDetails(harbour)
    prefetchDetails(ledger)
    await waitFor(() => expect(network.requests).toHaveLength(1))
    prefetchDetails(harbour)
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(network.requests).toHaveLength(1)
  })

  it('pressing a card requests the progress and the watchlist entry of its title', async () => {
    prefetchActionState(harbour)
    await network.waitUntilIdle()
    expect(network.requests).toHaveLength(2)
    await loadWatchlistEntry(harbour)
    expect(network.requests).toHaveLength(2)
  })
})

describe('after a switch to a kids profile', () => {
  it('the preview is closed and its data is removed', async () => {
    await openPreview(harbour)
    await switchTo('kid')
    expect($previewedTitle.get()).toBeNull()
    expect($previewDetails.get()).toBeUndefined()
    expect(findAdultRequests()).toEqual([])
  })

  it('no details are requested for a card on which the pointer rested immediately before the switch', async () => {
    prefetchDetails(harbour)
    await switchTo('kid')
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(findAdultRequests()).toEqual([])
  })

  it('details that were requested for the adult are requested again for the child', async () => {
    const kites = getCard('Paper Kites')
    await restPointerOn(kites)
    await switchTo('kid')
    $currentTitle.set({ type: 'movie', slug: kites.slug })
    await network.waitUntilIdle()
    expect(
      network.requests.some(({ url, profile }) => url.includes('slug') && profile === profiles.kid),
    ).toBe(true)
  })
})
