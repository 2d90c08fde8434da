/**
 * Watch requests of children: which titles a child can find and request, and how long an answer of a parent applies.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteExpiredRows } from '../../../server/queries/maintenance.ts'
import { DATABASES, startTestServer, type TestServer } from '../../support/server.ts'
import type { TestClient } from '../../support/test-client.ts'
import { addMovies, createMovieRecord } from '../admin/admin-test-server.ts'
import { createHousehold, type Household, PIN, refreshToken } from '../security/household.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe.each(DATABASES)('watch requests on %s', (_name, openTestDatabase) => {
  let server: TestServer
  let household: Household
  let kid: TestClient
  let movieIds: string[]
  beforeAll(async () => {
    server = await startTestServer({ database: await openTestDatabase() })
    movieIds = await addMovies({ server }, [
      createMovieRecord(1),
      createMovieRecord(2, { safe_for_kids: false, rated: '13+' }),
      createMovieRecord(3, { safe_for_kids: false, rated: '18+' }),
      ...[4, 5, 6, 7, 8].map((movieNumber) =>
        createMovieRecord(movieNumber, { safe_for_kids: false, rated: '13+' }),
      ),
    ])
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    household = await createHousehold(server)
    kid = Object.assign(await household.signIn(), { profileId: household.kidId })
    await household.adult.put(`/api/profile/${household.kidId}/child-options`, {
      may_ask: true,
      spoken_labels: false,
    })
  })

  const getRequestsPath = () => `/api/profile/${household.kidId}/requests`
  const findAskableTitles = async (titleName: string, device = kid) =>
    (await device.get(`${getRequestsPath()}?name=${encodeURIComponent(titleName)}`)).body.results
  const askToWatch = (movieIndex = 1, titleName = `Lantern ${movieIndex + 1}`, device = kid) =>
    device.post(getRequestsPath(), {
      name: titleName,
      type: 'movie',
      media_id: movieIds[movieIndex],
      reason: 'Everybody saw it',
    })
  const answerRequest = (requestId: string, parentAnswer: string, device = household.adult, proof = {}) =>
    device.put(`/api/user/requests/${requestId}`, { answer: parentAnswer, ...proof })
  const isMovieVisible = async () => (await kid.get(`/api/movies/${movieIds[1]}`)).status === 200
  const advanceClockAndRefresh = async (durationMs: number) => {
    server.advanceClock(durationMs)
    await refreshToken(kid)
    await refreshToken(household.adult)
    await household.adult.post(`/api/profile/${household.mainId}/unlock`, { pin: PIN })
  }

  it('a child finds a title one step above its age limit only by the exact name and while parents allow requests, and sees only the name and the poster of this title', async () => {
    expect(await findAskableTitles('Lantern 2')).toEqual([
      {
        type: 'movie',
        id: movieIds[1],
        title: 'Lantern 2',
        poster_path: expect.any(String),
        request_id: null,
      },
    ])
    expect(await findAskableTitles('LANTERN  2')).toHaveLength(1)
    for (const name of ['Lantern', 'Lantern 1', 'Lantern 3', 'Lantern 22'])
      expect(await findAskableTitles(name)).toEqual([])
    const childOptions = { may_ask: false, spoken_labels: false }
    await household.adult.put(`/api/profile/${household.kidId}/child-options`, childOptions)
    expect(await findAskableTitles('Lantern 2')).toEqual([])
    expect((await askToWatch()).status).toBe(404)
  })

  it('a request without the exact name, for a visible title, or for a title more than one step above the age limit is rejected with 404', async () => {
    expect((await askToWatch(1, 'Lantern')).status).toBe(404)
    expect((await askToWatch(2)).status).toBe(404)
    expect((await askToWatch(0)).status).toBe(404)
  })

  it('the open tabs of the account are notified of a request and of its answer', async () => {
    const eventKinds: unknown[] = []
    const unsubscribe = server.deps.bus.subscribe(`account:${household.accountId}`, ({ kind }) => {
      eventKinds.push(kind)
    })
    const { request_id } = (await askToWatch()).body
    expect(eventKinds).toEqual(['notices', 'requests'])
    await answerRequest(request_id, 'week')
    expect(eventKinds.slice(2)).toEqual(['requests', 'notices'])
    unsubscribe()
  })

  it('a parent sees a request with the parental guide of the title and the reason of the child, and gets a notice', async () => {
    const { request_id } = (await askToWatch()).body
    expect((await askToWatch()).body.request_id).toBe(request_id)
    expect((await findAskableTitles('Lantern 2'))[0].request_id).toBe(request_id)
    const { body } = await household.adult.get('/api/user/requests')
    expect(body.open).toBe(1)
    expect(body.results).toMatchObject([
      {
        request_id,
        profile_id: household.kidId,
        profile_name: 'Kid',
        media: { id: movieIds[1] },
        parental_guide: [],
        reason: 'Everybody saw it',
        answer: null,
      },
    ])
    const readNotices = async () =>
      (
        await household.adult.get(`/api/profile/${household.mainId}/notifications/movies`)
      ).body.results.filter(({ kind }: { kind: string }) => kind === 'request')
    expect(await readNotices()).toMatchObject([{ media: { id: movieIds[1] }, seen: false }])
    await answerRequest(request_id, 'no')
    expect(await readNotices()).toEqual([])
  })

  it('the notice about a requested title is kept until the requests of all children for this title are answered', async () => {
    const { body: sibling } = await household.adult.post('/api/profile', { name: 'Sibling', kids: true })
    const siblingPath = `/api/profile/${sibling.profile_id}`
    await household.adult.put(`${siblingPath}/child-options`, { may_ask: true, spoken_labels: false })
    const siblingDevice = Object.assign(await household.signIn(), { profileId: sibling.profile_id })
    const { request_id: firstRequestId } = (await askToWatch()).body
    const watchRequest = { name: 'Lantern 2', type: 'movie', media_id: movieIds[1] }
    const { request_id: secondRequestId } = (
      await siblingDevice.post(`${siblingPath}/requests`, watchRequest)
    ).body
    const countNotices = async () =>
      (
        await household.adult.get(`/api/profile/${household.mainId}/notifications/movies`)
      ).body.results.filter(({ kind }: { kind: string }) => kind === 'request').length
    await answerRequest(firstRequestId, 'no')
    expect(await countNotices()).toBe(1)
    await answerRequest(secondRequestId, 'no')
    expect(await countNotices()).toBe(0)
  })

  it('the answer `week` allows a title for exactly one week, and the answer `always` allows it without an end', async () => {
    const { request_id } = (await askToWatch()).body
    expect(await isMovieVisible()).toBe(false)
    const weekResponse = (await answerRequest(request_id, 'week')).body
    expect(Date.parse(weekResponse.expires_at) - server.deps.now()).toBeGreaterThan(7 * DAY_MS - 60_000)
    expect(await isMovieVisible()).toBe(true)
    await advanceClockAndRefresh(Date.parse(weekResponse.expires_at) - server.deps.now() - 1_000)
    expect(await isMovieVisible()).toBe(true)
    await advanceClockAndRefresh(1_001)
    expect(await isMovieVisible()).toBe(false)
    await answerRequest(request_id, 'always')
    await advanceClockAndRefresh(DAY_MS)
    expect(await isMovieVisible()).toBe(true)
    await answerRequest(request_id, 'no')
    expect(await isMovieVisible()).toBe(false)
  })

  it('the answer `once` allows a title for a day, or until 15 minutes after the end of the video, whichever is earlier', async () => {
    const { request_id } = (await askToWatch()).body
    await answerRequest(request_id, 'once')
    expect(await isMovieVisible()).toBe(true)
    await kid.post(`/api/profile/${household.kidId}/history`, {
      type: 'movie',
      media_id: movieIds[1],
      progress: 5_900,
      data: { video_duration: 6_000 },
    })
    // 100 seconds of the video remain, and the title stays visible for 15 minutes after the video has ended.
    await advanceClockAndRefresh(100_000 + 15 * 60_000 - 1_000)
    expect(await isMovieVisible()).toBe(true)
    await advanceClockAndRefresh(1_001)
    expect(await isMovieVisible()).toBe(false)
    await answerRequest(request_id, 'once')
    await advanceClockAndRefresh(DAY_MS - 1_000)
    expect(await isMovieVisible()).toBe(true)
    await advanceClockAndRefresh(1_001)
    expect(await isMovieVisible()).toBe(false)
  })

  it('when two answers arrive at the same time, the title is visible only if the stored answer allows it', async () => {
    const { request_id } = (await askToWatch()).body
    for (let round = 0; round < 8; round++) {
      await answerRequest(request_id, 'no')
      await Promise.all([answerRequest(request_id, 'always'), answerRequest(request_id, 'no')])
      const { results } = (await household.adult.get('/api/user/requests')).body
      expect(await isMovieVisible()).toBe(results[0].answer === 'always')
    }
  })

  it('the end of the video or the answer `no` does not remove a title rule that a parent has set after an earlier answer', async () => {
    const { request_id } = (await askToWatch()).body
    const rulesPath = `/api/profile/${household.kidId}/title-rules`
    const setRule = (rule: string) => household.adult.put(`${rulesPath}/movie/${movieIds[1]}`, { rule })
    const listRules = async () => (await household.adult.get(rulesPath)).body.results
    await answerRequest(request_id, 'once')
    await setRule('allow')
    await kid.post(`/api/profile/${household.kidId}/history`, {
      type: 'movie',
      media_id: movieIds[1],
      progress: 5_900,
      data: { video_duration: 6_000 },
    })
    expect(await listRules()).toMatchObject([{ rule: 'allow', expires_at: null }])
    await answerRequest(request_id, 'no')
    expect(await listRules()).toMatchObject([{ rule: 'allow', expires_at: null }])
    for (const earlierAnswer of ['week', 'always']) {
      await answerRequest(request_id, earlierAnswer)
      server.advanceClock(1)
      for (const rule of ['allow', 'deny']) {
        await setRule(rule)
        await answerRequest(request_id, 'no')
        expect(await listRules()).toMatchObject([{ rule, expires_at: null }])
      }
    }
  })

  it('after a parent has refused a title, the search for its name and a second request return the same response as for an unknown title', async () => {
    const { request_id } = (await askToWatch()).body
    await answerRequest(request_id, 'no')
    expect(await findAskableTitles('Lantern 2')).toEqual(await findAskableTitles('No Such Title'))
    const secondReply = await askToWatch()
    const unknownReply = await askToWatch(2)
    expect([secondReply.status, secondReply.body]).toEqual([unknownReply.status, unknownReply.body])
  })

  it('an answer on the device of the child is accepted only with the PIN of the main profile', async () => {
    const { request_id } = (await askToWatch()).body
    expect((await answerRequest(request_id, 'always', kid)).status).toBe(403)
    expect((await answerRequest(request_id, 'always', kid, { pin: '0000' })).body.type).toBe('invalid_pin')
    expect((await kid.get('/api/user/requests')).status).toBe(403)
    expect(await isMovieVisible()).toBe(false)
    expect((await answerRequest(request_id, 'always', kid, { pin: PIN })).status).toBe(200)
    expect(await isMovieVisible()).toBe(true)
  })

  it('an answer from another account is rejected with 404, like an answer to an unknown request', async () => {
    const { request_id } = (await askToWatch()).body
    const otherHousehold = await createHousehold(server)
    expect((await answerRequest(request_id, 'always', otherHousehold.adult)).status).toBe(404)
    expect((await answerRequest('AAAAAAAAAAAAAAAAAAAAAA', 'always', otherHousehold.adult)).status).toBe(404)
  })

  it('at most ten requests a day from a child are accepted', async () => {
    for (let requestIndex = 0; requestIndex < 10; requestIndex++) {
      const { request_id } = (await askToWatch()).body
      await answerRequest(request_id, 'week')
      await household.adult.put(`/api/profile/${household.kidId}/title-rules/movie/${movieIds[1]}`, {
        rule: null,
      })
    }
    const rejectedResponse = await askToWatch()
    expect(rejectedResponse.status).toBe(429)
    const retryAfterSeconds = Number(rejectedResponse.headers.get('retry-after'))
    expect(retryAfterSeconds).toBeGreaterThan(DAY_MS / 1000 - 60)
    expect(retryAfterSeconds).toBeLessThanOrEqual(DAY_MS / 1000)
    await advanceClockAndRefresh(retryAfterSeconds * 1000)
    expect((await askToWatch()).status).toBe(201)
  })

  it('a sixth open request is rejected with 429 and a Retry-After header until a parent answers', async () => {
    const { request_id } = (await askToWatch(1)).body
    for (const movieIndex of [3, 4, 5, 6]) expect((await askToWatch(movieIndex)).status).toBe(201)
    const rejectedResponse = await askToWatch(7)
    expect([rejectedResponse.status, rejectedResponse.headers.get('retry-after')]).toEqual([429, '3600'])
    await answerRequest(request_id, 'no')
    expect((await askToWatch(7)).status).toBe(201)
  })

  it('an open request does not count towards the limit of open requests after its title was blocked, because parents do not see the request', async () => {
    for (const movieIndex of [1, 3, 4, 5, 6]) expect((await askToWatch(movieIndex)).status).toBe(201)
    const setBlocked = (blocked: number) =>
      server.database.primary
        .updateTable('title')
        .set({ blocked })
        .where('title_id', '=', Number(movieIds[1]))
        .execute()
    await setBlocked(1)
    expect((await household.adult.get('/api/user/requests')).body.open).toBe(4)
    expect((await askToWatch(7)).status).toBe(201)
    await setBlocked(0)
    expect((await household.adult.get('/api/user/requests')).body.open).toBe(6)
  })

  it('the viewings and searches of a kids profile are shown to parents only', async () => {
    const path = `/api/profile/${household.kidId}/family-activity`
    await kid.post(`/api/profile/${household.kidId}/history`, {
      type: 'movie',
      media_id: movieIds[0],
      progress: 600,
      data: { video_duration: 6_000 },
      played: [{ session: 'player-one', seconds: 600 }],
    })
    for (const query of ['la', 'lant', 'lantern']) await kid.get(`/api/search?q=${query}`)
    await household.adult.get('/api/search?q=secret')
    const { body } = await household.adult.get(path)
    expect(body.days).toEqual([{ day: body.today, minutes: expect.any(Number) }])
    expect(body.watched).toMatchObject([{ media: { id: movieIds[0] }, season: null, percentage: 10 }])
    expect(body.searches.map(({ query }: { query: string }) => query)).toEqual(['lantern'])
    expect((await kid.get(path)).status).toBe(403)
  })

  describe('stored activity of a child', () => {
    const tableNames = ['watch_request', 'recorded_search', 'viewing_day', 'viewing_session'] as const
    const countRows = () =>
      Promise.all(
        tableNames.map(async (tableName) => {
          const rows = await server.database.primary
            .selectFrom(tableName)
            .select('profile_id')
            .where('profile_id', '=', household.kidId)
            .execute()
          return rows.length
        }),
      )
    beforeEach(async () => {
      await askToWatch()
      await kid.get('/api/search?q=lantern')
      await server.deps.searchRecorder.write()
      await kid.post(`/api/profile/${household.kidId}/history`, {
        type: 'movie',
        media_id: movieIds[0],
        progress: 600,
        data: { video_duration: 6_000 },
        played: [{ session: 'player-two', seconds: 600 }],
      })
      expect(await countRows()).toEqual([1, 1, expect.any(Number), 1])
    })

    it('stored activity of a child is deleted after 90 days', async () => {
      await deleteExpiredRows(server.database.primary, server.deps.now() + 89 * DAY_MS)
      expect((await countRows()).slice(0, 2)).toEqual([1, 1])
      await deleteExpiredRows(server.database.primary, server.deps.now() + 92 * DAY_MS)
      expect(await countRows()).toEqual([0, 0, 0, 0])
    })

    it('stored activity of a child is deleted when the profile is deleted from the bin', async () => {
      expect((await household.adult.delete(`/api/profile/${household.kidId}`, {})).status).toBe(204)
      const binItemPath = `/api/profile/${household.mainId}/bin/profile/${household.kidId}`
      expect((await household.adult.delete(binItemPath, {})).status).toBe(204)
      expect(await countRows()).toEqual([0, 0, 0, 0])
    })
  })
})
