/** Loading and saving the like or dislike of a title, with Undo, rejected changes and profile switches. */
import { createElement, Fragment } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, describe, expect, it } from 'vitest'
import { signInHousehold, startOutboxImmediately } from '../support/store-environment.ts'

const household = await signInHousehold()
const { actAs, switchTo, getCard, findAdultRequests, network, otherDevice, profiles } = household
const { $displayedFeedback, loadFeedback, reloadFeedback, setFeedback } = await import(
  '../../src/lib/stores/feedback.ts'
)
const { loadProfiles } = await import('../../src/lib/stores/profile.ts')
const { refetchAll } = await import('../../src/lib/stores/query.ts')
const { $featuredMovies } = await import('../../src/lib/stores/titles.ts')
// Every page loads this module, which keeps feedback, ratings and watchlist entries of titles up to date.
await import('../../src/lib/stores/account-events.ts')
// query.ts imports this module when a read is requested again for the first time, and shows the new reply only
// afterwards. The module is imported here, so that no test has to wait for it.
await import('../../src/lib/stores/reply-merges.ts')
const { $toast } = await import('../../src/lib/stores/toast.ts')
const { FeedbackButtons } = await import('../../src/islands/media/FeedbackButtons.tsx')
const { default: HomeRowMenu } = await import('../../src/islands/home/HomeRowMenu.tsx')
const { default: RecommendationReason } = await import('../../src/islands/home/RecommendationReason.tsx')

const kites = getCard('Paper Kites')
const feedbackPath = `/api/profile/${profiles.adult}/feedback/movie/${kites.id}`
const getShownFeedback = () => $displayedFeedback.get()[`movie/${kites.id}`]
await startOutboxImmediately(household)
$displayedFeedback.listen(() => {})

beforeEach(async () => {
  await otherDevice.put(feedbackPath, { feedback: null })
  await actAs('adult')
})

describe('feedback', () => {
  it('feedback is loaded for a title', async () => {
    await otherDevice.put(feedbackPath, { feedback: 'like' })
    await loadFeedback(kites)
    expect(getShownFeedback()).toBe('liked')
  })

  it('feedback is loaded again after a change on another device', async () => {
    await loadFeedback(kites)
    await otherDevice.put(feedbackPath, { feedback: 'dislike' })
    await reloadFeedback()
    expect(getShownFeedback()).toBe('disliked')
  })

  it('feedback is shown before the server has confirmed it', async () => {
    const releaseRequest = network.hold(/PUT/)
    const changePromise = setFeedback(kites, 'liked')
    expect(getShownFeedback()).toBe('liked')
    releaseRequest()
    await changePromise
    expect((await otherDevice.get(feedbackPath)).body).toEqual({ feedback: 'liked' })
  })

  it('a dislike offers Undo, because a dislike hides the title', async () => {
    await loadFeedback(kites)
    await setFeedback(kites, 'disliked')
    expect($toast.get()).toMatchObject({ key: 'common:hidden' })
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(getShownFeedback()).toBeNull()
    expect((await otherDevice.get(feedbackPath)).body).toEqual({ feedback: null })
  })

  it('a dislike offers no Undo when the previous feedback is unknown', async () => {
    await setFeedback(kites, 'disliked')
    expect($toast.get()).toMatchObject({ key: 'common:hidden' })
    expect($toast.get()?.undo).toBeUndefined()
  })

  it('for a profile with limits, a dislike offers no Undo, and buttons for calls that the server would reject are disabled or missing', async () => {
    const limitsPath = `/api/profile/${profiles.guest}/limits`
    await otherDevice.put(limitsPath, { max_age: 17 })
    await loadProfiles()
    await actAs('guest')
    await loadFeedback(kites)
    const reason = { kind: 'genre', genre: 18, signal: 'genre:18' } as const
    const renderControls = () =>
      renderToStaticMarkup(
        createElement(Fragment, null, [
          createElement(FeedbackButtons, { key: 'feedback', title: kites }),
          createElement(HomeRowMenu, { key: 'menu', row: 'new' }),
          createElement(RecommendationReason, { key: 'reason', reasons: [reason] }),
        ]),
      )
    await setFeedback(kites, 'disliked')
    expect($toast.get()).toMatchObject({ key: 'common:hidden' })
    expect($toast.get()?.undo).toBeUndefined()
    expect(renderControls().match(/<button[^>]*disabled=""/g)).toHaveLength(2)
    expect(renderControls().match(/<button/g)).toHaveLength(2)
    await otherDevice.put(limitsPath, { max_age: null })
    await loadProfiles()
    expect(renderControls().match(/<button/g)).toHaveLength(4)
    expect(renderControls()).not.toMatch(/<button[^>]*disabled=""/)
    await setFeedback(kites, null)
  })

  it('if loading feedback failed, the feedback is loaded when all displayed data is requested again', async () => {
    await otherDevice.put(feedbackPath, { feedback: 'like' })
    network.failNext(/GET .*feedback/, 429)
    await expect(loadFeedback(kites)).rejects.toMatchObject({ status: 429 })
    refetchAll()
    await network.waitUntilIdle()
    expect(getShownFeedback()).toBe('liked')
  })

  it('when the server rejects new feedback, the previous feedback is shown again', async () => {
    await setFeedback(kites, 'liked')
    network.failNext(/PUT/, 422)
    await setFeedback(kites, 'disliked')
    expect(getShownFeedback()).toBe('liked')
    expect($toast.get()).toMatchObject({ key: 'errors:failed', kind: 'bad' })
  })

  it('when the server rejects feedback that was given offline, the previous feedback is shown again', async () => {
    await setFeedback(kites, 'liked')
    network.setOffline(true)
    await setFeedback(kites, 'disliked')
    expect(getShownFeedback()).toBe('disliked')
    network.failNext(/PUT/, 422)
    network.setOffline(false)
    await network.waitUntilIdle()
    expect(getShownFeedback()).toBe('liked')
  })

  it('when a like and a dislike that were given offline at the same time are rejected, the feedback of the server is shown', async () => {
    network.setOffline(true)
    await Promise.all([setFeedback(kites, 'liked'), setFeedback(kites, 'disliked')])
    expect(getShownFeedback()).toBe('disliked')
    network.failNext(/PUT .*feedback/, 422)
    network.setOffline(false)
    await network.waitUntilIdle()
    expect(getShownFeedback()).toBeFalsy()
  })

  it('if the user gives feedback before the previous feedback is loaded, the new feedback stays displayed', async () => {
    const releaseRequest = network.hold(/GET .*feedback/)
    const loadPromise = loadFeedback(kites)
    await setFeedback(kites, 'liked')
    releaseRequest()
    await loadPromise
    expect(getShownFeedback()).toBe('liked')
  })
})

