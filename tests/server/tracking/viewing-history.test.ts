/** The history of a profile: pages and filters, removed viewings, changed dates, and kids profiles. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import {
  createEditKey,
  createViewingCalls,
  formatDay,
  RELEASED_EPISODE_COUNT,
  readViewingsProgressAndWatchlist,
  startViewingHousehold,
  type ViewingHousehold,
} from './viewing-series.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe.each(DATABASES)('viewing history on %s', (_name, openTestDatabase) => {
  let household: ViewingHousehold
  beforeEach(async () => {
    household = await startViewingHousehold(await openTestDatabase())
  })
  afterEach(() => household.server.close())
  const { getPath, markSeries, markMovie, undoChange, listViewings } = createViewingCalls(() => household)

  it('two viewings of a movie can be removed one after the other, and both can be restored', async () => {
    await household.device.put(getPath(`watchlist/movie/${household.movieId}`))
    await markMovie({ date: 'chosen', day: '2024-01-01' })
    await markMovie({ date: 'chosen', day: '2024-02-01', again: true })
    const rowsBefore = await readViewingsProgressAndWatchlist(household)
    const [latestViewing, earliestViewing] = (await listViewings()).results
    const removeViewing = ({ watched_at }: { watched_at: string }) => {
      const viewings = [{ type: 'movie', media_id: household.movieId, watched_at }]
      return household.device.delete(getPath(), { key: createEditKey(), viewings })
    }
    const isFinished = async () =>
      (await household.device.get(getPath(`history/movie/${household.movieId}`))).body.latest?.finished ??
      null
    const firstReply = await removeViewing(latestViewing)
    expect([firstReply.status, await isFinished()]).toEqual([200, true])
    const secondReply = await removeViewing(earliestViewing)
    expect([secondReply.status, await isFinished()]).toEqual([200, null])
    const watchState = (await household.device.get(getPath(`watchlist/movie/${household.movieId}`))).body
      .state
    expect(watchState).toBe('planned')
    await undoChange(secondReply.body.key)
    await undoChange(firstReply.body.key)
    expect(await readViewingsProgressAndWatchlist(household)).toBe(rowsBefore)
  })

  it('a viewing can be moved to another date, but not to the date of another viewing', async () => {
    await markMovie({ date: 'chosen', day: '2024-01-01' })
    await markMovie({ date: 'chosen', day: '2024-02-01', again: true })
    const changeDay = (day: string) =>
      household.device.put(getPath(), {
        key: createEditKey(),
        viewing: { type: 'movie', media_id: household.movieId, watched_at: '2024-02-01T12:00:00.000Z' },
        day,
      })
    expect((await changeDay('2024-01-01')).status).toBe(422)
    expect((await changeDay('2023-06-05')).status).toBe(200)
    const days = (await listViewings()).results.map((viewing: { watched_at: string }) =>
      viewing.watched_at.slice(0, 10),
    )
    expect(days).toEqual(['2024-01-01', '2023-06-05'])
    const { latest } = (await household.device.get(getPath(`history/movie/${household.movieId}`))).body
    expect(latest.updated_at.slice(0, 10)).toBe('2024-01-01')
  })

  const removeMovieViewings = (times: (string | null)[]) =>
    household.device.delete(getPath(), {
      key: createEditKey(),
      viewings: times.map((watched_at) => ({ type: 'movie', media_id: household.movieId, watched_at })),
    })
  const changeUnknownViewingTime = (change: object) =>
    household.device.put(getPath(), {
      key: createEditKey(),
      viewing: { type: 'movie', media_id: household.movieId, watched_at: null },
      ...change,
    })

  it('if a movie is marked as seen on its release date and this date is before 1970, the viewing has no date, and can get another date or be removed', async () => {
    await household.server.database.primary
      .updateTable('title')
      .set({ release_date: '1942-11-26' })
      .where('title_id', '=', Number(household.movieId))
      .execute()
    const loadViewingTimes = async () =>
      (await listViewings()).results.map((viewing: { watched_at: string | null }) => viewing.watched_at)
    await markMovie({ date: 'release' })
    expect(await loadViewingTimes()).toEqual([null])
    expect((await changeUnknownViewingTime({ day: '2020-01-01' })).status).toBe(200)
    expect((await removeMovieViewings(['2020-01-01T12:00:00.000Z'])).status).toBe(200)
    await markMovie({ date: 'release' })
    expect((await removeMovieViewings([null])).status).toBe(200)
    expect(await loadViewingTimes()).toEqual([])
  })

  it('a viewing that is stored with a time before 1970 can be removed together with another viewing', async () => {
    await markMovie({ date: 'chosen', day: '2024-01-01' })
    const viewing = await household.server.database.primary
      .selectFrom('play')
      .selectAll()
      .executeTakeFirstOrThrow()
    await household.server.database.primary
      .insertInto('play')
      .values({ ...viewing, watched_at: -1_000_000 })
      .execute()
    const reply = await removeMovieViewings(['2024-01-01T12:00:00.000Z', null])
    expect([reply.status, reply.body.viewings]).toEqual([200, 2])
    expect((await listViewings()).results).toEqual([])
  })

  it('a chosen time before 1970 is rejected with 422', async () => {
    const rejectedDate = { at: '1969-07-20T20:17:40Z' }
    const reply = await markMovie({ date: 'chosen', ...rejectedDate })
    expect([reply.status, reply.body.errors]).toEqual([422, { at: ['too_early'] }])
    await markMovie({ date: 'chosen', day: '2024-01-01' })
    expect((await changeUnknownViewingTime(rejectedDate)).body.errors).toEqual({ at: ['too_early'] })
  })

  it('if the player reports that a movie was finished before 1970, the viewing is listed without a time and can be removed', async () => {
    await household.device.post(getPath('history'), {
      type: 'movie',
      media_id: household.movieId,
      progress: 5_900,
      data: { video_duration: 6_000 },
      at: '1969-07-20T20:17:40Z',
    })
    const [viewing] = (await listViewings()).results
    expect(viewing.watched_at).toBeNull()
    expect((await removeMovieViewings([null])).status).toBe(200)
    expect((await listViewings()).results).toEqual([])
  })

  /** Moves the clock of the server to an hour of the next UTC day. Returns the start of that day. */
  const moveClockToNextDay = async (hour: number) => {
    const dayStartMs = (Math.floor(household.server.deps.now() / DAY_MS) + 1) * DAY_MS
    household.server.advanceClock(dayStartMs + hour * HOUR_MS - household.server.deps.now())
    await household.device.login('alice@example.com')
    return dayStartMs
  }

  it('marking a movie as seen with the date of today before noon and again after noon adds one viewing', async () => {
    const day = formatDay(await moveClockToNextDay(5))
    expect((await markMovie({ date: 'chosen', day })).body.viewings).toBe(1)
    household.server.advanceClock(10 * HOUR_MS)
    await household.device.login('alice@example.com')
    expect((await markMovie({ date: 'chosen', day, again: true })).body.viewings).toBe(0)
    const { results } = await listViewings()
    expect(results.map((viewing: { watched_at: string }) => viewing.watched_at)).toEqual([
      `${day}T12:00:00.000Z`,
    ])
  })

  it.each([
    ['today', 0],
    ['tomorrow, which has begun in the time zone of the viewer', 1],
  ])(
    'the server stores a playback position that the player reports after a mark as seen with the date %s',
    async (_description, daysAhead) => {
      const dayStartMs = await moveClockToNextDay(5)
      const historyPath = getPath(`history/movie/${household.movieId}`)
      const day = formatDay(dayStartMs + daysAhead * DAY_MS)
      expect((await markMovie({ date: 'chosen', day })).status).toBe(200)
      const loadUpdatedAtMs = async () =>
        Date.parse((await household.device.get(historyPath)).body.latest.updated_at)
      expect(await loadUpdatedAtMs()).toBeLessThanOrEqual(household.server.deps.now())
      household.server.advanceClock(60_000)
      const reply = await household.device.post(getPath('history'), {
        type: 'movie',
        media_id: household.movieId,
        progress: 100,
        data: { video_duration: 6_000 },
        at: new Date(household.server.deps.now()).toISOString(),
      })
      expect(reply.body.progress).toBe(100)
    },
  )

  /** Returns functions that send requests of a device whose clock is two hours behind. */
  const createDeviceWithSlowClock = () => {
    const readSlowClock = (agoMs = 0) =>
      new Date(household.server.deps.now() - 2 * HOUR_MS - agoMs).toISOString()
    return {
      savePosition: (progress: number, agoMs = 0) =>
        household.device.post(getPath('history'), {
          type: 'movie',
          media_id: household.movieId,
          progress,
          data: { video_duration: 6_000 },
          at: readSlowClock(agoMs),
          sent_at: readSlowClock(),
        }),
      mark: (date: object) => markMovie({ at: readSlowClock(), sent_at: readSlowClock(), ...date }),
    }
  }

  it('a position from a device whose clock is behind replaces an older position, and the viewing gets the current time of the server', async () => {
    const { savePosition } = createDeviceWithSlowClock()
    await household.device.post(getPath('history'), {
      type: 'movie',
      media_id: household.movieId,
      progress: 1_200,
      data: { video_duration: 6_000 },
    })
    household.server.advanceClock(300_000)
    expect((await savePosition(5_900)).body).toMatchObject({ progress: 5_900, finished: true })
    const [viewing] = (await listViewings()).results
    expect(Math.abs(Date.parse(viewing.watched_at) - household.server.deps.now())).toBeLessThan(60_000)
  })

  it('if the report of an older position arrives after the report of a newer position, the newer position is kept, even if the clock of the device is behind', async () => {
    const { savePosition } = createDeviceWithSlowClock()
    await savePosition(1_200)
    expect((await savePosition(300, 600_000)).body.progress).toBe(1_200)
  })

  it('if the clock of the device is behind, a mark as seen is stored with the time of the server, unless the user has chosen the time', async () => {
    const { mark } = createDeviceWithSlowClock()
    await mark({})
    const chosenTime = '2024-05-06T20:00:00.000Z'
    await mark({ date: 'chosen', at: chosenTime, again: true })
    const [viewingOfToday, earlierViewing] = (await listViewings()).results
    expect(Math.abs(Date.parse(viewingOfToday.watched_at) - household.server.deps.now())).toBeLessThan(60_000)
    expect(earlierViewing.watched_at).toBe(chosenTime)
  })

  it('a mark as seen is stored with the time of the server if the device has corrected its clock between the mark and the request', async () => {
    const { mark } = createDeviceWithSlowClock()
    const sentAt = new Date(household.server.deps.now()).toISOString()
    await mark({ at: '1970-01-01T00:03:00.000Z', sent_at: sentAt })
    const [viewing] = (await listViewings()).results
    expect(Math.abs(Date.parse(viewing.watched_at) - household.server.deps.now())).toBeLessThan(60_000)
  })

  it('a date-only viewing that is stored at midnight counts as the viewing of that day', async () => {
    await markMovie({ date: 'chosen', day: '2024-01-01' })
    await household.server.database.primary
      .updateTable('play')
      .set({ watched_at: Date.parse('2024-01-01') })
      .execute()
    expect((await markMovie({ date: 'chosen', day: '2024-01-01', again: true })).body.viewings).toBe(0)
    await markMovie({ date: 'chosen', day: '2024-02-01', again: true })
    const changeDay = async (watched_at: string) =>
      household.device.put(getPath(), {
        key: createEditKey(),
        viewing: { type: 'movie', media_id: household.movieId, watched_at },
        day: '2024-01-01',
      })
    expect((await changeDay('2024-02-01T12:00:00.000Z')).body.errors).toEqual({ day: ['exists'] })
    expect((await changeDay('2024-01-01T00:00:00.000Z')).status).toBe(200)
    expect((await listViewings()).results[1].watched_at).toBe('2024-01-01T12:00:00.000Z')
  })

  it('viewings are listed page by page without gaps or repetitions, and can be filtered by type, title and time', async () => {
    await markSeries({ scope: 'title' }, { date: 'release' })
    await markMovie({ date: 'chosen', day: '2020-01-08' })
    const viewingKeys: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: {
        results: { media: { id: string }; season: number; episode: number }[]
        next: string | null
      } = await listViewings(`?limit=2${cursor && `&cursor=${cursor}`}`)
      viewingKeys.push(
        ...page.results.map((viewing) => `${viewing.media.id} ${viewing.season} ${viewing.episode}`),
      )
      cursor = page.next
    }
    expect(new Set(viewingKeys).size).toBe(RELEASED_EPISODE_COUNT + 1)
    expect(viewingKeys).toHaveLength(RELEASED_EPISODE_COUNT + 1)
    const countViewings = async (query: string) => (await listViewings(query)).results.length
    expect(await countViewings('?type=movie')).toBe(1)
    expect(await countViewings(`?media_id=${household.seriesId}`)).toBe(RELEASED_EPISODE_COUNT)
    expect(await countViewings('?from=2020-01-01T00:00:00Z&until=2020-02-01T00:00:00Z')).toBe(4)
    expect((await listViewings()).oldest).toBe('2020-01-01T12:00:00.000Z')
  })

  it('when a period is given both as times and as days, date-only viewings are selected by their day, and all other viewings by their time', async () => {
    await markMovie({ date: 'chosen', day: '2025-12-31' })
    const episodeScope = { scope: 'episode', season: 1, episode: 1 }
    await markSeries(episodeScope, { date: 'chosen', at: '2025-12-31T12:30:00.000Z' })
    const listDateOnlyFlags = async (query: string) =>
      (await listViewings(query)).results.map((viewing: { date_only: boolean }) => viewing.date_only)
    // These ranges are the months in the time zone of Auckland, where 2026 begins on 31 December 2025 at 11:00 UTC.
    const decemberQuery = '?from=2025-11-30T11:00:00Z&until=2025-12-31T11:00:00Z'
    const januaryQuery = '?from=2025-12-31T11:00:00Z&until=2026-01-31T11:00:00Z'
    expect(await listDateOnlyFlags(`${decemberQuery}&from_day=2025-12-01&until_day=2026-01-01`)).toEqual([
      true,
    ])
    expect(await listDateOnlyFlags(`${januaryQuery}&from_day=2026-01-01&until_day=2026-02-01`)).toEqual([
      false,
    ])
    expect(await listDateOnlyFlags(januaryQuery)).toEqual([false, true])
    expect(await listDateOnlyFlags('?from_day=2025-12-31&until_day=2026-01-01')).toEqual([false, true])
  })

  it.each([
    ['text that is not JSON', 'x'],
    ['a season that exceeds 32 bits', JSON.stringify([1_000_000_000_000, 1, 3_000_000_000, 0, ''])],
    ['an episode that exceeds 32 bits', JSON.stringify([1_000_000_000_000, 1, 0, -3_000_000_000, ''])],
    ['a fraction', JSON.stringify([1_000_000_000_000, 1, 0.5, 0, ''])],
    ['a title id that is a text', JSON.stringify([1_000_000_000_000, '1', 0, 0, ''])],
    ['a name with NUL', JSON.stringify([1_000_000_000_000, 1, 0, 0, '\0'])],
  ])('a cursor with %s is rejected with 422', async (_description, cursorText) => {
    const cursor = Buffer.from(cursorText).toString('base64url')
    const { status, body } = await household.device.get(getPath(`viewings?cursor=${cursor}`))
    expect([status, body.errors]).toEqual([422, { cursor: ['invalid'] }])
  })

  it('a cursor with the largest valid numbers is accepted', async () => {
    const cursor = Buffer.from(
      JSON.stringify([Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 2 ** 31 - 1, 2 ** 31 - 1, '']),
    ).toString('base64url')
    expect((await household.device.get(getPath(`viewings?cursor=${cursor}`))).status).toBe(200)
  })

  it('a kids profile can mark safe titles as seen and undo the mark, but not remove or change viewings', async () => {
    const kidDevice = new TestClient(household.server)
    const kidId = (await household.device.post('/api/profile', { name: 'Kid', kids: true })).body.profile_id
    await kidDevice.login('alice@example.com')
    kidDevice.profileId = kidId
    const kidPath = `/api/profile/${kidId}/viewings`
    const markAsSeen = (media_id: string) =>
      kidDevice.post(kidPath, { key: createEditKey(), scopes: [{ type: 'movie', media_id, scope: 'title' }] })
    expect((await markAsSeen(household.adultMovieId)).status).toBe(404)
    const markReply = await markAsSeen(household.movieId)
    expect(markReply.status).toBe(200)
    expect((await kidDevice.post(`${kidPath}/${markReply.body.key}/undo`)).status).toBe(204)
    await markAsSeen(household.movieId)
    const [viewing] = (await kidDevice.get(kidPath)).body.results
    const viewingRef = { type: 'movie', media_id: household.movieId, watched_at: viewing.watched_at }
    expect((await kidDevice.delete(kidPath, { key: createEditKey(), viewings: [viewingRef] })).status).toBe(
      403,
    )
    const dateChange = {
      key: createEditKey(),
      viewing: viewingRef,
      day: formatDay(Date.now() - 86_400_000 * 9),
    }
    expect((await kidDevice.put(kidPath, dateChange)).status).toBe(403)
    expect((await kidDevice.get(kidPath)).body.results).toEqual([viewing])
  })
})
