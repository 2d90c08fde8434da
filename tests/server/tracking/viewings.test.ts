/** Marking as seen, the resulting watch state, and Undo. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES } from '../../support/server.ts'
import {
  AIR_DATES_BY_SEASON,
  createViewingCalls,
  RELEASED_EPISODE_COUNT,
  readViewingsProgressAndWatchlist,
  startViewingHousehold,
  type ViewingHousehold,
} from './viewing-series.ts'

describe.each(DATABASES)('viewings on %s', (_name, openTestDatabase) => {
  let household: ViewingHousehold
  beforeEach(async () => {
    household = await startViewingHousehold(await openTestDatabase())
  })
  afterEach(() => household.server.close())
  const { getPath, markSeries, markMovie, undoChange, listViewings } = createViewingCalls(() => household)
  const loadWatchState = async () =>
    (await household.device.get(getPath(`watchlist/tv/${household.seriesId}`))).body.state
  const loadFinishedEpisodes = async () => {
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
    ['the released regular episodes of a series', { scope: 'title' }, ['1x1', '1x2', '1x3', '2x1', '2x2']],
    ['a season', { scope: 'season', season: 1 }, ['1x1', '1x2', '1x3']],
    ['the specials', { scope: 'season', season: 0 }, ['0x1']],
    ['an episode', { scope: 'episode', season: 1, episode: 2 }, ['1x2']],
    [
      'all episodes up to an episode',
      { scope: 'up_to', season: 2, episode: 1 },
      ['1x1', '1x2', '1x3', '2x1'],
    ],
  ])(
    'marking %s as seen adds exactly one viewing for each episode',
    async (_description, viewingScope, expectedEpisodes) => {
      const { status, body } = await markSeries(viewingScope)
      expect([status, body.viewings]).toEqual([200, expectedEpisodes.length])
      expect(await loadFinishedEpisodes()).toEqual(expectedEpisodes)
    },
  )

  it('the progress of a series contains the episode that Play starts, even after the series was dismissed from Continue Watching', async () => {
    const loadEpisodeToPlay = async () =>
      (await household.device.get(getPath(`history/tv/${household.seriesId}`))).body.next_episode
    expect(await loadEpisodeToPlay()).toEqual({ season_number: 1, episode_number: 1 })
    await markSeries({ scope: 'up_to', season: 1, episode: 3 })
    expect(await loadEpisodeToPlay()).toEqual({ season_number: 2, episode_number: 1 })
    await household.device.put(getPath(`interaction/tv/${household.seriesId}`), { event: 'dismiss' })
    expect(await loadNextEpisode()).toBeNull()
    expect(await loadEpisodeToPlay()).toEqual({ season_number: 2, episode_number: 1 })
  })

  it('if a dismissal reaches the server late, the card leaves Continue Watching only if the title was not played after the user dismissed the card', async () => {
    const formatTime = (ageMs: number) => new Date(Date.now() - ageMs).toISOString()
    await household.device.post(getPath('history'), {
      ...{ type: 'movie', media_id: household.movieId, progress: 600, data: { video_duration: 5_000 } },
      at: formatTime(60 * 60_000),
    })
    const dismissCard = (ageMs: number) =>
      household.device.put(getPath(`interaction/movie/${household.movieId}`), {
        ...{ event: 'dismiss', at: formatTime(ageMs), sent_at: formatTime(0) },
      })
    const loadCards = async () => (await household.device.get(getPath('continue-watching'))).body.results
    expect((await dismissCard(90 * 60_000)).status).toBe(204)
    expect(await loadCards()).toHaveLength(1)
    await dismissCard(30 * 60_000)
    expect(await loadCards()).toEqual([])
  })

  it('the progress of a movie, or of a series whose released episodes are finished, contains no next episode', async () => {
    await markSeries({ scope: 'title' })
    for (const titlePath of [`tv/${household.seriesId}`, `movie/${household.movieId}`])
      expect((await household.device.get(getPath(`history/${titlePath}`))).body.next_episode).toBeNull()
  })

  it('a mark as seen without a released episode, with a season or episode that contradicts its scope, or without a valid day is rejected with 422', async () => {
    const rejectedScopes = [
      { scope: 'episode', season: 2, episode: 3 },
      { scope: 'episode', season: 9, episode: 1 },
      { scope: 'season', season: 7 },
      { scope: 'season' },
      { scope: 'up_to', season: 1 },
      // The scope is larger than the given season or episode.
      { scope: 'title', season: 1 },
      { scope: 'title', season: 1, episode: 2 },
      { scope: 'season', season: 1, episode: 2 },
    ]
    for (const viewingScope of rejectedScopes) expect((await markSeries(viewingScope)).status).toBe(422)
    expect((await markMovie({ date: 'chosen' })).status).toBe(422)
    expect((await markMovie({ date: 'chosen', day: '2999-01-01' })).status).toBe(422)
    for (const date of ['now', 'release', undefined])
      expect((await markMovie({ date, day: '2024-02-29' })).status).toBe(422)
    expect((await listViewings()).results).toEqual([])
  })

  it('after a season is marked as seen, Continue Watching shows the next episode, and marking the last season completes the series', async () => {
    await household.device.put(getPath(`watchlist/tv/${household.seriesId}`))
    await markSeries({ scope: 'season', season: 1 })
    expect([await loadNextEpisode(), await loadWatchState()]).toEqual(['2x1', 'planned'])
    await markSeries({ scope: 'season', season: 2 })
    expect([await loadNextEpisode(), await loadWatchState()]).toEqual([null, 'completed'])
    const { body } = await household.device.get('/api/series?hide-seen=true')
    expect(body.results).toEqual([])
  })

  it('the series is completed when the player finishes its last released episode', async () => {
    await household.device.put(getPath(`watchlist/tv/${household.seriesId}`))
    await markSeries({ scope: 'up_to', season: 2, episode: 1 })
    const lastEpisode = { type: 'tv', media_id: household.seriesId, season: 2, episode: 2 }
    await household.device.post(getPath('history'), {
      ...lastEpisode,
      progress: 2_900,
      data: { video_duration: 3_000 },
    })
    expect(await loadWatchState()).toBe('completed')
  })

  it('unseen episodes of a series and unseen movies are marked as seen when the watch state of the title becomes completed', async () => {
    await markSeries({ scope: 'season', season: 1 })
    await household.device.put(getPath(`watchlist/tv/${household.seriesId}/state/completed`))
    expect(await loadFinishedEpisodes()).toHaveLength(RELEASED_EPISODE_COUNT)
    expect((await listViewings()).results).toHaveLength(RELEASED_EPISODE_COUNT)
    const entries = [{ type: 'movie', media_id: household.movieId, state: 'completed' }]
    await household.device.put(getPath('watchlist'), { entries })
    expect(
      (await household.device.get(getPath(`history/movie/${household.movieId}`))).body.latest.finished,
    ).toBe(true)
  })

  it('the progress of a movie lists no episodes, and the progress of a series lists each seen episode', async () => {
    await markMovie()
    await markSeries({ scope: 'season', season: 1 })
    const loadProgress = async (titlePath: string) =>
      (await household.device.get(getPath(`history/${titlePath}`))).body
    const movieProgress = await loadProgress(`movie/${household.movieId}`)
    expect(movieProgress).toMatchObject({ latest: { finished: true }, episodes: [] })
    const { episodes } = await loadProgress(`tv/${household.seriesId}`)
    expect(episodes.map((progress: { episode: number }) => progress.episode).sort()).toEqual([1, 2, 3])
  })

  it('a completed series is shown as watching once a new episode has aired', async () => {
    await household.device.put(getPath(`watchlist/tv/${household.seriesId}/state/completed`))
    household.server.advanceClock(8 * 86_400_000)
    await household.device.login('alice@example.com')
    expect(await loadWatchState()).toBe('watching')
    const countEntries = async (state: string) =>
      (await household.device.get(getPath(`watchlist?state=${state}`))).body.total_results
    expect([await countEntries('completed'), await countEntries('watching')]).toEqual([0, 1])
    expect((await household.device.get('/api/series?hide-seen=true')).body.total_results).toBe(1)
  })

  it('marking an episode as seen also marks its notice as seen, until Undo', async () => {
    await markSeries({ scope: 'season', season: 1 })
    const countUnseenNotices = async () =>
      (await household.device.get(getPath('notifications/episodes'))).body.unseen
    expect(await countUnseenNotices()).toBe(1)
    const { body } = await markSeries({ scope: 'title' })
    expect(await countUnseenNotices()).toBe(0)
    await undoChange(body.key)
    expect(await countUnseenNotices()).toBe(1)
  })

  it('viewings are stored with the release date, a chosen day or the time of the device', async () => {
    await markSeries({ scope: 'season', season: 1 }, { date: 'release' })
    const days = (await listViewings()).results.map((viewing: { watched_at: string }) =>
      viewing.watched_at.slice(0, 10),
    )
    expect(days).toEqual([...(AIR_DATES_BY_SEASON[1] ?? [])].reverse())
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

  it('a second viewing of a movie is added only with `again` and counts as a rewatch', async () => {
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

  it('a mark as seen that is sent several times with one idempotency key is applied once and undone once', async () => {
    const rowsBefore = await readViewingsProgressAndWatchlist(household)
    const firstReply = await markMovie({ key: 'same-key-1', again: true })
    household.server.advanceClock(5_000)
    const replies = await Promise.all([1, 2, 3].map(() => markMovie({ key: 'same-key-1', again: true })))
    expect(replies.map(({ body }) => body)).toEqual([firstReply.body, firstReply.body, firstReply.body])
    expect([(await undoChange('same-key-1')).status, (await undoChange('same-key-1')).status]).toEqual([
      204, 204,
    ])
    expect(await readViewingsProgressAndWatchlist(household)).toBe(rowsBefore)
    expect((await undoChange('no-such-key')).status).toBe(404)
  })

  it('a request with different contents but a used idempotency key is rejected with 422 and stores nothing, also after the first request was undone', async () => {
    const { device, movieId } = household
    const at = new Date(household.server.deps.now()).toISOString()
    const key = 'used-key-1'
    const sendMark = (changes: object) => markMovie({ key, at, sent_at: at, ...changes })
    expect((await sendMark({})).status).toBe(200)
    const rowsAfterMark = await readViewingsProgressAndWatchlist(household)
    const viewing = { type: 'movie', media_id: movieId, watched_at: at }
    const sendOtherChanges = async () => [
      await sendMark({ again: true }),
      await sendMark({ date: 'release' }),
      await markSeries({ scope: 'title' }, { key, at, sent_at: at }),
      await device.put(getPath(), { key, viewing, day: '2020-01-01' }),
      await device.put(getPath('viewings/note'), { key, viewing, note: 'Lovely' }),
      await device.delete(getPath(), { key, viewings: [viewing] }),
    ]
    for (const { status, body } of await sendOtherChanges())
      expect([status, body.errors]).toEqual([422, { key: ['reused'] }])
    expect(await readViewingsProgressAndWatchlist(household)).toBe(rowsAfterMark)
    const laterTime = new Date(household.server.deps.now() + 5_000).toISOString()
    expect(await sendMark({ sent_at: laterTime })).toMatchObject({ status: 200, body: { viewings: 1 } })
    expect((await undoChange(key)).status).toBe(204)
    for (const { status } of await sendOtherChanges()) expect(status).toBe(422)
    expect((await listViewings()).results).toEqual([])
  })

  const insertSeenEpisode = async (season_number: number, episode_number: number, name = '') => {
    const row = {
      profile_id: household.device.profileId ?? '',
      title_id: Number(household.seriesId),
      season_number,
      episode_number,
    }
    const { primary } = household.server.database
    const viewing = { ...row, name, watched_at: 1_600_000_000_000, by_day: 0 as const, note: null }
    await primary.insertInto('play').values(viewing).execute()
    if (name === '')
      await primary
        .insertInto('progress')
        .values({ ...row, progress: 9, duration: 9, finished: 1, plays: 1, updated_at: 1_600_000_000_000 })
        .execute()
  }
  it.each([
    ['the series', { scope: 'title' }, 0],
    ['a season', { scope: 'season', season: 1 }, 3],
  ])(
    'removing %s also removes episodes that the catalogue does not contain, and the removal can be undone',
    async (_description, viewingScope, remainingCount) => {
      await markSeries({ scope: 'season', season: 0 })
      await markSeries({ scope: 'episode', season: 2, episode: 1 })
      await insertSeenEpisode(1, 40)
      await insertSeenEpisode(-1, -1, 'Pilot')
      const rowsBefore = await readViewingsProgressAndWatchlist(household)
      const scopes = [{ type: 'tv', media_id: household.seriesId, ...viewingScope }]
      const { body } = await household.device.delete(getPath(), { key: 'remove-1', scopes })
      expect(body.viewings).toBe(4 - remainingCount)
      expect((await listViewings()).results).toHaveLength(remainingCount)
      expect(await loadFinishedEpisodes()).toHaveLength(remainingCount && remainingCount - 1)
      const bin = (await household.device.get(getPath('bin'))).body.results
      expect(bin).toMatchObject([{ kind: 'history', count: 4 - remainingCount }])
      expect((await undoChange('remove-1')).status).toBe(204)
      expect(await readViewingsProgressAndWatchlist(household)).toBe(rowsBefore)
    },
  )

  it.each([
    ['a season', { scope: 'season', season: 4 }, 1],
    ['an episode', { scope: 'episode', season: 4, episode: 2 }, 1],
    ['all episodes up to an episode', { scope: 'up_to', season: 4, episode: 2 }, 2],
  ])(
    '%s that the catalogue no longer contains can be removed from the history',
    async (_description, viewingScope, count) => {
      await insertSeenEpisode(1, 40)
      await insertSeenEpisode(4, 2)
      await insertSeenEpisode(5, 1)
      await insertSeenEpisode(0, 9)
      await insertSeenEpisode(-1, -1, 'Pilot')
      const scopes = [{ type: 'tv', media_id: household.seriesId, ...viewingScope }]
      const { status, body } = await household.device.delete(getPath(), { key: 'remove-1', scopes })
      expect([status, body.viewings]).toEqual([200, count])
      expect((await listViewings()).results).toHaveLength(5 - count)
      const { body: rejection } = await household.device.delete(getPath(), {
        key: 'remove-2',
        scopes: [{ type: 'tv', media_id: household.seriesId, scope: 'season', season: 7 }],
      })
      expect(rejection.errors).toEqual({ episode: ['unknown'] })
    },
  )

  it('a series counts as seen when each released regular episode is finished, even if the series is not in the watchlist', async () => {
    const isSeen = async (titlePath: string) =>
      (await household.device.get(getPath(`history/${titlePath}`))).body.seen
    const seriesPath = `tv/${household.seriesId}`
    expect(await isSeen(seriesPath)).toBe(false)
    await markSeries({ scope: 'episode', season: 2, episode: 2 })
    expect(await isSeen(seriesPath)).toBe(false)
    await markSeries({ scope: 'title' })
    expect(await isSeen(seriesPath)).toBe(true)
    expect(await isSeen(`movie/${household.movieId}`)).toBe(false)
    await markMovie()
    expect(await isSeen(`movie/${household.movieId}`)).toBe(true)
  })

  it('setting the watch state to completed together with `added_at`, as a restoration of the entry does, does not mark the series as seen', async () => {
    const entry = { type: 'tv', media_id: household.seriesId, state: 'completed', added_at: null }
    await household.device.put(getPath('watchlist'), { entries: [entry] })
    expect((await household.device.get(getPath(`history/tv/${household.seriesId}`))).body.seen).toBe(false)
  })

  it('undoing a mark as seen returns 409 and changes nothing if the progress of a marked episode was changed after the mark', async () => {
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
    const rowsBefore = await readViewingsProgressAndWatchlist(household)
    expect((await undoChange(body.key)).status).toBe(409)
    expect(await readViewingsProgressAndWatchlist(household)).toBe(rowsBefore)
  })

  it('the progress states how often a movie was seen, and undoing a mark as seen reduces the number', async () => {
    const loadPlayCount = async () =>
      (await household.device.get(getPath(`history/movie/${household.movieId}`))).body.latest.plays
    await markMovie({ date: 'chosen', day: '2026-01-02' })
    expect(await loadPlayCount()).toBe(1)
    const { body } = await markMovie({ again: true })
    expect(await loadPlayCount()).toBe(2)
    await undoChange(body.key)
    expect(await loadPlayCount()).toBe(1)
  })
})