describe('rows of the home page', () => {
  it('a displayed row of popular movies omits a title as soon as it is disliked, and shows it again after Undo', async () => {
    const stopDisplaying = $featuredMovies.listen(() => {})
    await network.waitUntilIdle()
    const listShownIds = () => $featuredMovies.get().data?.results.map(({ id }) => id)
    expect(listShownIds()).toContain(kites.id)
    await loadFeedback(kites)
    await setFeedback(kites, 'disliked')
    await network.waitUntilIdle()
    expect(listShownIds()).not.toContain(kites.id)
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(listShownIds()).toContain(kites.id)
    stopDisplaying()
  })
})

describe('after a switch to a kids profile', () => {
  it('the feedback of the adult is not shown, and no request is sent for the adult profile', async () => {
    await setFeedback(kites, 'liked')
    await switchTo('kid')
    expect($displayedFeedback.get()).toEqual({})
    await reloadFeedback()
    await loadFeedback(kites)
    expect(getShownFeedback()).toBeNull()
    expect(findAdultRequests()).toEqual([])
    await switchTo('adult')
    await loadFeedback(kites)
    expect(getShownFeedback()).toBe('liked')
  })

  it('a dislike by the adult is stored, but the child sees neither the dislike nor a message', async () => {
    const releaseRequest = network.hold(/PUT/)
    void setFeedback(kites, 'disliked')
    await network.waitUntilIdle()
    await switchTo('kid')
    releaseRequest()
    await network.waitUntilIdle()
    expect($displayedFeedback.get()).toEqual({})
    expect($toast.get()).toBeNull()
    expect((await otherDevice.get(feedbackPath)).body).toEqual({ feedback: 'disliked' })
  })

  it('no error is shown when the server rejects a dislike by the adult', async () => {
    const releaseRequest = network.hold(/PUT/)
    network.failNext(/PUT/, 422)
    void setFeedback(kites, 'disliked')
    await network.waitUntilIdle()
    await switchTo('kid')
    releaseRequest()
    await network.waitUntilIdle()
    expect($toast.get()).toBeNull()
  })
})
