/**
 * The release calendar of a profile: which releases the calendar lists, which profiles may see them, and which periods
 * a request accepts.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import { createMovieRecord } from '../admin/admin-test-server.ts'
import {
  type CalendarHousehold,
  createSeriesRecord,
  formatDay,
  startCalendarHousehold,
} from './calendar-household.ts'

interface TestRelease {
  date: string
  media_id: string
  season: number | null
  episode: number | null
  seen: boolean
}

describe.each(DATABASES)('calendar on %s', (_name, openTestDatabase) => {
  let household: CalendarHousehold
  let savedSeriesId = ''
  let startedSeriesId = ''
  let awaitedSeriesId = ''
  let adultSeriesId = ''
  let savedMovieId = ''
  beforeAll(async () => {
    const airDates = [formatDay(-40), formatDay(-3), formatDay(4), formatDay(100)]
    household = await startCalendarHousehold(await openTestDatabase(), [
      createSeriesRecord(1, airDates),
      createSeriesRecord(2, airDates),
      createSeriesRecord(3, airDates),
      createSeriesRecord(4, airDates),
      createSeriesRecord(5, airDates, { safe_for_kids: false }),
      createMovieRecord(6, { release_date: formatDay(5) }),
      createMovieRecord(7, { release_date: formatDay(6) }),
      createMovieRecord(8, { release_date: formatDay(-2) }),
    ])
    const { device, profilePath, ids } = household
    const [, , , , , , , seenMovieId = ''] = ids
    ;[
      savedSeriesId = '',
      startedSeriesId = '',
      awaitedSeriesId = '',
      ,
      adultSeriesId = '',
      savedMovieId = '',
    ] = ids
    await device.put(`${profilePath}/watchlist/tv/${savedSeriesId}`)
    await device.put(`${profilePath}/watchlist/tv/${adultSeriesId}`)
    await device.put(`${profilePath}/watchlist/movie/${savedMovieId}`)
    await device.put(`${profilePath}/availability/tv/${awaitedSeriesId}`, { requested: true })
    const viewingScopes = [
      { type: 'tv', media_id: startedSeriesId, scope: 'episode', season: 1, episode: 2 },
      { type: 'movie', media_id: seenMovieId, scope: 'title' },
    ]
    expect(
      (await device.post(`${profilePath}/viewings`, { key: 'marks', scopes: viewingScopes })).status,
    ).toBe(200)
  })
  afterAll(() => household.server.close())

  const loadReleases = async (
    fromOffsetDays: number,
    untilOffsetDays: number,
    query = '',
    profilePath = household.profilePath,
  ) =>
    (
      await household.device.get(
        `${profilePath}/calendar?from=${formatDay(fromOffsetDays)}&until=${formatDay(untilOffsetDays)}${query}`,
      )
    ).body
  const formatReleases = ({ releases }: { releases: TestRelease[] }) =>
    releases.map(({ date, media_id, season, episode }) => [date, media_id, season, episode].join(' ')).sort()

  it('returns the following day as `next` if the first day of the period has more than 1,000 releases', async () => {
    const airDates = [...Array.from({ length: 1_001 }, () => formatDay(20)), formatDay(21)]
    const { server, device, profilePath, ids } = await startCalendarHousehold(await openTestDatabase(), [
      createSeriesRecord(1, airDates),
    ])
    await device.put(`${profilePath}/watchlist/tv/${ids[0]}`)
    const loadPeriod = async (untilOffsetDays: number) =>
      (await device.get(`${profilePath}/calendar?from=${formatDay(20)}&until=${formatDay(untilOffsetDays)}`))
        .body
    expect(await loadPeriod(50)).toMatchObject({ next: formatDay(21) })
    expect(await loadPeriod(21)).toMatchObject({ next: formatDay(21) })
    await server.close()
  })

  it('lists episodes of followed series, and movies in My List, but no specials and no other titles', async () => {
    const calendar = await loadReleases(-10, 10)
    const seriesIds = [savedSeriesId, startedSeriesId, awaitedSeriesId, adultSeriesId]
    expect(formatReleases(calendar)).toEqual(
      [
        ...seriesIds.map((id) => `${formatDay(-3)} ${id} 1 2`),
        ...seriesIds.map((id) => `${formatDay(4)} ${id} 1 3`),
        `${formatDay(5)} ${savedMovieId}  `,
      ].sort(),
    )
    const releaseDates = calendar.releases.map((release: TestRelease) => release.date)
    expect(releaseDates).toEqual(releaseDates.toSorted())
    expect(new Set(calendar.titles.map(({ id }: { id: string }) => id))).toEqual(
      new Set([...seriesIds, savedMovieId]),
    )
    const seenReleases = calendar.releases.filter((release: TestRelease) => release.seen)
    expect(formatReleases({ releases: seenReleases })).toEqual([`${formatDay(-3)} ${startedSeriesId} 1 2`])
  })

  it('returns the dates of the last release before and the first release after the period, filtered by type', async () => {
    expect(await loadReleases(0, 3)).toMatchObject({
      releases: [],
      previous: formatDay(-3),
      next: formatDay(4),
    })
    expect(await loadReleases(0, 3, '&type=movie')).toMatchObject({ previous: null, next: formatDay(5) })
    expect(await loadReleases(5, 10, '&type=tv')).toMatchObject({
      releases: [],
      previous: formatDay(4),
      next: formatDay(100),
    })
    expect((await loadReleases(5, 10, '&type=movie')).releases).toHaveLength(1)
    expect(await loadReleases(-100, -50)).toMatchObject({ previous: null, next: formatDay(-40) })
  })

  it('rejects an empty period, a period of more than 186 days and invalid dates with 422', async () => {
    const path = `${household.profilePath}/calendar`
    for (const query of [
      'from=2026-01-01&until=2026-01-01',
      'from=2026-01-01&until=2026-07-07',
      'from=2026-02-30&until=2026-03-01',
      'from=2026-01-01',
    ])
      expect((await household.device.get(`${path}?${query}`)).status, query).toBe(422)
    expect((await household.device.get(`${path}?from=2026-01-01&until=2026-07-06`)).status).toBe(200)
  })

  it('shows a profile only the titles that this profile follows, and a kids profile only safe titles', async () => {
    const { server, device } = household
    const otherProfileId = (await device.post('/api/profile', { name: 'Bob' })).body.profile_id
    const kidId = (await device.post('/api/profile', { name: 'Kid' })).body.profile_id
    const kid = new TestClient(server)
    await kid.login('alice@example.com')
    kid.profileId = kidId
    for (const id of [savedSeriesId, adultSeriesId]) await kid.put(`/api/profile/${kidId}/watchlist/tv/${id}`)
    const path = `/calendar?from=${formatDay(0)}&until=${formatDay(10)}`
    const loadCalendarIdsOfKid = async () =>
      (await kid.get(`/api/profile/${kidId}${path}`)).body.releases.map(
        (release: TestRelease) => release.media_id,
      )
    expect(await loadCalendarIdsOfKid()).toEqual([savedSeriesId, adultSeriesId])
    await device.put(`/api/profile/${kidId}`, { kids: true })
    expect(await loadCalendarIdsOfKid()).toEqual([savedSeriesId])
    const kidCalendarResponse = await kid.get(
      `/api/profile/${kidId}/calendar?from=${formatDay(0)}&until=${formatDay(1)}`,
    )
    expect(kidCalendarResponse.body).toMatchObject({ next: formatDay(4) })
    kid.profileId = otherProfileId
    expect((await kid.get(`/api/profile/${otherProfileId}${path}`)).body).toEqual({
      releases: [],
      titles: [],
      previous: null,
      next: null,
    })
  })
})
