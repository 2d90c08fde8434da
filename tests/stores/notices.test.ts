/** Notices of new episodes and movies, and the settings of recommendations: signals, dislikes and muted titles. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, describe, expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'
import { waitFor } from '../support/wait-for.ts'

const { actAs, switchTo, getCard, findAdultRequests, network, otherDevice, profiles, server, titles } =
  await signInHousehold()
const { $unseenNoticeCount } = await import('../../src/lib/stores/notices.ts')
const { $notices, $noticesLoadState, markAllNoticesSeen, markNoticesSeen } = await import(
  '../../src/lib/stores/notice-panel.ts'
)
const {
  $becauseRows,
  $dislikedPage,
  $dislikedTitles,
  $mutedTitles,
  $recommendationSignals,
  disableSignal,
  removeDislike,
  setNoticesMuted,
  setSignalDisabled,
} = await import('../../src/lib/stores/recommendation-settings.ts')
const { $toast } = await import('../../src/lib/stores/toast.ts')
const { default: NoticePanel } = await import('../../src/islands/header/NoticePanel.tsx')

const harbour = getCard('Night Harbour')
const profilePath = `/api/profile/${profiles.adult}`
const waitUntilSettled = async <T>(promise: Promise<T>) => {
  const settledValue = await promise
  await network.waitUntilIdle()
  return settledValue
}
/** Adds a notice that a title is available in high quality. */
const addNotice = (profileId: string, title = 'Night Harbour') =>
  server.database.primary
    .insertInto('notice')
    .values({
      profile_id: profileId,
      title_id: Number(titles[title]?.id),
      kind: 'high_quality',
      created_at: Date.now(),
    } as never)
    .execute()
/** Adds a ninth season to a series, and one notice about each of its episodes. */
async function addSeasonWithNotices(
  title: string,
  notices: { episode_number: number; created_at: number; seen_at: number | null }[],
): Promise<void> {
  const { primary } = server.database
  const commonFields = { title_id: Number(titles[title]?.id), season_number: 9 }
  const { season_id } = await primary
    .insertInto('season')
    .values({ ...commonFields, episode_count: notices.length })
    .returning('season_id')
    .executeTakeFirstOrThrow()
  await primary
    .insertInto('episode')
    .values(notices.map(({ episode_number }) => ({ ...commonFields, season_id, episode_number })))
    .execute()
  await primary
    .insertInto('notice')
    .values(
      notices.map((notice) => ({ ...commonFields, ...notice, profile_id: profiles.adult, kind: 'episode' })),
    )
    .execute()
}
const stores = [
  $notices,
  $noticesLoadState,
  $unseenNoticeCount,
  $becauseRows,
  $dislikedTitles,
  $mutedTitles,
  $recommendationSignals,
]
for (const $store of stores) $store.listen(() => {})

beforeEach(async () => {
  await server.database.primary.deleteFrom('notice').execute()
  await otherDevice.put(`${profilePath}/feedback/movie/${harbour.id}`, { feedback: null })
  await otherDevice.put(`${profilePath}/notifications/muted/movie/${harbour.id}`, { muted: false })
  await actAs('adult')
})

