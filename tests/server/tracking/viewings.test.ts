/** Marking as seen, the watch state that follows from it, removing viewings, changing their dates, and the history list. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import {
  EPISODE_DATES,
  formatDay,
  RELEASED_COUNT,
  readTrackingRows,
  startViewingHousehold,
  type ViewingHousehold,
} from './viewing-series.ts'

describe.each(DATABASES)('viewings on %s', (_name, openTestDatabase) => {
  let household: ViewingHousehold
  let keyCount = 0
  beforeEach(async () => {
    household = await startViewingHousehold(await openTestDatabase())
  })
  afterEach(() => household.server.close())

  const getPath = (rest = 'viewings') => `${household.profilePath}/${rest}`
  const createKey = () => `test-key-${++keyCount}`
  const markSeries = (scope: object, options: object = {}) =>
    household.device.post(getPath(), {
      key: createKey(),
      scopes: [{ type: 'tv', media_id: household.seriesId, ...scope }],
      ...options,
    })
  const markMovie = (options: object = {}, media_id = household.movieId) =>
    household.device.post(getPath(), {
      key: createKey(),
      scopes: [{ type: 'movie', media_id, scope: 'title' }],
      ...options,
    })
  const undo = (key: string) => household.device.post(getPath(`viewings/${key}/undo`))
  const listViewings = async (query = '') => (await household.device.get(getPath(`viewings${query}`))).body
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
    const next = body.results[0]?.next_episode
    return next ? `${next.season_number}x${next.episode_number}` : null
  }

  it.each([
    ['the series: released regular episodes', { scope: 'title' }, ['1x1', '1x2', '1x3', '2x1', '2x2']],
    ['a season', { scope: 'season', season: 1 }, ['1x1', '1x2', '1x3']],
    ['the specials', { scope: 'season', season: 0 }, ['0x1']],
    ['an episode', { scope: 'episode', season: 1, episode: 2 }, ['1x2']],
    ['up to an episode', { scope: 'up_to', season: 2, episode: 1 }, ['1x1', '1x2', '1x3', '2x1']],
  ])('marks %s', async (_what, scope, expected) => {
    const { status, body } = await markSeries(scope)
    expect([status, body.viewings]).toEqual([200, expected.length])
    expect(await loadFinished()).toEqual(expected)
  })

  it('rejects scopes that name nothing that is released', async () => {
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

  it('continues with the next episode at once, and completes the series with its last one', async () => {
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

  it('marks what is not seen when the watch state becomes completed', async () => {
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

  it('has no unseen notice about an episode that was marked as seen', async () => {
    await markSeries({ scope: 'season', season: 1 })
    const loadUnseen = async () => (await household.device.get(getPath('notifications/episodes'))).body.unseen
    expect(await loadUnseen()).toBe(1)
    const { body } = await markSeries({ scope: 'title' })
    expect(await loadUnseen()).toBe(0)
    await undo(body.key)
    expect(await loadUnseen()).toBe(1)
  })

  it('dates viewings with the release, with a chosen day, and with the time of the device', async () => {
    await markSeries({ scope: 'season', season: 1 }, { date: 'release' })
    const days = (await listViewings()).results.map((viewing: { watched_at: string }) =>
      viewing.watched_at.slice(0, 10),
    )
    expect(days).toEqual([...(EPISODE_DATES[1] ?? [])].reverse())
    await markMovie({ date: 'chosen', day: '2024-02-29' })
    const at = new Date(Date.now() - 3_600_000).toISOString()
    await markMovie({ at, again: true })
    const { results } = await listViewings('?type=movie')
    expect(
      results.map((viewing: { watched_at: string; date_only: boolean }) => [
        viewing.watched_at,
        viewing.date_only,
      ]),
    ).toEqual([
      [at, false],
      ['2024-02-29T12:00:00.000Z', true],
    ])
    expect(results.every((viewing: { marked: boolean }) => viewing.marked)).toBe(true)
  })

  it('adds a viewing to what is seen only with `again`, and counts it as a rewatch', async () => {
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

  it('applies a repeated key once, and undoes it once', async () => {
    const before = await readTrackingRows(household)
    const first = await markMovie({ key: 'same-key-1' })
    household.server.advanceClock(5_000)
    const replies = await Promise.all([1, 2, 3].map(() => markMovie({ key: 'same-key-1', again: true })))
    expect(replies.map(({ body }) => body)).toEqual([first.body, first.body, first.body])
    expect([(await undo('same-key-1')).status, (await undo('same-key-1')).status]).toEqual([204, 204])
    expect(await readTrackingRows(household)).toBe(before)
    expect((await undo('no-such-key')).status).toBe(404)
  })

  it('refuses to undo a mark whose rows were changed since, and changes nothing then', async () => {
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
    const before = await readTrackingRows(household)
    expect((await undo(body.key)).status).toBe(409)
    expect(await readTrackingRows(household)).toBe(before)
  })

  it('removes one of two viewings, then the other, and restores both', async () => {
    await household.device.put(getPath(`watchlist/movie/${household.movieId}`))
    await markMovie({ date: 'chosen', day: '2024-01-01' })
    await markMovie({ date: 'chosen', day: '2024-02-01', again: true })
    const before = await readTrackingRows(household)
    const [latest, earliest] = (await listViewings()).results
    const remove = ({ watched_at }: { watched_at: string }) => {
      const viewings = [{ type: 'movie', media_id: household.movieId, watched_at }]
      return household.device.delete(getPath(), { key: createKey(), viewings })
    }
    const isFinished = async () =>
      (await household.device.get(getPath(`history/movie/${household.movieId}`))).body.latest?.finished ??
      null
    const first = await remove(latest)
    expect([first.status, await isFinished()]).toEqual([200, true])
    const second = await remove(earliest)
    expect([second.status, await isFinished()]).toEqual([200, null])
    const state = (await household.device.get(getPath(`watchlist/movie/${household.movieId}`))).body.state
    expect(state).toBe('planned')
    await undo(second.body.key)
    await undo(first.body.key)
    expect(await readTrackingRows(household)).toBe(before)
  })

  it('changes the date of a viewing, but not to that of another one', async () => {
    await markMovie({ date: 'chosen', day: '2024-01-01' })
    await markMovie({ date: 'chosen', day: '2024-02-01', again: true })
    const change = (day: string) =>
      household.device.put(getPath(), {
        key: createKey(),
        viewing: { type: 'movie', media_id: household.movieId, watched_at: '2024-02-01T12:00:00.000Z' },
        day,
      })
    expect((await change('2024-01-01')).status).toBe(422)
    expect((await change('2023-06-05')).status).toBe(200)
    const days = (await listViewings()).results.map((viewing: { watched_at: string }) =>
      viewing.watched_at.slice(0, 10),
    )
    expect(days).toEqual(['2024-01-01', '2023-06-05'])
    const { latest } = (await household.device.get(getPath(`history/movie/${household.movieId}`))).body
    expect(latest.updated_at.slice(0, 10)).toBe('2024-01-01')
  })

  it('lists viewings page by page without gaps, by type, title and time', async () => {
    await markSeries({ scope: 'title' }, { date: 'release' })
    await markMovie({ date: 'chosen', day: '2020-01-08' })
    const keys: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: {
        results: { media: { id: string }; season: number; episode: number }[]
        next: string | null
      } = await listViewings(`?limit=2${cursor && `&cursor=${cursor}`}`)
      keys.push(...page.results.map((viewing) => `${viewing.media.id} ${viewing.season} ${viewing.episode}`))
      cursor = page.next
    }
    expect(new Set(keys).size).toBe(RELEASED_COUNT + 1)
    expect(keys).toHaveLength(RELEASED_COUNT + 1)
    const count = async (query: string) => (await listViewings(query)).results.length
    expect(await count('?type=movie')).toBe(1)
    expect(await count(`?media_id=${household.seriesId}`)).toBe(RELEASED_COUNT)
    expect(await count('?from=2020-01-01T00:00:00Z&until=2020-02-01T00:00:00Z')).toBe(4)
    expect((await listViewings()).oldest).toBe('2020-01-01T12:00:00.000Z')
    expect((await household.device.get(getPath('viewings?cursor=x'))).status).toBe(422)
  })

  it('lets a kids profile mark and undo within its scope, and change nothing else', async () => {
    const kid = new TestClient(household.server)
    const kidId = (await household.device.post('/api/profile', { name: 'Kid', kids: true })).body.profile_id
    await kid.login('alice@example.com')
    kid.profileId = kidId
    const kidPath = `/api/profile/${kidId}/viewings`
    const mark = (media_id: string) =>
      kid.post(kidPath, { key: createKey(), scopes: [{ type: 'movie', media_id, scope: 'title' }] })
    expect((await mark(household.adultMovieId)).status).toBe(404)
    const marked = await mark(household.movieId)
    expect(marked.status).toBe(200)
    expect((await kid.post(`${kidPath}/${marked.body.key}/undo`)).status).toBe(204)
    await mark(household.movieId)
    const [viewing] = (await kid.get(kidPath)).body.results
    const ref = { type: 'movie', media_id: household.movieId, watched_at: viewing.watched_at }
    expect((await kid.delete(kidPath, { key: createKey(), viewings: [ref] })).status).toBe(403)
    const dateChange = { key: createKey(), viewing: ref, day: formatDay(Date.now() - 86_400_000 * 9) }
    expect((await kid.put(kidPath, dateChange)).status).toBe(403)
    expect((await kid.get(kidPath)).body.results).toEqual([viewing])
  })
})
