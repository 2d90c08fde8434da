/** The statistics of a profile contain its own viewings of visible titles, and no viewings of another profile. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { selectMostCreditedPeople } from '../../../server/queries/statistics.ts'
import { DATABASES } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import { createMovieRecord } from '../admin/admin-test-server.ts'
import {
  type CalendarHousehold,
  createSeriesRecord,
  startCalendarHousehold,
} from '../calendar/calendar-household.ts'

describe.each(DATABASES)('statistics on %s', (_name, openTestDatabase) => {
  let household: CalendarHousehold
  beforeAll(async () => {
    const createCast = (...names: string[]) => names.map((name) => ({ person: { name } }))
    const directorCrew = [{ person: { name: 'Dee Rector' }, job: 'Director' }]
    household = await startCalendarHousehold(await openTestDatabase(), [
      createMovieRecord(1, {
        runtime: 7_200,
        genres: [18, 35],
        year: 1994,
        cast: createCast('Ann Actor', 'Bo Bitpart'),
        crew: directorCrew,
      }),
      createMovieRecord(2, {
        runtime: 3_600,
        genres: [35],
        safe_for_kids: false,
        cast: createCast('Ann Actor'),
        crew: directorCrew,
      }),
      createSeriesRecord(3, ['2020-01-01', '2020-01-08'], { genres: [18], language: 'ar' }),
    ])
  })
  afterAll(() => household.server.close())

  let markCount = 0
  const markAsSeen = async (device: TestClient, viewingScope: object, options: object = {}) => {
    markCount += 1
    const path = `/api/profile/${device.profileId}/viewings`
    const response = await device.post(path, { key: `mark-${markCount}`, scopes: [viewingScope], ...options })
    expect(response.status).toBe(200)
  }
  const loadStatistics = async (query = '', device = household.device) =>
    (await device.get(`/api/profile/${device.profileId}/statistics${query}`)).body

  it('statistics are empty without viewings', async () => {
    expect(await loadStatistics()).toMatchObject({
      years: [],
      totals: { viewings: 0, minutes: 0, days: 0 },
      longest_streak: null,
      current_streak: null,
      days: [],
      months: [],
      titles: [],
      actors: [],
    })
  })

  it('statistics count viewings, rewatches, people and titles of a year and of all time', async () => {
    const { device, ids } = household
    const [firstMovieId, secondMovieId, seriesId] = ids
    const createMovieScope = (media_id = '') => ({ type: 'movie', media_id, scope: 'title' })
    const createChosenDay = (isoDay: string) => ({ date: 'chosen', day: isoDay })
    await markAsSeen(device, createMovieScope(firstMovieId), createChosenDay('2024-05-01'))
    await markAsSeen(device, createMovieScope(firstMovieId), {
      ...createChosenDay('2025-05-01'),
      again: true,
    })
    await markAsSeen(device, createMovieScope(secondMovieId), createChosenDay('2025-05-02'))
    await markAsSeen(
      device,
      { type: 'tv', media_id: seriesId, scope: 'season', season: 1 },
      createChosenDay('2025-05-03'),
    )
    const allTimeStatistics = await loadStatistics('?time_zone=Europe/Paris')
    expect(allTimeStatistics.years).toEqual([2025, 2024])
    expect(allTimeStatistics.totals).toEqual({
      viewings: 5,
      minutes: 120 + 120 + 60 + 50 + 50,
      movies: 2,
      series: 1,
      episodes: 2,
      rewatches: 1,
      days: 4,
      without_runtime: 0,
      without_date: 0,
    })
    expect(allTimeStatistics.longest_streak).toEqual({ days: 3, from: '2025-05-01', until: '2025-05-03' })
    expect(allTimeStatistics.days).toEqual([])
    expect(allTimeStatistics.actors).toEqual([{ slug: 'ann-actor', name: 'Ann Actor', titles: 2 }])
    expect(allTimeStatistics.directors).toEqual([{ slug: 'dee-rector', name: 'Dee Rector', titles: 2 }])
    expect(allTimeStatistics.titles.map(({ media }: { media: { id: string } }) => media.id)).toEqual([
      firstMovieId,
      seriesId,
      secondMovieId,
    ])
    const yearStatistics = await loadStatistics('?year=2024')
    expect(yearStatistics.totals).toMatchObject({ viewings: 1, minutes: 120, rewatches: 0 })
    expect(yearStatistics.days).toEqual([{ date: '2024-05-01', viewings: 1, minutes: 120 }])
    expect(yearStatistics.actors).toEqual([])
    expect((await loadStatistics('?year=1999')).totals.viewings).toBe(0)
  })

  it('statistics count people even if a profile has viewed more titles than an SQL statement can have parameters', async () => {
    const { ids, server } = household
    const movieIds = ids.slice(0, 2).map(Number)
    const otherTitleIds = Array.from({ length: 70_000 }, (_, index) => 1_000_000 + index)
    const { reader } = server.database
    expect(await selectMostCreditedPeople(reader, [...otherTitleIds, ...movieIds], 10)).toEqual([
      { role: 'cast', slug: 'ann-actor', name: 'Ann Actor', titles: 2 },
      { role: 'crew', slug: 'dee-rector', name: 'Dee Rector', titles: 2 },
    ])
  })

  it('statistics do not count a removed viewing, and count the viewing again after its removal is undone', async () => {
    const { device, ids, profilePath } = household
    const viewingCountBefore = (await loadStatistics()).totals.viewings
    const viewing = { type: 'movie', media_id: ids[1], watched_at: '2025-05-02T12:00:00.000Z' }
    await device.delete(`${profilePath}/viewings`, { key: 'removal', viewings: [viewing] })
    expect((await loadStatistics()).totals.viewings).toBe(viewingCountBefore - 1)
    await device.post(`${profilePath}/viewings/removal/undo`)
    expect((await loadStatistics()).totals.viewings).toBe(viewingCountBefore)
  })

  it('statistics contain no viewings of another profile, and for a kids profile only safe titles', async () => {
    const { device, ids, server } = household
    const kidId = (await device.post('/api/profile', { name: 'Kid' })).body.profile_id
    const kidDevice = new TestClient(server)
    await kidDevice.login('alice@example.com')
    kidDevice.profileId = kidId
    expect((await loadStatistics('', kidDevice)).totals.viewings).toBe(0)
    for (const media_id of ids.slice(0, 2))
      await markAsSeen(kidDevice, { type: 'movie', media_id, scope: 'title' })
    expect((await loadStatistics('', kidDevice)).totals).toMatchObject({ movies: 2, minutes: 180 })
    await device.put(`/api/profile/${kidId}`, { kids: true })
    const statistics = await loadStatistics('', kidDevice)
    expect(statistics.totals).toMatchObject({ movies: 1, minutes: 120 })
    expect(statistics.titles).toHaveLength(1)
    expect(statistics.actors).toEqual([])
    expect(JSON.stringify(statistics)).not.toContain(`"id":"${ids[1]}"`)
  })

  it('statistics requests with an unknown time zone or an invalid year are rejected with 422', async () => {
    const path = `${household.profilePath}/statistics`
    for (const query of ['time_zone=Nowhere/City', 'year=0', 'year=x'])
      expect((await household.device.get(`${path}?${query}`)).status, query).toBe(422)
  })
})