describe('notices', () => {
  it('notices are loaded with the number of unseen notices', async () => {
    await addNotice(profiles.adult)
    await actAs('adult')
    expect($notices.get()).toMatchObject([{ media: { title: 'Night Harbour' } }])
    expect($unseenNoticeCount.get()).toBe(1)
  })

  it('marking all notices as seen sets the number of unseen notices to 0', async () => {
    await addNotice(profiles.adult)
    await actAs('adult')
    await waitUntilSettled(markAllNoticesSeen())
    // query.ts imports a module when a read is requested again for the first time, and shows the new reply only
    // afterwards. The test therefore polls.
    await waitFor(() => expect($unseenNoticeCount.get()).toBe(0))
    expect($notices.get()).toHaveLength(1)
  })

  it('an unseen notice is listed and can be marked as seen although fifty notices are newer', async () => {
    const nowMs = Date.now()
    const notices = Array.from({ length: 51 }, (_, index) => ({
      episode_number: index + 1,
      created_at: nowMs + index,
      seen_at: index === 0 ? null : nowMs,
    }))
    await addSeasonWithNotices('Iron Ledger', notices)
    await actAs('adult')
    const renderPanel = () => renderToStaticMarkup(createElement(NoticePanel))
    expect($unseenNoticeCount.get()).toBe(1)
    expect($notices.get().filter(({ seen }) => !seen)).toHaveLength(1)
    expect(renderPanel()).toContain('header:markAllRead')
    await waitUntilSettled(markAllNoticesSeen())
    expect($unseenNoticeCount.get()).toBe(0)
    expect(renderPanel()).not.toContain('header:markAllRead')
  })

  it('an opened notice is marked as seen, and other notices stay unseen', async () => {
    await addNotice(profiles.adult, 'Night Harbour')
    await addNotice(profiles.adult, 'Cold Verdict')
    await actAs('adult')
    const findNotice = (title: string) => $notices.get().find(({ media }) => media.title === title)!
    await waitUntilSettled(markNoticesSeen([findNotice('Cold Verdict')]))
    expect($unseenNoticeCount.get()).toBe(1)
    expect([findNotice('Cold Verdict').seen, findNotice('Night Harbour').seen]).toEqual([true, false])
  })

  it('an opened notice stays unseen, without a message, when marking the notice as seen fails', async () => {
    await addNotice(profiles.adult)
    await actAs('adult')
    network.failNext(/seen/, 500)
    await waitUntilSettled(markNoticesSeen([$notices.get()[0]!]))
    expect($unseenNoticeCount.get()).toBe(1)
    expect($toast.get()).toBeNull()
  })

  it('all notices stay unseen and a message is shown when marking all notices as seen fails', async () => {
    await addNotice(profiles.adult)
    await actAs('adult')
    network.failNext(/seen/, 500)
    await waitUntilSettled(markAllNoticesSeen())
    expect($unseenNoticeCount.get()).toBe(1)
    expect($toast.get()).toMatchObject({ key: 'errors:generic', kind: 'bad' })
  })

  it('notices count as neither loaded nor failed while the first request for them is pending', async () => {
    const releaseRequest = network.hold(/notifications\/movies/)
    await actAs('adult')
    expect($noticesLoadState.get()).toMatchObject({ data: undefined, error: undefined })
    releaseRequest()
    await network.waitUntilIdle()
    expect($noticesLoadState.get()).toMatchObject({ data: true, error: undefined })
  })

  it('a failed request for notices is reported until the notices are requested again', async () => {
    network.failNext(/notifications\/movies/, 422)
    await actAs('adult')
    expect($noticesLoadState.get()).toMatchObject({ data: undefined, error: { status: 422 } })
    network.clearRequests()
    $noticesLoadState.revalidate()
    await network.waitUntilIdle()
    expect($noticesLoadState.get()).toMatchObject({ data: true, error: undefined })
    expect(network.requests.map(({ url }) => url)).toEqual([`${profilePath}/notifications/movies`])
  })
})

describe('muted titles', () => {
  it('a muted title is listed, and Undo removes the title from the list', async () => {
    await waitUntilSettled(setNoticesMuted(harbour, true))
    expect($mutedTitles.get().data?.results.map(({ title }) => title)).toEqual(['Night Harbour'])
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect($mutedTitles.get().data?.results).toEqual([])
  })

  it('Undo of muting a title restores the rule for new seasons and the unseen notices of the title', async () => {
    const ledger = getCard('Iron Ledger')
    const rulePath = `${profilePath}/notifications/rules/tv/${ledger.id}`
    await otherDevice.put(rulePath, { rule: 'seasons' })
    await addNotice(profiles.adult, 'Iron Ledger')
    await actAs('adult')
    expect($unseenNoticeCount.get()).toBe(1)
    await waitUntilSettled(setNoticesMuted(ledger, true))
    expect($unseenNoticeCount.get()).toBe(0)
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect($unseenNoticeCount.get()).toBe(1)
    const { results } = (await otherDevice.get(`${profilePath}/notifications/rules`)).body
    expect(results).toMatchObject([{ media: { id: ledger.id }, rule: 'seasons' }])
    await otherDevice.put(rulePath, { rule: 'all' })
  })

  it('a message is shown when the server rejects muting a title', async () => {
    network.failNext(/muted/, 422)
    await waitUntilSettled(setNoticesMuted(harbour, true))
    expect($toast.get()).toMatchObject({ key: 'errors:generic', kind: 'bad' })
    expect($mutedTitles.get().data?.results).toEqual([])
  })
})

