/** Ratings of titles. */
import { beforeEach, describe, expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'

const { actAs, switchTo, card, findAdultRequests, network, otherDevice, profiles } = await signInHousehold()
const { $displayedRatings, loadRating, reloadRatings, setRating } = await import(
  '../../src/lib/stores/ratings.ts'
)
const { $toast } = await import('../../src/lib/stores/toast.ts')

const kites = card('Paper Kites')
const path = `/api/profile/${profiles.adult}/ratings/movie/${kites.id}`
const getShownRating = () => $displayedRatings.get()[`movie/${kites.id}`]
$displayedRatings.listen(() => {})

beforeEach(async () => {
  await otherDevice.put(path, { rating: null })
  await actAs('adult')
})

describe('ratings', () => {
  it('loads the rating of a title, and again after a change on another device', async () => {
    await otherDevice.put(path, { rating: 7 })
    await loadRating(kites)
    expect(getShownRating()).toBe(7)
    await otherDevice.put(path, { rating: 3 })
    await reloadRatings()
    expect(getShownRating()).toBe(3)
  })

  it('shows a rating before the server has confirmed it, and Undo restores the previous rating', async () => {
    await setRating(kites, 4, null)
    const release = network.hold(/PUT/)
    const change = setRating(kites, 9, 4)
    expect(getShownRating()).toBe(9)
    release()
    await change
    expect((await otherDevice.get(path)).body).toEqual({ rating: 9 })
    expect($toast.get()).toMatchObject({ key: 'ratings:saved', values: { rating: 9 } })
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect((await otherDevice.get(path)).body).toEqual({ rating: 4 })
    await setRating(kites, null, 4)
    expect($toast.get()).toMatchObject({ key: 'ratings:removed' })
    expect((await otherDevice.get(path)).body).toEqual({ rating: null })
  })

  it('shows the previous rating when the server rejects the change', async () => {
    network.failNext(/PUT/, 422)
    await setRating(kites, 9, 4)
    expect(getShownRating()).toBe(4)
    expect($toast.get()).toMatchObject({ key: 'errors:failed', kind: 'bad' })
  })

  it('keeps the rating that the user gave while the previous rating was loading', async () => {
    const release = network.hold(/GET .*ratings/)
    const load = loadRating(kites)
    await setRating(kites, 8, null)
    release()
    await load
    expect(getShownRating()).toBe(8)
  })
})

it('does not show the ratings of the adult to a kids profile, and sends no request for the adult', async () => {
  await setRating(kites, 8, null)
  await switchTo('kid')
  expect($displayedRatings.get()).toEqual({})
  await reloadRatings()
  await setRating(kites, 2, null)
  expect(findAdultRequests()).toEqual([])
  expect((await otherDevice.get(path)).body).toEqual({ rating: 8 })
})
