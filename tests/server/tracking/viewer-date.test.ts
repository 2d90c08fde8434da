/** Tests what counts as released on the date of the viewer, in time zones ahead of and behind UTC. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import { addMovies, createMovieRecord } from '../admin/admin-test-server.ts'
import {
  type CalendarHousehold,
  createSeriesRecord,
  startCalendarHousehold,
} from '../calendar/calendar-household.ts'

const DAY_MS = 86_400_000
const [TOKYO, LOS_ANGELES] = ['Asia/Tokyo', 'America/Los_Angeles']
/**
 * Time to which the tests set the clock of the server: 23:30 UTC of tomorrow. In Tokyo, it is then already the next
 * day; in Los Angeles, it is the same day.
 */
const CLOCK_TIME_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS + 23.5 * 3_600_000
const formatDay = (offsetDays: number) =>
  new Date(CLOCK_TIME_MS + offsetDays * DAY_MS).toISOString().slice(0, 10)

describe.each(DATABASES)('the date of the viewer on %s', (_name, openTestDatabase) => {
  let household: CalendarHousehold
  let seriesId = ''
  let seasonId = ''
  let plannedMovieId = ''
  beforeEach(async () => {
    household = await startCalendarHousehold(await openTestDatabase(), [
      createSeriesRecord(1, [formatDay(-7), formatDay(1)]),
      createMovieRecord(2, { release_date: formatDay(1) }),
    ])
    const { server, device, ids } = household
    server.advanceClock(CLOCK_TIME_MS - Date.now())
    // Signs in again, because the access token has expired since the clock was moved.
    await device.login('alice@example.com')
    ;[seriesId = '', plannedMovieId = ''] = ids
    const { body } = await device.get(`/api/series/${seriesId}`)
    seasonId = body.seasons.find((season: { season_number: number }) => season.season_number === 1).id
    await device.post(`${household.profilePath}/history`, {
      type: 'tv',
      media_id: seriesId,
      season: 1,
      episode: 1,
      progress: 2_900,
      data: { video_duration: 3_000 },
    })
  })
  afterEach(() => household.server.close())

  const send = (method: string, path: string, timeZone: string | null, body?: unknown) =>
    household.device.send(method, path, body, timeZone === null ? {} : { 'X-Time-Zone': timeZone })
  const getPath = (suffix: string) => `${household.profilePath}/${suffix}`
  const isSecondEpisodeReleased = async (timeZone: string | null) => {
    const { body } = await send('GET', `/api/seasons/${seasonId}/episodes`, timeZone)
    return body.results[1].released
  }
  const listEpisodeNotices = async (timeZone: string) => {
    const { body } = await send('GET', getPath('notifications/episodes'), timeZone)
    return body.results.map((notice: { episode: number }) => notice.episode)
  }

  it('an episode is released from midnight in the time zone of the device, also with cached replies', async () => {
    expect(await isSecondEpisodeReleased(LOS_ANGELES)).toBe(false)
    expect(await isSecondEpisodeReleased(TOKYO)).toBe(true)
    expect(await isSecondEpisodeReleased(LOS_ANGELES)).toBe(false)
  })

  it('a request without a time zone, or with an unknown time zone, uses the last time zone that the same device has sent', async () => {
    expect(await isSecondEpisodeReleased(null)).toBe(false)
    expect(await isSecondEpisodeReleased(TOKYO)).toBe(true)
    expect(await isSecondEpisodeReleased(null)).toBe(true)
    expect(await isSecondEpisodeReleased('Mars/Olympus')).toBe(true)
    const otherDevice = new TestClient(household.server)
    await otherDevice.login('alice@example.com')
    otherDevice.profileId = household.device.profileId
    const { body } = await otherDevice.get(`/api/seasons/${seasonId}/episodes`)
    expect(body.results[1].released).toBe(false)
  })

  it('a sign-in and a refresh with a time zone set the time zone of the device', async () => {
    const { server } = household
    const newDevice = new TestClient(server)
    const loginReply = await newDevice.send(
      'POST',
      '/api/auth/login',
      { email: 'alice@example.com', password: 'Lumiere1895' },
      { 'X-Time-Zone': TOKYO },
    )
    newDevice.accessToken = loginReply.body.access_token
    newDevice.profileId = household.device.profileId
    const isReleased = async () =>
      (await newDevice.get(`/api/seasons/${seasonId}/episodes`)).body.results[1].released
    expect(await isReleased()).toBe(true)
    const refreshReply = await newDevice.send(
      'POST',
      '/api/auth/refresh',
      { home: { kids: false } },
      { 'X-Time-Zone': LOS_ANGELES },
    )
    expect(refreshReply.body.home.continue_watching.results).toEqual([])
    newDevice.accessToken = refreshReply.body.access_token
    expect(await isReleased()).toBe(false)
  })

  it('Continue Watching offers the next episode on its air date in the time zone of the device, and `updated_at` of the card is not in the future', async () => {
    const listCards = async (timeZone: string) =>
      (await send('GET', getPath('continue-watching'), timeZone)).body.results
    expect(await listCards(LOS_ANGELES)).toEqual([])
    const [card] = await listCards(TOKYO)
    expect(card.next_episode).toMatchObject({ season_number: 1, episode_number: 2 })
    expect(Date.parse(card.updated_at)).toBeLessThanOrEqual(household.server.deps.now())
    const loadProgress = async (timeZone: string) =>
      (await send('GET', getPath(`history/tv/${seriesId}`), timeZone)).body
    expect(await loadProgress(LOS_ANGELES)).toMatchObject({ next_episode: null, seen: true })
    expect(await loadProgress(TOKYO)).toMatchObject({ next_episode: { episode_number: 2 }, seen: false })
  })

  it('Watch next lists a planned movie on its release date, but not before', async () => {
    await household.device.put(getPath(`watchlist/movie/${plannedMovieId}`))
    const listPlannedMovieIds = async (timeZone: string) => {
      const { body } = await send('GET', getPath('watch-next'), timeZone)
      return body.results
        .filter(({ kind }: { kind: string }) => kind === 'planned')
        .map(({ media }: { media: { id: string } }) => media.id)
    }
    expect(await listPlannedMovieIds(LOS_ANGELES)).toEqual([])
    expect(await listPlannedMovieIds(TOKYO)).toEqual([plannedMovieId])
  })

  it('an episode can be marked as seen on its air date, but not before', async () => {
    const markSecondEpisode = (timeZone: string) =>
      send('POST', getPath('viewings'), timeZone, {
        key: crypto.randomUUID(),
        scopes: [{ type: 'tv', media_id: seriesId, scope: 'episode', season: 1, episode: 2 }],
      })
    expect((await markSecondEpisode(LOS_ANGELES)).status).toBe(422)
    expect((await markSecondEpisode(TOKYO)).body).toMatchObject({ viewings: 1 })
  })

  it('a series stays completed until the next episode is released', async () => {
    const entryPath = getPath(`watchlist/tv/${seriesId}`)
    await send('PUT', `${entryPath}/state/completed`, LOS_ANGELES)
    expect((await send('GET', entryPath, LOS_ANGELES)).body.state).toBe('completed')
    expect((await send('GET', entryPath, TOKYO)).body.state).toBe('watching')
    const countCompletedTitles = async (timeZone: string) =>
      (await send('GET', getPath('watchlist?state=completed'), timeZone)).body.total_results
    expect(await countCompletedTitles(LOS_ANGELES)).toBe(1)
    expect(await countCompletedTitles(TOKYO)).toBe(0)
  })

  it('the notice of an episode is created on its air date, but not before', async () => {
    expect(await listEpisodeNotices(LOS_ANGELES)).not.toContain(2)
    expect(await listEpisodeNotices(TOKYO)).toContain(2)
  })

  it('in a time zone behind UTC, an episode is not released on the evening before its air date', async () => {
    const { server, device } = household
    server.advanceClock(4 * 3_600_000)
    await device.login('alice@example.com')
    expect(await isSecondEpisodeReleased(LOS_ANGELES)).toBe(false)
    expect(await listEpisodeNotices(LOS_ANGELES)).not.toContain(2)
    expect(await isSecondEpisodeReleased('UTC')).toBe(true)
  })

  it('a list of released titles contains a title from its release date on, and no title without a release date', async () => {
    const { release_date: _, ...undatedRecord } = createMovieRecord(3)
    await addMovies(household, [undatedRecord, createMovieRecord(4)])
    const listTitles = async (timeZone: string) => {
      const { body } = await send('GET', '/api/movies?released=true&sort=release_date.desc', timeZone)
      return body.results.map(({ title }: { title: string }) => title)
    }
    expect(await listTitles(LOS_ANGELES)).toEqual(['Lantern 4'])
    expect(await listTitles(TOKYO)).toEqual(['Lantern 2', 'Lantern 4'])
  })
})