describe('disliked titles', () => {
  it('disliked titles are listed until the dislike is removed, and Undo restores the dislike', async () => {
    await otherDevice.put(`${profilePath}/feedback/movie/${harbour.id}`, { feedback: 'dislike' })
    await actAs('adult')
    const listDislikedTitles = () => $dislikedTitles.get().data?.results.map(({ title }) => title)
    expect(listDislikedTitles()).toEqual(['Night Harbour'])
    await waitUntilSettled(removeDislike(harbour))
    expect(listDislikedTitles()).toEqual([])
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(listDislikedTitles()).toEqual(['Night Harbour'])
  })

  it('the pages of disliked titles together contain every disliked title', async () => {
    const { results: movies } = (await otherDevice.get('/api/movies?limit=21&sort=title.asc')).body
    const setAllFeedback = async (feedback: 'dislike' | null) => {
      for (const { id } of movies) await otherDevice.put(`${profilePath}/feedback/movie/${id}`, { feedback })
    }
    await setAllFeedback('dislike')
    await actAs('adult')
    await network.waitUntilIdle()
    const firstPage = $dislikedTitles.get().data
    expect(firstPage).toMatchObject({ page: 1, total_pages: 2 })
    $dislikedPage.set(2)
    await network.waitUntilIdle()
    const listedTitles = [...(firstPage?.results ?? []), ...($dislikedTitles.get().data?.results ?? [])]
    expect(new Set(listedTitles.map(({ id }) => id)).size).toBe(21)
    await setAllFeedback(null)
  })
})

describe('recommendation signals', () => {
  const signal = `liked:${harbour.id}`
  const findSignal = () =>
    $recommendationSignals.get().data?.results.find((candidate) => candidate.signal === signal)

  beforeEach(async () => {
    await otherDevice.put(`${profilePath}/feedback/movie/${harbour.id}`, { feedback: 'like' })
    await actAs('adult')
  })

  it('a signal can be disabled and enabled again', async () => {
    expect(findSignal()).toMatchObject({ off: false })
    expect(await waitUntilSettled(setSignalDisabled(signal, true))).toBe(true)
    expect(findSignal()).toMatchObject({ off: true })
    await waitUntilSettled(setSignalDisabled(signal, false))
    expect(findSignal()).toMatchObject({ off: false })
  })

  it('Undo enables a disabled signal again', async () => {
    await waitUntilSettled(disableSignal(signal))
    expect(findSignal()).toMatchObject({ off: true })
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(findSignal()).toMatchObject({ off: false })
  })

  it('a signal stays enabled when the server rejects the request to disable the signal', async () => {
    network.failNext(/signals\//, 422)
    expect(await waitUntilSettled(setSignalDisabled(signal, true))).toBe(false)
    expect(findSignal()).toMatchObject({ off: false })
  })
})

describe('after a switch to a kids profile', () => {
  it('after a switch to a kids profile, the stores contain no notices, signals, dislikes or muted titles of the adult', async () => {
    await addNotice(profiles.adult, 'Paper Kites')
    await otherDevice.put(`${profilePath}/feedback/movie/${harbour.id}`, { feedback: 'dislike' })
    await setNoticesMuted(getCard('Iron Ledger'), true)
    await actAs('adult')
    expect($unseenNoticeCount.get()).toBe(1)
    const switchPromise = switchTo('kid')
    expect($notices.get()).toEqual([])
    await switchPromise
    expect($unseenNoticeCount.get()).toBe(0)
    expect($mutedTitles.get().data?.results).toEqual([])
    expect($dislikedTitles.get().data?.results).toEqual([])
    expect($recommendationSignals.get().data?.results).toEqual([])
    expect($toast.get()).toBeNull()
    expect(findAdultRequests()).toEqual([])
    await switchTo('adult')
    expect($unseenNoticeCount.get()).toBe(1)
  })

  it('muting a title shows no message if the reply arrives after the switch', async () => {
    const releaseRequest = network.hold(/PUT/)
    void setNoticesMuted(harbour, true)
    await network.waitUntilIdle()
    await switchTo('kid')
    releaseRequest()
    await network.waitUntilIdle()
    expect($toast.get()).toBeNull()
    expect(findAdultRequests()).toEqual([])
  })
})

describe('notices of a season whose episodes were released together', () => {
  it('notices of episodes that were released together are shown as one line, which links to the season', async () => {
    const created_at = Date.now()
    await addSeasonWithNotices(
      'Garden Club',
      [1, 2, 3].map((episode_number) => ({ episode_number, created_at, seen_at: null })),
    )
    await actAs('adult')
    await waitFor(() => expect($notices.get()).toHaveLength(3))
    const html = renderToStaticMarkup(createElement(NoticePanel))
    expect(html.match(/href="[^"]*garden-club[^"]*"/g)).toEqual(['href="/tvshows/garden-club?season=9"'])
    await waitUntilSettled(markNoticesSeen($notices.get()))
    await waitFor(() => expect($unseenNoticeCount.get()).toBe(0))
  })
})
