/** Rows that omit the titles that a profile dislikes, until the dislike is removed or the title is played again. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES } from '../../support/server.ts'
import { createMovieRecord } from '../admin/admin-test-server.ts'
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

  it('popular movies and series omit the title for the profile that dislikes it, until the dislike is removed', async () => {
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

  it('the movie list contains the title, unless the query hides disliked titles', async () => {
    await setFeedback('movie', movieId, 'dislike')
    expect(await listIds('/api/movies')).toContain(movieId)
    expect(await listIds('/api/movies?hide-disliked=true')).toEqual([otherMovieId])
  })

  it('Continue Watching and the page Watch next omit the title until it is played again', async () => {
    const listContinued = () => listIds(`${household.profilePath}/continue-watching`)
    const listWatchNext = () => listIds(`${household.profilePath}/watch-next`)
    await playTitle({ type: 'movie', media_id: movieId })
    await playTitle({ type: 'tv', media_id: seriesId, season: 1, episode: 1 })
    expect(await listContinued()).toEqual([seriesId, movieId])
    household.server.advanceClock(1_000)
    await setFeedback('movie', movieId, 'dislike')
    await setFeedback('tv', seriesId, 'dislike')
    expect([await listContinued(), await listWatchNext()]).toEqual([[], []])
    await playTitle({ type: 'movie', media_id: movieId, progress: 900 })
    expect([await listContinued(), await listWatchNext()]).toEqual([[movieId], [movieId]])
    await setFeedback('tv', seriesId, 'like')
    expect(await listContinued()).toEqual([movieId, seriesId])
  })
})
