/** Marking as seen, the watch state that follows from it, and Undo. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES } from '../../support/server.ts'
import {
  createViewingCalls,
  EPISODE_DATES,
  RELEASED_COUNT,
  readTrackingRows,
  startViewingHousehold,
  type ViewingHousehold,
} from './viewing-series.ts'

describe.each(DATABASES)('viewings on %s', (_name, openTestDatabase) => {
  let household: ViewingHousehold
  beforeEach(async () => {
    household = await startViewingHousehold(await openTestDatabase())
  })
  afterEach(() => household.server.close())
  const { getPath, markSeries, markMovie, undo, listViewings } = createViewingCalls(() => household)
  const loadState = async () =>
    (await household.device.get(getPath(`watchlist/tv/${household.seriesId}`))).body.state
  const loadFinished = async () => {
    const { body } = await household.device.get(getPath(`history/tv/${household.seriesId}`))
    return body.episodes
      .filter((row: { finished: boolean }) => row.finished)
      .map((row: { season: number; episode: number }) => `${row.season}x${row.episode}`)
      .sort()
  }
  const loadNextEpisode = async () => {
    const { body } = await household.device.get(getPath('continue-watching'))
    const nextEpisode = body.results[0]?.next_episode
    return nextEpisode ? `${nextEpisode.season_number}x${nextEpisode.episode_number}` : null
  }

  it.each([
    ['the series: released regular episodes', { scope: 'title' }, ['1x1', '1x2', '1x3', '2x1', '2x2']],
    ['a season', { scope: 'season', season: 1 }, ['1x1', '1x2', '1x3']],
    ['the specials', { scope: 'season', season: 0 }, ['0x1']],
    ['an episode', { scope: 'episode', season: 1, episode: 2 }, ['1x2']],
    ['up to an episode', { scope: 'up_to', season: 2, episode: 1 }, ['1x1', '1x2', '1x3', '2x1']],
  ])('marks %s as seen', async (_what, scope, expected) => {
    const { status, body } = await markSeries(scope)
    expect([status, body.viewings]).toEqual([200, expected.length])
    expect(await loadFinished()).toEqual(expected)
  })

  it('rejects scopes without any released episode or movie', async () => {
    const rejected = [
      { scope: 'episode', season: 2, episode: 3 },
      { scope: 'episode', season: 9, episode: 1 },
      { scope: 'season', season: 7 },
      { scope: 'season' },
      { scope: 'up_to', season: 1 },
    ]
    for (const scope of rejected) expect((await markSeries(scope)).status).toBe(422)
    expect((await markMovie({ date: 'chosen' })).status).toBe(422)
    expect((await markMovie({ date: 'chosen', day: '2999-01-01' })).status).toBe(422)
    expect((await listViewings()).results).toEqual([])
  })

  it('Continue Watching shows the next episode at once, and the series is completed by its last episode', async () => {
    await household.device.put(getPath(`watchlist/tv/${household.seriesId}`))
    await markSeries({ scope: 'season', season: 1 })
    expect([await loadNextEpisode(), await loadState()]).toEqual(['2x1', 'planned'])
    await markSeries({ scope: 'season', season: 2 })
    expect([await loadNextEpisode(), await loadState()]).toEqual([null, 'completed'])
    const { body } = await household.device.get('/api/series?hide-seen=true')
    expect(body.results).toEqual([])
  })

  it('completes the series when the player finishes its last released episode', async () => {
    await household.device.put(getPath(`watchlist/tv/${household.seriesId}`))
    await markSeries({ scope: 'up_to', season: 2, episode: 1 })
    const lastEpisode = { type: 'tv', media_id: household.seriesId, season: 2, episode: 2 }
    await household.device.post(getPath('history'), {
      ...lastEpisode,
      progress: 2_900,
      data: { video_duration: 3_000 },
    })
    expect(await loadState()).toBe('completed')
  })

  it('marks unseen episodes and movies as seen when their watch state becomes completed', async () => {
    await markSeries({ scope: 'season', season: 1 })
    await household.device.put(getPath(`watchlist/tv/${household.seriesId}/state/completed`))
    expect(await loadFinished()).toHaveLength(RELEASED_COUNT)
    expect((await listViewings()).results).toHaveLength(RELEASED_COUNT)
    const entries = [{ type: 'movie', media_id: household.movieId, state: 'completed' }]
    await household.device.put(getPath('watchlist'), { entries })
    expect(
      (await household.device.get(getPath(`history/movie/${household.movieId}`))).body.latest.finished,
    ).toBe(true)
  })

  it('shows a completed series as watching once a new episode has aired', async () => {
    await household.device.put(getPath(`watchlist/tv/${household.seriesId}/state/completed`))
    household.server.advanceClock(8 * 86_400_000)
    await household.device.login('alice@example.com')
    expect(await loadState()).toBe('watching')
    const listIds = async (state: string) =>
      (await household.device.get(getPath(`watchlist?state=${state}`))).body.total_results
    expect([await listIds('completed'), await listIds('watching')]).toEqual([0, 1])
    expect((await household.device.get('/api/series?hide-seen=true')).body.total_results).toBe(1)
  })

  it('marks the notice of an episode as seen when the episode is marked as seen, until Undo', async () => {
    await markSeries({ scope: 'season', season: 1 })
    const loadUnseen = async () => (await household.device.get(getPath('notifications/episodes'))).body.unseen
    expect(await loadUnseen()).toBe(1)
    const { body } = await markSeries({ scope: 'title' })
    expect(await loadUnseen()).toBe(0)
    await undo(body.key)
    expect(await loadUnseen()).toBe(1)
  })

  it('stores viewings with the release date, with a chosen day, or with the time of the device', async () => {
    await markSeries({ scope: 'season', season: 1 }, { date: 'release' })
    const days = (await listViewings()).results.map((viewing: { watched_at: string }) =>
      viewing.watched_at.slice(0, 10),
    )
    expect(days).toEqual([...(EPISODE_DATES[1] ?? [])].reverse())
    await markMovie({ date: 'chosen', day: '2024-02-29' })
    const watchedAt = new Date(Date.now() - 3_600_000).toISOString()
    await markMovie({ at: watchedAt, again: true })
    const { results } = await listViewings('?type=movie')
    expect(
      results.map((viewing: { watched_at: string; date_only: boolean }) => [
        viewing.watched_at,
        viewing.date_only,
      ]),
    ).toEqual([
      [watchedAt, false],
      ['2024-02-29T12:00:00.000Z', true],
    ])
    expect(results.every((viewing: { marked: boolean }) => viewing.marked)).toBe(true)
  })

  it('adds a second viewing of a movie only with `again`, and counts this viewing as a rewatch', async () => {
    expect((await markMovie()).body.viewings).toBe(1)
    household.server.advanceClock(1_000)
    expect((await markMovie()).body.viewings).toBe(0)
    expect((await markMovie({ again: true })).body.viewings).toBe(1)
    const { plays } = await household.server.database.primary
      .selectFrom('progress')
      .select('plays')
      .executeTakeFirstOrThrow()
    expect(plays).toBe(2)
  })

  it('applies a change with a repeated key once, and undoes it once', async () => {
    const rowsBefore = await readTrackingRows(household)
    const first = await markMovie({ key: 'same-key-1' })
    household.server.advanceClock(5_000)
    const replies = await Promise.all([1, 2, 3].map(() => markMovie({ key: 'same-key-1', again: true })))
    expect(replies.map(({ body }) => body)).toEqual([first.body, first.body, first.body])
    expect([(await undo('same-key-1')).status, (await undo('same-key-1')).status]).toEqual([204, 204])
    expect(await readTrackingRows(household)).toBe(rowsBefore)
    expect((await undo('no-such-key')).status).toBe(404)
  })

  it('refuses to undo a mark whose rows were changed later, and changes nothing', async () => {
    const { body } = await markSeries({ scope: 'season', season: 1 })
    household.server.advanceClock(60_000)
    await household.device.post(getPath('history'), {
      type: 'tv',
      media_id: household.seriesId,
      season: 1,
      episode: 2,
      progress: 100,
      data: { video_duration: 3_000 },
    })
    const rowsBefore = await readTrackingRows(household)
    expect((await undo(body.key)).status).toBe(409)
    expect(await readTrackingRows(household)).toBe(rowsBefore)
  })
})
