/**
 * Rows, notices and the calendar omit titles that a profile dislikes. Notices also omit movies that the profile has
 * seen.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES } from '../../support/server.ts'
import { addMovies, createMovieRecord } from '../admin/admin-test-server.ts'
import {
  type CalendarHousehold,
  createSeriesRecord,
  formatDay,
  startCalendarHousehold,
} from '../calendar/calendar-household.ts'

const MOVIE_SECONDS = 5_400

describe.each(DATABASES)('disliked titles on %s', (_name, openTestDatabase) => {
  let household: CalendarHousehold
  let movieId = ''
  let otherMovieId = ''
  let seriesId = ''
  beforeEach(async () => {
    household = await startCalendarHousehold(await openTestDatabase(), [
      createMovieRecord(1, { runtime: MOVIE_SECONDS }),
      createMovieRecord(2, { runtime: MOVIE_SECONDS }),
      createSeriesRecord(3, [formatDay(-40), formatDay(-33), formatDay(-2), formatDay(5)]),
    ])
    ;[movieId = '', otherMovieId = '', seriesId = ''] = household.ids
  })
  afterEach(() => household.server.close())

  const setFeedback = (type: string, id: string, feedback: string | null) =>
    household.device.put(`${household.profilePath}/feedback/${type}/${id}`, { feedback })
  const playTitle = async (body: object) => {
    household.server.advanceClock(1_000)
    const { status } = await household.device.post(`${household.profilePath}/history`, {
      progress: 600,
      data: { video_duration: MOVIE_SECONDS },
      ...body,
    })
    expect(status).toBe(200)
  }
  /** Returns the ids of the titles in a list. */
  const listIds = async (path: string): Promise<string[]> => {
    const { status, body } = await household.device.get(path)
    expect(status).toBe(200)
    return body.results.map((entry: { id?: string; media?: { id: string } }) => entry.media?.id ?? entry.id)
  }

  it('popular movies and series omit a title for a profile that dislikes the title, until the dislike is removed', async () => {
    const { device } = household
    const { profileId } = device
    const { profile_id: guestId } = (await device.post('/api/profile', { name: 'Guest' })).body
    expect(await listIds('/api/movies/featured')).toEqual(expect.arrayContaining([movieId, otherMovieId]))
    await setFeedback('movie', movieId, 'dislike')
    await setFeedback('tv', seriesId, 'dislike')
    expect(await listIds('/api/movies/featured')).toEqual([otherMovieId])
    expect(await listIds('/api/series/featured')).toEqual([])
    const { home } = (await device.post('/api/auth/refresh', { home: { kids: false } })).body
    expect(home.featured.results.map(({ id }: { id: string }) => id)).toEqual([otherMovieId])
    device.profileId = guestId
    expect(await listIds('/api/movies/featured')).toContain(movieId)
    expect(await listIds('/api/series/featured')).toEqual([seriesId])
    device.profileId = profileId
    await setFeedback('movie', movieId, null)
    expect(await listIds('/api/movies/featured')).toContain(movieId)
  })

  it('each request for popular titles reads the dislikes exactly once, whether or not the response is cached', async () => {
    const { deps, database } = household.server
    let readCount = 0
    const primary = database.primary.withPlugin({
      transformQuery: ({ node }) => {
        if (JSON.stringify(node).includes('"disliked"')) readCount += 1
        return node
      },
      transformResult: async ({ result }) => result,
    })
    deps.database = { ...database, primary }
    const countReads = async () => {
      readCount = 0
      await listIds('/api/movies/featured')
      return readCount
    }
    expect([await countReads(), await countReads()]).toEqual([1, 1])
    await setFeedback('movie', movieId, 'dislike')
    expect([await countReads(), await countReads()]).toEqual([1, 1])
  })

  it('the movie list contains a disliked title, unless the query hides disliked titles', async () => {
    await setFeedback('movie', movieId, 'dislike')
    expect(await listIds('/api/movies')).toContain(movieId)
    expect(await listIds('/api/movies?hide-disliked=true')).toEqual([otherMovieId])
  })

  it('Continue Watching and the page Watch next omit a disliked title until it is played again', async () => {
    const listContinueWatching = () => listIds(`${household.profilePath}/continue-watching`)
    const listWatchNext = () => listIds(`${household.profilePath}/watch-next`)
    await playTitle({ type: 'movie', media_id: movieId })
    await playTitle({ type: 'tv', media_id: seriesId, season: 1, episode: 1 })
    expect(await listContinueWatching()).toEqual([seriesId, movieId])
    household.server.advanceClock(1_000)
    await setFeedback('movie', movieId, 'dislike')
    await setFeedback('tv', seriesId, 'dislike')
    expect([await listContinueWatching(), await listWatchNext()]).toEqual([[], []])
    await playTitle({ type: 'movie', media_id: movieId, progress: 900 })
    expect([await listContinueWatching(), await listWatchNext()]).toEqual([[movieId], [movieId]])
    await setFeedback('tv', seriesId, 'like')
    expect(await listContinueWatching()).toEqual([movieId, seriesId])
  })

  it('the calendar and the notices include a started but disliked series only while the series is in the watchlist', async () => {
    const { device, profilePath } = household
    const period = `from=${formatDay(-7)}&until=${formatDay(7)}`
    const listReleaseDates = async () =>
      (await device.get(`${profilePath}/calendar?${period}`)).body.releases.map(
        ({ date }: { date: string }) => date,
      )
    const loadNotices = async () => {
      const { results, unseen } = (await device.get(`${profilePath}/notifications/episodes`)).body
      return [results.length, unseen]
    }
    await playTitle({ type: 'tv', media_id: seriesId, season: 1, episode: 1 })
    const dates = [formatDay(-2), formatDay(5)]
    expect([await listReleaseDates(), await loadNotices()]).toEqual([dates, [1, 1]])
    await setFeedback('tv', seriesId, 'dislike')
    expect([await listReleaseDates(), await loadNotices()]).toEqual([[], [0, 0]])
    household.server.advanceClock(6 * 86_400_000)
    await device.login('alice@example.com')
    expect(await loadNotices()).toEqual([0, 0])
    await device.put(`${profilePath}/watchlist/tv/${seriesId}`)
    expect([await listReleaseDates(), await loadNotices()]).toEqual([dates, [2, 2]])
    await device.put(`${profilePath}/watchlist/tv/${seriesId}`, { in_watchlist: false })
    await setFeedback('tv', seriesId, null)
    expect([await listReleaseDates(), await loadNotices()]).toEqual([dates, [2, 2]])
  })

  it('a new movie in 4K causes no notice for a profile that has seen or disliked the movie', async () => {
    const { device, profilePath, server } = household
    const release = { release_date: formatDay(-1), high_quality: true }
    const ids = await addMovies(
      { server },
      [11, 12, 13].map((movieNumber) => createMovieRecord(movieNumber, release)),
    )
    const [seenId = '', dislikedId = '', newId = ''] = ids
    const markSeen = (media_id: string) =>
      device.post(`${profilePath}/viewings`, {
        key: `seen-${media_id}`,
        scopes: [{ type: 'movie', media_id, scope: 'title' }],
      })
    const loadNotices = async () => {
      const { results, unseen } = (await device.get(`${profilePath}/notifications/movies`)).body
      return {
        unseen,
        notices: results.map(({ media, seen }: { media: { id: string }; seen: boolean }) => [media.id, seen]),
      }
    }
    await markSeen(seenId)
    await setFeedback('movie', dislikedId, 'dislike')
    expect(await loadNotices()).toEqual({ unseen: 1, notices: [[newId, false]] })
    await markSeen(newId)
    expect(await loadNotices()).toEqual({ unseen: 0, notices: [[newId, true]] })
    await setFeedback('movie', dislikedId, null)
    expect(await loadNotices()).toMatchObject({ unseen: 1 })
  })
})
