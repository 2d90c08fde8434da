/** Viewing time: counted over all devices, enforced for stream lookups and media, and extended by parents. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES, startTestServer, type TestServer } from '../../support/server.ts'
import type { TestClient } from '../../support/test-client.ts'
import {
  addTestTitles,
  createHousehold,
  type Household,
  PIN,
  refreshToken,
  type TestTitle,
} from '../security/household.ts'

const MINUTE_MS = 60_000
/** Wednesday, 3 March 2027, 16:00 in Paris, in milliseconds since 1970. */
const WEDNESDAY_MS = Date.parse('2027-03-03T15:00:00Z')

describe.each(DATABASES)('viewing time on %s', (_name, openTestDatabase) => {
  let server: TestServer
  let household: Household
  let kid: TestClient
  let title: TestTitle
  let sessionNumber = 0
  const setClock = async (nowMs: number) => {
    server.advanceClock(nowMs - server.deps.now())
    await refreshToken(kid)
    await refreshToken(household.adult)
  }
  beforeAll(async () => {
    server = await startTestServer({ database: await openTestDatabase(), env: { DEMO: '1' } })
    server.advanceClock(WEDNESDAY_MS - server.deps.now())
    title = (await addTestTitles(server)).safe
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    server.advanceClock(WEDNESDAY_MS - server.deps.now())
    household = await createHousehold(server)
    kid = Object.assign(await household.signIn(), { profileId: household.kidId })
    sessionNumber += 1
  })

  const VIEWING_LIMITS = { school_day_minutes: 60, weekend_minutes: 120, quiet_start: 1_200, quiet_end: 420 }
  const buildKidPath = (path: string) => `/api/profile/${household.kidId}/${path}`
  const setLimits = (limits: object = VIEWING_LIMITS) =>
    household.adult.put(buildKidPath('viewing-limits'), {
      ...VIEWING_LIMITS,
      time_zone: 'Europe/Paris',
      ...limits,
    })
  const reportPlayedSeconds = (
    device: TestClient,
    playedSeconds: number,
    { name: playerName = 'player', position: positionSeconds = 60 } = {},
  ) =>
    device.post(buildKidPath('history'), {
      type: 'movie',
      media_id: title.id,
      progress: positionSeconds,
      data: { video_duration: 6_000 },
      played: [{ session: `${playerName}-${sessionNumber}-1`, seconds: playedSeconds }],
    })
  const playMinutes = async (minutes: number) => {
    server.advanceClock(minutes * MINUTE_MS)
    await refreshToken(kid)
    await refreshToken(household.adult)
    return reportPlayedSeconds(kid, minutes * 60)
  }
  const lookUpStream = (device = kid) => device.get(`/proxy/torrent-streamer/stream/movie/${title.imdbId}`)
  const requestMedia = (url: string) => server.request(url, { method: 'HEAD' })
  const loadViewingTime = async (device = kid) => (await device.get(buildKidPath('viewing-time'))).body

  it('the viewing time is the sum of the playing time of all devices, and streams and media are rejected after the limit', async () => {
    await setLimits()
    const { body: stream } = await lookUpStream()
    const mediaUrl = stream.sources[0].url
    expect((await requestMedia(mediaUrl)).status).toBe(200)
    const tablet = Object.assign(await household.signIn(), { profileId: household.kidId })
    server.advanceClock(30 * MINUTE_MS)
    for (const device of [kid, tablet, household.adult]) await refreshToken(device)
    expect((await reportPlayedSeconds(kid, 30 * 60)).body.viewing_time).toMatchObject({
      status: 'allowed',
      reason: 'minutes',
      remaining_seconds: 1_800,
    })
    expect((await reportPlayedSeconds(tablet, 30 * 60, { name: 'tablet' })).body.viewing_time).toMatchObject({
      status: 'over',
      remaining_seconds: 0,
    })
    const rejectedReply = await lookUpStream()
    expect([rejectedReply.status, rejectedReply.body.errors]).toEqual([403, { viewing_time: ['minutes'] }])
    // One minute later, the server also rejects the media requests of the other device (`kid`), although its player has
    // sent no report in this minute.
    server.advanceClock(MINUTE_MS)
    expect((await reportPlayedSeconds(tablet, 31 * 60, { name: 'tablet' })).status).toBe(200)
    server.advanceClock(2_000)
    expect((await requestMedia(mediaUrl)).status).toBe(404)
    expect((await kid.get(buildKidPath(`history/movie/${title.id}`))).body.latest.progress).toBe(60)
  })

  it('viewing time is counted once when a report is repeated or arrives after a newer report, and when two players of a device report the same time', async () => {
    await setLimits()
    server.advanceClock(10 * MINUTE_MS)
    for (const device of [kid, household.adult]) await refreshToken(device)
    for (let repetition = 0; repetition < 3; repetition++) await reportPlayedSeconds(kid, 600)
    await reportPlayedSeconds(kid, 300)
    await reportPlayedSeconds(kid, 600, { name: 'second' })
    const { played_seconds } = await loadViewingTime()
    expect(played_seconds).toBeGreaterThanOrEqual(600)
    expect(played_seconds).toBeLessThanOrEqual(630)
  })

  it('used-up viewing time remains used up on a device that signs in again without any stored data', async () => {
    await setLimits()
    await playMinutes(60)
    const device = Object.assign(await household.signIn(), { profileId: household.kidId })
    expect(await loadViewingTime(device)).toMatchObject({ status: 'over', can_finish_episode: true })
  })

  it('quiet hours allow no playback, and the viewing time is available in full on the next day', async () => {
    await setLimits()
    await playMinutes(60)
    await setClock(Date.parse('2027-03-03T19:00:00Z'))
    expect(await loadViewingTime()).toMatchObject({ status: 'over', reason: 'quiet_hours', quiet_until: 420 })
    await setClock(Date.parse('2027-03-04T06:00:00Z'))
    expect(await loadViewingTime()).toMatchObject({
      status: 'allowed',
      played_seconds: 0,
      remaining_seconds: 3_600,
    })
  })

  it('the viewing time of a new day includes only the playing time after midnight', async () => {
    await setLimits({ quiet_start: null, quiet_end: null })
    await setClock(Date.parse('2027-03-03T22:50:00Z'))
    await playMinutes(20)
    expect(await loadViewingTime()).toMatchObject({ played_seconds: 600 })
  })

  it('streams and media are rejected without an acting profile if the device can enter only profiles with limits', async () => {
    const { adult } = household
    kid.profileId = null
    await kid.post('/api/profile/leave')
    const { status, body: stream } = await lookUpStream()
    expect(status).toBe(200)
    const mediaUrl = stream.sources[0].url
    const loadMediaStatus = async () => {
      // Results of the access check are cached for one second.
      server.advanceClock(2_000)
      return (await requestMedia(mediaUrl)).status
    }
    expect(await loadMediaStatus()).toBe(200)
    await setLimits()
    const rejectedReply = await lookUpStream()
    expect([rejectedReply.status, rejectedReply.body.errors]).toEqual([403, { viewing_time: ['no_profile'] }])
    expect(await loadMediaStatus()).toBe(404)
    await adult.post('/api/profile', { name: 'Guest' })
    expect((await lookUpStream()).status).toBe(200)
    expect(await loadMediaStatus()).toBe(200)
  })

  it('when a parent adds time, stream lookups are accepted immediately, and media requests within two seconds', async () => {
    await setLimits()
    const mediaUrl = (await lookUpStream()).body.sources[0].url
    await playMinutes(62)
    expect((await lookUpStream()).status).toBe(403)
    expect((await kid.post(buildKidPath('viewing-time/extra'), { minutes: 15 })).status).toBe(403)
    const extraTimeReply = await household.adult.post(buildKidPath('viewing-time/extra'), { minutes: 15 })
    expect(extraTimeReply.body).toMatchObject({ status: 'allowed', remaining_seconds: 900 })
    expect((await lookUpStream()).status).toBe(200)
    server.advanceClock(2_000)
    expect((await requestMedia(mediaUrl)).status).toBe(200)
    await setClock(Date.parse('2027-03-03T20:00:00Z'))
    expect((await loadViewingTime()).status).toBe('over')
    await household.adult.post(buildKidPath('viewing-time/extra'), { minutes: 10 })
    expect(await loadViewingTime()).toMatchObject({
      status: 'allowed',
      reason: 'quiet_hours',
      remaining_seconds: 600,
    })
    server.advanceClock(10 * MINUTE_MS)
    expect((await loadViewingTime()).status).toBe('over')
  })

  it('after the viewing time is used up, a child may continue one video a day for at most 15 minutes, until the video ends', async () => {
    await setLimits()
    const requestGrace = () =>
      kid.post(buildKidPath('viewing-time/finish'), { type: 'movie', media_id: title.id })
    expect((await requestGrace()).status).toBe(409)
    await playMinutes(60)
    expect((await requestGrace()).body).toMatchObject({ status: 'grace', remaining_seconds: 900 })
    expect((await requestGrace()).status).toBe(200)
    expect((await lookUpStream()).status).toBe(200)
    // The video counts as watched from this position, but has not ended.
    await reportPlayedSeconds(kid, 61 * 60, { position: 5_900 })
    expect(await loadViewingTime()).toMatchObject({ status: 'grace', remaining_seconds: 900 })
    await reportPlayedSeconds(kid, 61 * 60, { position: 6_000 })
    expect(await loadViewingTime()).toMatchObject({ status: 'over', can_finish_episode: false })
    expect((await requestGrace()).status).toBe(409)
  })

  it('a group may finish a video after the viewing time is used up, unless a member has already used the grace of 15 minutes on that day', async () => {
    await setLimits()
    const { adult, kidId } = household
    const siblingId = (await adult.post('/api/profile', { name: 'Sibling', kids: true })).body.profile_id
    await adult.put(`/api/profile/${siblingId}/viewing-limits`, {
      ...VIEWING_LIMITS,
      time_zone: 'Europe/Paris',
    })
    const guestId = (await adult.post('/api/profile', { name: 'Guest' })).body.profile_id
    const tablet = Object.assign(await household.signIn(), { profileId: guestId })
    await tablet.get(`/api/profile/${guestId}/watchlist`)
    const members = [{ profile_id: kidId }, { profile_id: siblingId }]
    expect((await tablet.post(`/api/profile/${guestId}/group`, { members })).status).toBe(200)
    const loadGroupViewingTime = async () => (await tablet.get(`/api/profile/${guestId}/viewing-time`)).body
    const requestGrace = () =>
      tablet.post(`/api/profile/${guestId}/viewing-time/finish`, { type: 'movie', media_id: title.id })
    expect((await requestGrace()).status).toBe(409)
    server.advanceClock(60 * MINUTE_MS)
    for (const device of [kid, tablet, adult]) await refreshToken(device)
    const groupReport = await tablet.post(`/api/profile/${guestId}/history`, {
      type: 'movie',
      media_id: title.id,
      progress: 60,
      data: { video_duration: 6_000 },
      played: [{ session: `group-${sessionNumber}-1`, seconds: 3_600 }],
    })
    expect(groupReport.status).toBe(200)
    expect(await loadGroupViewingTime()).toMatchObject({ status: 'over', can_finish_episode: true })
    expect((await requestGrace()).body).toMatchObject({ status: 'grace', remaining_seconds: 900 })
    expect((await requestGrace()).status).toBe(200)
    expect(await loadGroupViewingTime()).toMatchObject({ status: 'grace' })
    expect(await loadViewingTime()).toMatchObject({ status: 'grace' })
    // The kids profile reports the end of the video on another device. The report ends the grace of the kids profile
    // and the grace of the group.
    await kid.post(buildKidPath('history'), {
      type: 'movie',
      media_id: title.id,
      progress: 6_000,
      data: { video_duration: 6_000 },
      played: [{ session: `player-${sessionNumber}-1`, seconds: 10 }],
    })
    expect(await loadGroupViewingTime()).toMatchObject({ status: 'over', can_finish_episode: false })
    expect((await requestGrace()).status).toBe(409)
  })

  it('used-up viewing time remains used up when the server clock is set back by two hours', async () => {
    await setLimits()
    await playMinutes(60)
    await setClock(WEDNESDAY_MS - 60 * MINUTE_MS)
    expect((await loadViewingTime()).status).toBe('over')
    // Unlocks the main profile again, because setting the clock back ends an unlock that was stored before.
    await household.adult.post(`/api/profile/${household.mainId}/unlock`, { pin: PIN })
    await household.adult.post(buildKidPath('viewing-time/extra'), { minutes: 5 })
    expect((await reportPlayedSeconds(kid, 64 * 60)).body.viewing_time).toMatchObject({
      remaining_seconds: 60,
    })
  })

  it('unknown time zones and quiet hours without an end are rejected, and the saved limits are returned only to a parent', async () => {
    expect((await setLimits({ quiet_end: null })).body.errors).toEqual({ quiet_end: ['needed'] })
    expect((await setLimits({ time_zone: 'Mars/Base' })).body.errors).toEqual({ time_zone: ['unknown'] })
    await setLimits()
    expect((await household.adult.get(buildKidPath('viewing-limits'))).body.limits).toEqual(VIEWING_LIMITS)
    expect((await kid.get(buildKidPath('viewing-limits'))).status).toBe(403)
    expect((await household.adult.get('/api/user/family')).body).toEqual({
      time_zone: 'Europe/Paris',
      weekend: 'sat_sun',
      has_exit_pin: false,
    })
    await household.adult.put('/api/user/family', { weekend: 'fri_sat' })
    expect((await household.adult.get('/api/user/family')).body.weekend).toBe('fri_sat')
  })

  it('an account keeps the time zone of its first saved limits, even if the weekend days were chosen before these limits', async () => {
    await household.adult.put('/api/user/family', { weekend: 'fri_sat' })
    for (const time_zone of ['Asia/Dubai', 'Europe/Paris']) {
      await setLimits({ time_zone })
      const { body } = await household.adult.get('/api/user/family')
      expect(body).toMatchObject({ time_zone: 'Asia/Dubai', weekend: 'fri_sat' })
    }
  })

  it.each([
    ['limited minutes on school days', { weekend_minutes: null, quiet_start: null, quiet_end: null }],
    ['limited minutes on weekends', { school_day_minutes: null, quiet_start: null, quiet_end: null }],
    ['quiet hours', { school_day_minutes: null, weekend_minutes: null }],
  ])(
    'a profile with %s is accepted as proof of an adult only after the limit is removed',
    async (_name, changedLimits) => {
      const { adult, signIn } = household
      const teenId = (await adult.post('/api/profile', { name: 'Teen' })).body.profile_id
      const teen = Object.assign(await signIn(), { profileId: teenId })
      const limitProfile = (limits: object) =>
        adult.put(`/api/profile/${teenId}/viewing-limits`, { ...VIEWING_LIMITS, ...limits })
      const createProfile = () => teen.post('/api/profile', { name: 'Without limits' })
      const isRestricted = async () => (await teen.get(`/api/profile/${teenId}`)).body.restricted
      expect((await limitProfile(changedLimits)).status).toBe(200)
      expect(await isRestricted()).toBe(true)
      const rejectedReply = await createProfile()
      expect([rejectedReply.status, rejectedReply.body.errors]).toEqual([403, { password: ['needed'] }])
      await limitProfile({
        school_day_minutes: null,
        weekend_minutes: null,
        quiet_start: null,
        quiet_end: null,
      })
      expect(await isRestricted()).toBe(false)
      expect((await createProfile()).status).toBe(201)
    },
  )

  it('the viewing time of an adult profile without limits is neither counted nor limited', async () => {
    const { adult, mainId } = household
    const { body } = await adult.post(`/api/profile/${mainId}/history`, {
      type: 'movie',
      media_id: title.id,
      progress: 60,
      data: { video_duration: 6_000 },
      played: [{ session: 'adult-player', seconds: 600 }],
    })
    expect(body.viewing_time).toBeUndefined()
    expect((await adult.get(`/api/profile/${mainId}/viewing-time`)).body.status).toBe('unlimited')
    expect(
      await server.database.primary
        .selectFrom('viewing_day')
        .selectAll()
        .where('profile_id', '=', mainId)
        .execute(),
    ).toEqual([])
  })

  it.each<[string, (teenId: string) => Promise<string>]>([
    [
      'acts on the device',
      async () => {
        await kid.get(buildKidPath('watchlist'))
        return household.kidId
      },
    ],
    [
      'was chosen before the profile picker was opened',
      async () => {
        await kid.get(buildKidPath('watchlist'))
        kid.profileId = null
        await kid.post('/api/profile/leave')
        return household.kidId
      },
    ],
    [
      'became a kids profile while it acted on the device',
      async (teenId) => {
        kid.profileId = teenId
        await kid.get(`/api/profile/${teenId}/watchlist`)
        await household.adult.put(`/api/profile/${teenId}`, { kids: true })
        return teenId
      },
    ],
  ])(
    'after the deletion of a kids profile that %s, a profile without a PIN can be entered only with the exit PIN',
    async (_name, prepareProfile) => {
      const { adult } = household
      const createProfile = async (name: string) =>
        (await adult.post('/api/profile', { name })).body.profile_id as string
      const pinlessProfileId = await createProfile('Open')
      const deletedProfileId = await prepareProfile(await createProfile('Teen'))
      await adult.put('/api/user/family/exit-pin', { pin: '7391' })
      const enterProfile = () =>
        Object.assign(kid, { profileId: pinlessProfileId }).get(
          `/api/profile/${pinlessProfileId}/history/movie/${title.id}`,
        )
      expect((await adult.delete(`/api/profile/${deletedProfileId}`)).status).toBe(204)
      expect((await enterProfile()).body.type).toBe('profile_locked')
      await server.database.primary.deleteFrom('profile').where('profile_id', '=', deletedProfileId).execute()
      expect((await enterProfile()).body.type).toBe('profile_locked')
      const unlockReply = await kid.post(`/api/profile/${pinlessProfileId}/unlock`, { pin: '7391' })
      expect(unlockReply.status).toBe(200)
      expect((await enterProfile()).status).toBe(200)
    },
  )

  it('guesses of the exit PIN are delayed after five wrong guesses, even if an hour passes between the wrong guesses', async () => {
    const { adult, kidId } = household
    const teenId = (await adult.post('/api/profile', { name: 'Teen' })).body.profile_id
    await adult.put('/api/user/family/exit-pin', { pin: '7391' })
    await kid.get(`/api/profile/${kidId}/history/movie/${title.id}`)
    const unlockTeen = (pin: string) => kid.post(`/api/profile/${teenId}/unlock`, { pin })
    for (const wrongPin of ['0001', '0002', '0003', '0004', '0005']) {
      expect((await unlockTeen(wrongPin)).headers.has('retry-after')).toBe(false)
      server.advanceClock(wrongPin === '0005' ? 0 : 60 * MINUTE_MS)
      await refreshToken(kid)
    }
    const delayedResponse = await unlockTeen('7391')
    expect([delayedResponse.status, delayedResponse.headers.has('retry-after')]).toEqual([403, true])
  })

  it('the exit PIN is required when a device leaves a kids profile for a profile without a PIN', async () => {
    const { adult, kidId, mainId } = household
    const teenId = (await adult.post('/api/profile', { name: 'Teen' })).body.profile_id
    const enterProfile = (profileId: string) =>
      Object.assign(kid, { profileId }).get(`/api/profile/${profileId}/history/movie/${title.id}`)
    expect((await enterProfile(teenId)).status).toBe(200)
    expect((await enterProfile(kidId)).status).toBe(200)
    expect((await adult.put('/api/user/family/exit-pin', { pin: '7391' })).body.has_exit_pin).toBe(true)
    expect((await enterProfile(teenId)).body.type).toBe('profile_locked')
    expect((await kid.get('/api/profile')).body.has_exit_pin).toBe(true)
    kid.profileId = null
    await kid.post('/api/profile/leave')
    expect((await enterProfile(teenId)).body.type).toBe('profile_locked')
    const profileLockStates = (await kid.get('/api/profile')).body.results.map(
      ({ profile_id, locked, unlocked }: { profile_id: string; locked: boolean; unlocked: boolean }) => [
        profile_id,
        locked,
        unlocked,
      ],
    )
    expect(profileLockStates).toContainEqual([teenId, true, false])
    expect(profileLockStates).toContainEqual([kidId, false, true])
    const unlockProfile = (profileId: string, pin: string) =>
      kid.post(`/api/profile/${profileId}/unlock`, { pin })
    expect((await unlockProfile(teenId, '0000')).body.type).toBe('invalid_pin')
    expect((await unlockProfile(mainId, '7391')).body.type).toBe('invalid_pin')
    expect((await unlockProfile(teenId, '7391')).status).toBe(200)
    expect((await enterProfile(teenId)).status).toBe(200)
    // The kids profile can be entered without the exit PIN. Afterwards, the teen profile needs the exit PIN again.
    expect((await enterProfile(kidId)).status).toBe(200)
    expect((await enterProfile(teenId)).body.type).toBe('profile_locked')
    expect((await unlockProfile(mainId, PIN)).status).toBe(200)
    expect((await enterProfile(mainId)).status).toBe(200)
    expect((await adult.put('/api/user/family/exit-pin', { pin: null })).body.has_exit_pin).toBe(false)
    expect((await enterProfile(kidId)).status).toBe(200)
    expect((await enterProfile(teenId)).status).toBe(200)
  })
})
