/** Loading and saving a profile's rating of a title, with Undo, rejected changes and profile switches. */
import { beforeEach, describe, expect, it } from 'vitest'
import { signInHousehold, startOutboxImmediately } from '../support/store-environment.ts'

const household = await signInHousehold()
const { actAs, switchTo, getCard, findAdultRequests, network, otherDevice, profiles } = household
const { $displayedRatings, loadRating, reloadRatings, setRating } = await import(
  '../../src/lib/stores/ratings.ts'
)
const { refetchAll } = await import('../../src/lib/stores/query.ts')
// Every page loads this module, which keeps feedback, ratings and watchlist entries of titles up to date.
await import('../../src/lib/stores/account-events.ts')
const { $toast } = await import('../../src/lib/stores/toast.ts')

const kites = getCard('Paper Kites')
const ratingPath = `/api/profile/${profiles.adult}/ratings/movie/${kites.id}`
const getShownRating = () => $displayedRatings.get()[`movie/${kites.id}`]
await startOutboxImmediately(household)
$displayedRatings.listen(() => {})

beforeEach(async () => {
  await otherDevice.put(ratingPath, { rating: null })
  await actAs('adult')
})

describe('ratings', () => {
  it('a rating is loaded for a title, and reloaded after a change on another device', async () => {
    await otherDevice.put(ratingPath, { rating: 7 })
    await loadRating(kites)
    expect(getShownRating()).toBe(7)
    await otherDevice.put(ratingPath, { rating: 3 })
    await reloadRatings()
    expect(getShownRating()).toBe(3)
  })

  it('a rating is shown before the server has confirmed it, and Undo restores the previous rating', async () => {
    await setRating(kites, 4, null)
    const releaseRequest = network.hold(/PUT/)
    const changePromise = setRating(kites, 9, 4)
    expect(getShownRating()).toBe(9)
    releaseRequest()
    await changePromise
    expect((await otherDevice.get(ratingPath)).body).toEqual({ rating: 9 })
    expect($toast.get()).toMatchObject({ key: 'ratings:saved', values: { rating: 9 } })
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect((await otherDevice.get(ratingPath)).body).toEqual({ rating: 4 })
    await setRating(kites, null, 4)
    expect($toast.get()).toMatchObject({ key: 'ratings:removed' })
    expect((await otherDevice.get(ratingPath)).body).toEqual({ rating: null })
  })

  it('if loading a rating failed, the rating is loaded when all displayed data is requested again', async () => {
    await otherDevice.put(ratingPath, { rating: 7 })
    network.failNext(/GET .*ratings/, 429)
    await expect(loadRating(kites)).rejects.toMatchObject({ status: 429 })
    refetchAll()
    await network.waitUntilIdle()
    expect(getShownRating()).toBe(7)
  })

  it('when the previous rating is unknown, the displayed rating stays unknown after a rejected rating, and a saved rating offers no Undo', async () => {
    network.failNext(/PUT/, 422)
    await setRating(kites, 9, undefined)
    expect(getShownRating()).toBeUndefined()
    await setRating(kites, 9, undefined)
    expect($toast.get()).toMatchObject({ key: 'ratings:saved' })
    expect($toast.get()?.undo).toBeUndefined()
  })

  it('a rejected rating is replaced with the previous rating', async () => {
    await otherDevice.put(ratingPath, { rating: 4 })
    await loadRating(kites)
    network.failNext(/PUT/, 422)
    await setRating(kites, 9, 4)
    expect(getShownRating()).toBe(4)
    expect($toast.get()).toMatchObject({ key: 'errors:failed', kind: 'bad' })
  })

  it('when the server rejects a rating that was given offline, the rating of the server and a message are shown', async () => {
    await otherDevice.put(ratingPath, { rating: 4 })
    await loadRating(kites)
    network.setOffline(true)
    await setRating(kites, 9, 4)
    expect(getShownRating()).toBe(9)
    network.failNext(/PUT .*ratings/, 422)
    network.setOffline(false)
    await network.waitUntilIdle()
    expect($toast.get()).toMatchObject({ key: 'common:changeRejected', kind: 'bad' })
    expect(getShownRating()).toBe(4)
  })

  it('when two simultaneous ratings that were given offline are rejected, the rating of the server is shown', async () => {
    await setRating(kites, 4, null)
    network.setOffline(true)
    await Promise.all([setRating(kites, 9, 4), setRating(kites, 2, 9)])
    expect(getShownRating()).toBe(2)
    network.failNext(/PUT .*ratings/, 422)
    network.setOffline(false)
    await network.waitUntilIdle()
    expect(getShownRating()).toBe(4)
  })

  it('when a rating that is being sent and a second rating that waits for the first reply are both rejected, the rating of the server is shown', async () => {
    await setRating(kites, 4, null)
    const releaseRequest = network.hold(/PUT .*ratings/)
    network.failNext(/PUT .*ratings/, 422)
    network.failNext(/PUT .*ratings/, 422)
    const changePromises = [setRating(kites, 9, 4), setRating(kites, 2, 9)]
    expect(getShownRating()).toBe(2)
    releaseRequest()
    await Promise.all(changePromises)
    await network.waitUntilIdle()
    expect(getShownRating()).toBe(4)
  })

  it('when the device cannot store a second rating and the pending first rating is rejected, the rating of the server is shown', async () => {
    await otherDevice.put(ratingPath, { rating: 5 })
    await loadRating(kites)
    network.setOffline(true)
    await setRating(kites, 8, 5)
    const storage = localStorage as unknown as { isFull: boolean }
    storage.isFull = true
    await setRating(kites, 3, 8)
    storage.isFull = false
    expect($toast.get()).toMatchObject({ key: 'errors:network', kind: 'bad' })
    expect(getShownRating()).toBe(8)
    network.failNext(/PUT .*ratings/, 422)
    network.setOffline(false)
    await network.waitUntilIdle()
    expect(getShownRating()).toBe(5)
  })

  it('if the user gives a rating before the previous rating is loaded, the new rating stays displayed', async () => {
    const releaseRequest = network.hold(/GET .*ratings/)
    const loadPromise = loadRating(kites)
    await setRating(kites, 8, null)
    releaseRequest()
    await loadPromise
    expect(getShownRating()).toBe(8)
  })
})

it('ratings of the adult are not shown to a kids profile', async () => {
  await setRating(kites, 8, null)
  await switchTo('kid')
  expect($displayedRatings.get()).toEqual({})
  await reloadRatings()
  await setRating(kites, 2, null)
  expect(findAdultRequests()).toEqual([])
  expect((await otherDevice.get(ratingPath)).body).toEqual({ rating: 8 })
})
