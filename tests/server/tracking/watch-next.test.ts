/** The titles that a profile can watch next: the kind of each item, its duration, and the profiles that see it. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { WatchNextItem } from '../../../src/lib/contract/watch-next.ts'
import { DATABASES } from '../../support/server.ts'
import { addMovies, createMovieRecord } from '../admin/admin-test-server.ts'
import {
  type CalendarHousehold,
  createSeriesRecord,
  formatDay,
  startCalendarHousehold,
} from '../calendar/calendar-household.ts'

const EPISODE_SECONDS = 3_000
const MOVIE_SECONDS = 5_400
const OLD_AIR_DATES = [formatDay(-400), formatDay(-393), formatDay(-386)]

/** Creates a series with three old episodes, and a second season with one episode that airs in `offsetDays` days. */
function createTwoSeasonRecord(recordNumber: number, offsetDays: number) {
  const record = createSeriesRecord(recordNumber, OLD_AIR_DATES)
  const episode = {
    episode_number: 1,
    air_date: formatDay(offsetDays),
    name: 'Return',
    runtime: EPISODE_SECONDS,
  }
  return { ...record, seasons: [...(record.seasons ?? []), { season_number: 2, episodes: [episode] }] }
}

describe.each(DATABASES)('watch next on %s', (_name, openTestDatabase) => {
  let household: CalendarHousehold
  let startedMovieId = ''
  let startedSeriesId = ''
  let newSeasonSeriesId = ''
  let plannedMovieId = ''
  let plannedSeriesId = ''
  let unreleasedMovieId = ''
  let adultMovieId = ''
  beforeEach(async () => {
    household = await startCalendarHousehold(await openTestDatabase(), [
      createMovieRecord(1, { runtime: MOVIE_SECONDS }),
      createSeriesRecord(2, OLD_AIR_DATES),
      createTwoSeasonRecord(3, -5),
      createMovieRecord(4, { runtime: MOVIE_SECONDS }),
      createSeriesRecord(5, OLD_AIR_DATES),
      createMovieRecord(6, { release_date: formatDay(5) }),
      createMovieRecord(7, { safe_for_kids: false, rated: '18+' }),
    ])
    const { ids } = household
    ;[
      startedMovieId = '',
      startedSeriesId = '',
      newSeasonSeriesId = '',
      plannedMovieId = '',
      plannedSeriesId = '',
    ] = ids
    ;[, , , , , unreleasedMovieId = '', adultMovieId = ''] = ids
  })
  afterEach(() => household.server.close())

  const getPath = (suffix: string) => `${household.profilePath}/${suffix}`
  const loadWatchNext = async (profilePath = household.profilePath) => {
    const { status, body } = await household.device.get(`${profilePath}/watch-next`)
    expect(status).toBe(200)
    return body
  }
  const summariseItems = ({ results }: { results: WatchNextItem[] }) =>
    results.map(({ kind, media, episode, remaining_seconds }) =>
      [
        kind,
        media.id,
        episode ? `${episode.season_number}x${episode.episode_number}` : 'movie',
        remaining_seconds,
      ].join(' '),
    )
  const saveProgress = (
    media_id: string,
    positionSeconds: number,
    durationSeconds: number,
    episode?: number,
  ) =>
    household.device.post(getPath('history'), {
      type: episode === undefined ? 'movie' : 'tv',
      media_id,
      ...(episode !== undefined && { season: 1, episode }),
      progress: positionSeconds,
      data: { video_duration: durationSeconds },
    })
  const addToWatchlist = (type: string, id: string) =>
    household.device.put(getPath(`watchlist/${type}/${id}`))
  const markAsSeen = (viewingScope: object, options: object = {}) =>
    household.device.post(getPath('viewings'), {
      key: crypto.randomUUID(),
      scopes: [viewingScope],
      ...options,
    })

  it('lists started titles, next episodes, new seasons and planned titles, each with its remaining time', async () => {
    await saveProgress(startedMovieId, 1_400, 5_000)
    await markAsSeen({ type: 'tv', media_id: startedSeriesId, scope: 'episode', season: 1, episode: 1 })
    await markAsSeen(
      { type: 'tv', media_id: newSeasonSeriesId, scope: 'season', season: 1 },
      { date: 'chosen', day: formatDay(-60) },
    )
    await addToWatchlist('movie', plannedMovieId)
    // Waits, because the list is ordered by the time of addition in milliseconds, and the two times must differ.
    await pause(5)
    await addToWatchlist('tv', plannedSeriesId)
    const reply = await loadWatchNext()
    expect(summariseItems(reply).sort()).toEqual(
      [
        `continue ${startedMovieId} movie 3600`,
        `next_episode ${startedSeriesId} 1x2 ${EPISODE_SECONDS}`,
        `new_season ${newSeasonSeriesId} 2x1 ${EPISODE_SECONDS}`,
        `planned ${plannedMovieId} movie ${MOVIE_SECONDS}`,
        `planned ${plannedSeriesId} 1x1 ${EPISODE_SECONDS}`,
      ].sort(),
    )
    expect(reply.results.at(-1).kind).toBe('planned')
    expect(reply.results.map((item: WatchNextItem) => item.media.id).at(-2)).toBe(plannedSeriesId)
    expect(reply.has_more_planned).toBe(false)
    expect(reply.viewing_time.status).toBe('unlimited')
  })

  it('lists a title of the watchlist once, and no seen, completed or unreleased titles', async () => {
    for (const id of [startedMovieId, plannedMovieId, unreleasedMovieId]) await addToWatchlist('movie', id)
    await addToWatchlist('tv', plannedSeriesId)
    await saveProgress(startedMovieId, 1_400, 5_000)
    await markAsSeen({ type: 'movie', media_id: plannedMovieId, scope: 'title' })
    await household.device.put(getPath(`watchlist/tv/${plannedSeriesId}/state/completed`))
    expect(summariseItems(await loadWatchNext())).toEqual([`continue ${startedMovieId} movie 3600`])
  })

  it('continues a series of the watchlist at the next episode, also 300 days after the last viewing', async () => {
    await addToWatchlist('tv', plannedSeriesId)
    await markAsSeen(
      { type: 'tv', media_id: plannedSeriesId, scope: 'up_to', season: 1, episode: 2 },
      { date: 'chosen', day: formatDay(-300) },
    )
    expect(summariseItems(await loadWatchNext())).toEqual([
      `planned ${plannedSeriesId} 1x3 ${EPISODE_SECONDS}`,
    ])
    await markAsSeen({ type: 'tv', media_id: plannedSeriesId, scope: 'season', season: 1 })
    expect(summariseItems(await loadWatchNext())).toEqual([])
  })

  it('lists the undated first episode of a series if an episode of a later season has aired, and omits a series whose only air date is in the future', async () => {
    const createRecord = (recordNumber: number, secondSeasonDay: string) =>
      createSeriesRecord(recordNumber, [], {
        seasons: [
          { season_number: 1, episodes: [{ episode_number: 1, runtime: EPISODE_SECONDS }] },
          { season_number: 2, episodes: [{ episode_number: 1, air_date: secondSeasonDay }] },
        ],
      })
    const [airedSeriesId = '', announcedSeriesId = ''] = await addMovies(household, [
      createRecord(8, formatDay(-5)),
      createRecord(9, formatDay(5)),
    ])
    await addToWatchlist('tv', airedSeriesId)
    await addToWatchlist('tv', announcedSeriesId)
    expect(summariseItems(await loadWatchNext())).toEqual([`planned ${airedSeriesId} 1x1 ${EPISODE_SECONDS}`])
  })

  it.each([
    ['finished movies', (recordNumber: number) => createMovieRecord(recordNumber)],
    [
      'completed series',
      (recordNumber: number) => createSeriesRecord(recordNumber, OLD_AIR_DATES.slice(0, 1)),
    ],
  ])(
    'lists a started movie even if 200 %s were played after the movie',
    async (_description, createRecord) => {
      const { server, device } = household
      await saveProgress(startedMovieId, 1_400, 5_000)
      const records = Array.from({ length: 200 }, (_, index) => createRecord(100 + index))
      const titleIds = await addMovies({ server }, records)
      const episodeNumber = records[0]?.type === 'tv' ? 1 : 0
      await server.database.primary
        .insertInto('progress')
        .values(
          titleIds.map((id) => ({
            profile_id: device.profileId ?? '',
            title_id: Number(id),
            season_number: episodeNumber,
            episode_number: episodeNumber,
            progress: EPISODE_SECONDS,
            duration: EPISODE_SECONDS,
            finished: 1,
            plays: 1,
            updated_at: server.deps.now() + 1_000,
          })),
        )
        .execute()
      expect(summariseItems(await loadWatchNext())).toEqual([`continue ${startedMovieId} movie 3600`])
      const { body } = await device.get(getPath('continue-watching'))
      expect(body.results.map(({ media }: { media: { id: string } }) => media.id)).toEqual([startedMovieId])
    },
  )

  it('lists a series with a new episode before titles that were played before the release of the episode', async () => {
    await markAsSeen(
      { type: 'tv', media_id: newSeasonSeriesId, scope: 'season', season: 1 },
      { date: 'chosen', day: formatDay(-60) },
    )
    await saveProgress(startedMovieId, 1_400, 5_000)
    await household.server.database.primary
      .updateTable('progress')
      .set({ updated_at: household.server.deps.now() - 30 * 86_400_000 })
      .where('title_id', '=', Number(startedMovieId))
      .execute()
    expect((await loadWatchNext()).results.map((item: WatchNextItem) => item.media.id)).toEqual([
      newSeasonSeriesId,
      startedMovieId,
    ])
  })

  it('lists for a kids profile only titles that the profile has planned and may see', async () => {
    const { device } = household
    const kidsProfileId = (await device.post('/api/profile', { name: 'Kid', kids: true })).body.profile_id
    const kidPath = `/api/profile/${kidsProfileId}`
    await addToWatchlist('movie', plannedMovieId)
    await device.put(`${kidPath}/watchlist/tv/${plannedSeriesId}`)
    const { database } = household.server
    await database.primary
      .insertInto('watchlist_entry')
      .values({
        profile_id: kidsProfileId,
        title_id: Number(adultMovieId),
        in_watchlist: 1,
        state: null,
        favorite: 0,
        added_at: 1,
        updated_at: 1,
      })
      .execute()
    expect(summariseItems(await loadWatchNext(kidPath))).toEqual([
      `planned ${plannedSeriesId} 1x1 ${EPISODE_SECONDS}`,
    ])
    expect(summariseItems(await loadWatchNext())).toEqual([
      `planned ${plannedMovieId} movie ${MOVIE_SECONDS}`,
    ])
  })

  it('returns the viewing time that remains today', async () => {
    const limits = { school_day_minutes: 45, weekend_minutes: 45, quiet_start: null, quiet_end: null }
    expect((await household.device.put(getPath('viewing-limits'), limits)).status).toBe(200)
    expect((await loadWatchNext()).viewing_time).toMatchObject({
      status: 'allowed',
      remaining_seconds: 45 * 60,
    })
  })

  it('lists at most the 100 latest titles of the watchlist, and reports that more titles exist', async () => {
    const { server, ids, device } = household
    const movieIds = await addMovies(
      { server },
      Array.from({ length: 101 }, (_, index) => createMovieRecord(100 + index)),
    )
    const entries = movieIds.map((media_id, index) => ({
      type: 'movie',
      media_id,
      in_watchlist: true,
      added_at: new Date(1_700_000_000_000 + index * 1_000).toISOString(),
    }))
    await device.put(getPath('watchlist'), { entries: entries.slice(0, 100) })
    expect((await loadWatchNext()).has_more_planned).toBe(false)
    // A title without a date of addition, such as a title of an imported list, comes after all others.
    await server.database.primary
      .insertInto('watchlist_entry')
      .values({
        profile_id: device.profileId ?? '',
        title_id: Number(plannedMovieId),
        in_watchlist: 1,
        state: 'planned',
        favorite: 0,
        added_at: null,
        updated_at: 1,
      })
      .execute()
    await device.put(getPath('watchlist'), { entries: entries.slice(100) })
    const reply = await loadWatchNext()
    expect(reply.results).toHaveLength(100)
    expect(reply.has_more_planned).toBe(true)
    const listedIds = reply.results.map((item: WatchNextItem) => item.media.id)
    expect(listedIds[0]).toBe(movieIds[100])
    expect(listedIds).not.toContain(movieIds[0])
    expect(listedIds).not.toContain(plannedMovieId)
    expect(ids).not.toContain(listedIds[0])
  })

  it('lists a watchlist title even if more than 100 series before it in the watchlist have no episode to watch', async () => {
    const { server } = household
    const seriesIds = await addMovies(
      { server },
      Array.from({ length: 101 }, (_, index) => createSeriesRecord(100 + index, OLD_AIR_DATES.slice(0, 1))),
    )
    await addToWatchlist('movie', plannedMovieId)
    const profile_id = household.device.profileId ?? ''
    const rows = seriesIds.map((id) => ({ profile_id, title_id: Number(id), updated_at: Date.now() }))
    for (const row of rows) {
      const episode = { season_number: 1, episode_number: 1, progress: 1, duration: 1, finished: 1, plays: 1 }
      await server.database.primary
        .insertInto('progress')
        .values({ ...row, ...episode })
        .execute()
      const entry = { in_watchlist: 1, state: 'watching', favorite: 0, added_at: row.updated_at + 1_000 }
      await server.database.primary
        .insertInto('watchlist_entry')
        .values({ ...row, ...entry })
        .execute()
    }
    const reply = await loadWatchNext()
    expect(reply.results.map((item: WatchNextItem) => item.media.id)).toEqual([plannedMovieId])
    expect(reply.has_more_planned).toBe(false)
  })
})
