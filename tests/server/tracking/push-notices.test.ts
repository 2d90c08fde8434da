/**
 * Notices on devices (Web Push): which devices get notices and when, that each notice is sent once, and after which
 * events a device gets no more notices.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createKeys, type InstallationKeys } from '../../../server/providers/keys.ts'
import { derivePushKeys } from '../../../server/providers/push-service.ts'
import {
  insertAvailabilityNotices,
  insertAvailabilityRequest,
} from '../../../server/queries/availability-request.ts'
import { deliverNotices } from '../../../server/services/notices/deliver-notices.ts'
import {
  createPushBrowser,
  readVapidClaims,
  startPushService,
  type TestPushBrowser,
  type TestPushService,
} from '../../support/push-service.ts'
import { DATABASES, insertTestAccount, startTestServer, type TestServer } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import { addMovies, createMovieRecord } from '../admin/admin-test-server.ts'
import { createSeriesRecord, formatDay } from '../calendar/calendar-household.ts'
import { refreshToken } from '../security/household.ts'

const MINUTE_MS = 60_000

describe.each(DATABASES)('push notices on %s', (_name, openTestDatabase) => {
  let server: TestServer
  let pushService: TestPushService
  let browser: TestPushBrowser
  let device: TestClient
  let profilePath = ''
  let seriesId = ''
  beforeEach(async () => {
    pushService = await startPushService()
    browser = createPushBrowser(pushService.origin)
    server = await startTestServer({
      database: await openTestDatabase(),
      env: { PUSH_ORIGINS: pushService.origin },
    })
    await insertTestAccount(server, 'alice@example.com')
    device = await signIn()
    device.profileId = (await device.post('/api/profile', { name: 'Alice' })).body.profile_id
    profilePath = `/api/profile/${device.profileId}`
    const [id = ''] = await addMovies({ server }, [createSeriesRecord(1, [formatDay(-400)])])
    seriesId = id
    await device.put(`${profilePath}/watchlist/tv/${seriesId}`)
  })
  afterEach(async () => {
    await server.close()
    await pushService.close()
  })

  const signIn = async () => {
    const client = new TestClient(server)
    await client.login('alice@example.com')
    return client
  }
  const subscribeDevice = (client = device, { subscription } = browser) =>
    client.put(`${profilePath}/notifications/devices`, subscription)
  /** Gives the series `episodeCount` episodes that air today, and delivers the notices. */
  const airEpisodesAndDeliverNotices = async (episodeCount: number) => {
    const dates = [formatDay(-400), ...Array.from({ length: episodeCount }, () => formatDay(0))]
    await addMovies({ server }, [createSeriesRecord(1, dates)])
    await deliverNoticesLater()
  }
  const deliverNoticesLater = async (delayMs = 11 * MINUTE_MS) => {
    server.advanceClock(delayMs)
    await deliverNotices(server.deps)
    await refreshToken(device)
  }
  const readNoticeBodies = () => pushService.requests.map(({ body }) => browser.readPayload(body).body)
  const loadDevices = async () => (await device.get(`${profilePath}/notifications/settings`)).body.devices

  it('a new episode causes one notice, encrypted for the browser and signed by the installation', async () => {
    const { body: settings } = await subscribeDevice()
    expect(settings.devices).toMatchObject([{ current: true, delivered_at: null, failed_at: null }])
    await airEpisodesAndDeliverNotices(1)
    await deliverNoticesLater()
    expect(pushService.requests).toHaveLength(1)
    const [request] = pushService.requests
    expect(browser.readPayload(request?.body ?? Buffer.alloc(0))).toEqual({
      title: 'Lantern 1',
      body: 'New: S1 E2',
      path: expect.stringMatching(/^\/tvshows\/lantern-1/),
      tag: `notice-${seriesId}`,
      lang: 'en',
      dir: 'ltr',
    })
    const vapidClaims = readVapidClaims(String(request?.headers['authorization']))
    expect(vapidClaims).toMatchObject({ key: settings.push_key, claims: { aud: pushService.origin } })
    expect(request?.body.includes('Lantern')).toBe(false)
    expect((await loadDevices())[0]).toMatchObject({ delivered_at: expect.any(String), failed_at: null })
  })

  it('a notice is in the language of the profile and combines the episodes of a title', async () => {
    await device.put(profilePath, { preferences: { language: 'ar' } })
    await subscribeDevice()
    await airEpisodesAndDeliverNotices(2)
    expect(pushService.requests.map(({ body }) => browser.readPayload(body))).toMatchObject([
      { body: 'جديد: م1 ح2 وم1 ح3', dir: 'rtl', path: expect.stringMatching(/^\/ar\/tvshows\//) },
    ])
  })

  it('a notice is sent even if the next attempt was scheduled years in the future while the server clock was ahead', async () => {
    await subscribeDevice()
    const retry_at = server.deps.now() + 5 * 365 * 24 * 60 * MINUTE_MS
    await server.database.primary.updateTable('push_subscription').set({ retry_at }).execute()
    await airEpisodesAndDeliverNotices(1)
    expect(pushService.requests).toHaveLength(1)
  })

  it('a notice is sent to a device that subscribed while the server clock was years ahead', async () => {
    await subscribeDevice()
    const created_at = server.deps.now() + 5 * 365 * 24 * 60 * MINUTE_MS
    await server.database.primary.updateTable('push_subscription').set({ created_at }).execute()
    await airEpisodesAndDeliverNotices(1)
    expect(pushService.requests).toHaveLength(1)
  })

  it('each notice is sent once when two processes deliver at the same time', async () => {
    await subscribeDevice()
    const dates = [formatDay(-400), formatDay(0)]
    await addMovies({ server }, [createSeriesRecord(1, dates)])
    server.advanceClock(11 * MINUTE_MS)
    const { pushNewNotices } = await import('../../../server/services/notices/deliver-notices.ts')
    const otherProcessDeps = { ...server.deps }
    await Promise.all([
      pushNewNotices(server.deps),
      pushNewNotices(otherProcessDeps),
      pushNewNotices(otherProcessDeps),
    ])
    await deliverNoticesLater()
    expect(pushService.requests).toHaveLength(1)
  })

  it('a device gets no notice of an episode that was released before the device subscribed', async () => {
    await addMovies({ server }, [createSeriesRecord(1, [formatDay(-400), formatDay(-1)])])
    await subscribeDevice()
    await deliverNoticesLater()
    expect(pushService.requests).toEqual([])
  })

  it('under the rule `seasons`, a new episode within a season causes no notice, and under the rule `all`, the notice is delayed while quiet hours last', async () => {
    await subscribeDevice()
    await device.put(`${profilePath}/notifications/rules/tv/${seriesId}`, { rule: 'seasons' })
    await airEpisodesAndDeliverNotices(1)
    expect(pushService.requests).toEqual([])
    await device.put(`${profilePath}/notifications/settings`, {
      time_zone: 'UTC',
      quiet: { from: '00:00', until: '00:00' },
    })
    await device.put(`${profilePath}/notifications/rules/tv/${seriesId}`, { rule: 'all' })
    await airEpisodesAndDeliverNotices(2)
    expect(pushService.requests).toEqual([])
    await device.put(`${profilePath}/notifications/settings`, { quiet: null })
    await deliverNoticesLater()
    expect(readNoticeBodies()).toEqual(['New: S1 E3'])
  })

  it('when the push service fails, the notice is sent again a minute later, and the settings report the failure until that attempt succeeds', async () => {
    await subscribeDevice()
    pushService.status = 503
    await airEpisodesAndDeliverNotices(1)
    expect((await loadDevices())[0]).toMatchObject({ delivered_at: null, failed_at: expect.any(String) })
    await deliverNoticesLater(1_000)
    expect(pushService.requests).toHaveLength(1)
    pushService.status = 201
    await deliverNoticesLater(MINUTE_MS)
    expect(readNoticeBodies()).toEqual(['New: S1 E2', 'New: S1 E2'])
    expect((await loadDevices())[0]).toMatchObject({ delivered_at: expect.any(String), failed_at: null })
  })

  it.each([404, 410])(
    'all subscriptions of a browser are deleted when its push service returns %i',
    async (status) => {
      const { body } = await device.post('/api/profile', { name: 'Bob' })
      await subscribeDevice()
      await device.put(`/api/profile/${body.profile_id}/notifications/devices`, browser.subscription)
      device.profileId = profilePath.split('/').at(-1) ?? ''
      pushService.status = status
      await airEpisodesAndDeliverNotices(1)
      const { primary } = server.database
      expect(await primary.selectFrom('push_subscription').select('sid').execute()).toEqual([])
    },
  )

  const subscriptionEndings: [string, (otherDevice: TestClient) => Promise<unknown>][] = [
    ['the device signs out', (otherDevice) => otherDevice.post('/api/auth/logout')],
    [
      'another device revokes the login',
      async () => {
        const { results } = (await device.get('/api/auth/devices')).body
        const { device_id } = results.find((row: { current: boolean }) => !row.current)
        await device.post('/api/auth/logout-device', { device_id })
      },
    ],
    ['the profile gets a PIN', () => device.post(`${profilePath}/lock`, { pin: '1234' })],
    [
      'the profile becomes a kids profile',
      () =>
        server.database.primary
          .updateTable('profile')
          .set({ kids: 1 })
          .where('profile_id', '=', device.profileId ?? '')
          .execute(),
    ],
    [
      'the account is blocked',
      () => server.database.primary.updateTable('account').set({ blocked: 1 }).execute(),
    ],
  ]
  it.each(subscriptionEndings)('no notice is sent after %s', async (_description, endSubscription) => {
    const otherDevice = await signIn()
    otherDevice.profileId = device.profileId
    expect((await subscribeDevice(otherDevice)).status).toBe(200)
    await endSubscription(otherDevice)
    await airEpisodesAndDeliverNotices(1)
    expect(pushService.requests).toEqual([])
  })

  it('no notice is sent to a device from the first request of a kids profile until the adult profile acts again', async () => {
    await subscribeDevice()
    const { body: kidsProfile } = await device.post('/api/profile', { name: 'Kid', kids: true })
    const adultId = device.profileId
    device.profileId = kidsProfile.profile_id
    await device.get(`/api/profile/${kidsProfile.profile_id}/watchlist`)
    await airEpisodesAndDeliverNotices(1)
    await device.post('/api/profile/leave')
    await deliverNoticesLater()
    expect(pushService.requests).toEqual([])
    device.profileId = adultId
    await device.get(`${profilePath}/watchlist`)
    await deliverNoticesLater()
    expect(readNoticeBodies()).toEqual(['New: S1 E2'])
  })

  it('no notice is sent to a device while a kids profile watches together with the adult profile', async () => {
    await subscribeDevice()
    const createProfile = async (name: string, kids: boolean) =>
      (await device.post('/api/profile', { name, kids })).body.profile_id
    const kidId = await createProfile('Kid', true)
    const friendProfileId = await createProfile('Friend', false)
    const startGroup = async (memberId: string) =>
      (await device.post(`${profilePath}/group`, { members: [{ profile_id: memberId }] })).status
    expect(await startGroup(kidId)).toBe(200)
    await airEpisodesAndDeliverNotices(1)
    expect(pushService.requests).toEqual([])
    expect(await startGroup(friendProfileId)).toBe(200)
    await deliverNoticesLater()
    expect(readNoticeBodies()).toEqual(['New: S1 E2'])
    expect(await startGroup(kidId)).toBe(200)
    await airEpisodesAndDeliverNotices(2)
    expect(readNoticeBodies()).toHaveLength(1)
    await device.delete(`${profilePath}/group`)
    await deliverNoticesLater()
    expect(readNoticeBodies()).toEqual(['New: S1 E2', 'New: S1 E3'])
  })

  it('no notice is sent to a device while a profile whose viewing time is limited acts on the device', async () => {
    await subscribeDevice()
    const { body: teenProfile } = await device.post('/api/profile', { name: 'Teen' })
    const limits = { school_day_minutes: 60, weekend_minutes: null, quiet_start: null, quiet_end: null }
    await device.put(`/api/profile/${teenProfile.profile_id}/viewing-limits`, limits)
    const adultId = device.profileId
    device.profileId = teenProfile.profile_id
    await device.get(`/api/profile/${teenProfile.profile_id}/watchlist`)
    await airEpisodesAndDeliverNotices(1)
    expect(pushService.requests).toEqual([])
    device.profileId = adultId
    await device.get(`${profilePath}/watchlist`)
    await deliverNoticesLater()
    expect(readNoticeBodies()).toEqual(['New: S1 E2'])
  })

  it('a subscription with invalid keys or an address that is not public is rejected with 422, and a subscription of a kids profile is rejected with 403', async () => {
    for (const endpoint of [
      'http://push.example.com/send',
      'https://127.0.0.1/send',
      'https://[::1]/send',
      'https://localhost/send',
      'https://printer.local/send',
      'https://user:secret@push.example.com/send',
      'https://push.example.com:8443/send',
      'ftp://push.example.com/send',
      'send',
    ])
      expect([
        endpoint,
        (await device.put(`${profilePath}/notifications/devices`, { ...browser.subscription, endpoint }))
          .status,
      ]).toEqual([endpoint, 422])
    const invalidKeys = { p256dh: 'AAAA', auth: 'AAAA' }
    expect(
      (
        await device.put(`${profilePath}/notifications/devices`, {
          ...browser.subscription,
          keys: invalidKeys,
        })
      ).status,
    ).toBe(422)
    const { body: kidsProfile } = await device.post('/api/profile', { name: 'Kid', kids: true })
    device.profileId = kidsProfile.profile_id
    const kidNotificationsPath = `/api/profile/${kidsProfile.profile_id}/notifications`
    expect((await device.put(`${kidNotificationsPath}/devices`, browser.subscription)).status).toBe(403)
    expect((await device.get(`${kidNotificationsPath}/settings`)).status).toBe(403)
  })

  it('a device can send a test notification to itself, and gets 404 without a subscription', async () => {
    expect((await device.post(`${profilePath}/notifications/devices/test`)).status).toBe(404)
    await subscribeDevice()
    expect((await device.post(`${profilePath}/notifications/devices/test`)).body).toEqual({ delivered: true })
    expect(readNoticeBodies()).toEqual(['Notifications work on this device.'])
    const [{ device_id }] = await loadDevices()
    expect((await device.delete(`${profilePath}/notifications/devices/${device_id}`)).body.devices).toEqual(
      [],
    )
    expect((await device.delete(`${profilePath}/notifications/devices/${device_id}`)).status).toBe(404)
  })

  it('a device gets notifications from an installation whose private key starts with a zero byte', async () => {
    const startsWithZeroByte = (keys: InstallationKeys) => {
      const privateKey = Buffer.from(derivePushKeys(keys).privateKey, 'base64url').toString('hex')
      return BigInt(`0x${privateKey}`) < 2n ** 248n
    }
    let keys = createKeys()
    while (!startsWithZeroByte(keys)) keys = createKeys()
    Object.assign(server.deps.keys, { pepper: keys.pepper })
    await subscribeDevice()
    expect((await device.post(`${profilePath}/notifications/devices/test`)).body).toEqual({ delivered: true })
    expect(readNoticeBodies()).toEqual(['Notifications work on this device.'])
  })

  it('each watch request causes a notice that opens the family settings, even for a muted title', async () => {
    const childMovie = createMovieRecord(2, { safe_for_kids: false, rated: '13+' })
    const [movieId = ''] = await addMovies({ server }, [childMovie])
    await device.put(`${profilePath}/notifications/rules/movie/${movieId}`, { rule: 'none' })
    await subscribeDevice()
    for (const childName of ['Bob', 'Carol']) {
      const { profile_id: childId } = (await device.post('/api/profile', { name: childName, kids: true }))
        .body
      const childOptions = { may_ask: true, spoken_labels: false }
      await device.put(`/api/profile/${childId}/child-options`, childOptions)
      const childDevice = await signIn()
      childDevice.profileId = childId
      const watchRequest = { name: 'Lantern 2', type: 'movie', media_id: movieId }
      expect((await childDevice.post(`/api/profile/${childId}/requests`, watchRequest)).status).toBe(201)
      await deliverNoticesLater()
    }
    const payload = {
      title: 'Lantern 2',
      body: 'A child asks to watch this',
      path: expect.stringMatching(/^\/account\/?\?tab=family$/),
      tag: `request-${movieId}`,
    }
    expect(pushService.requests.map(({ body }) => browser.readPayload(body))).toMatchObject([
      payload,
      payload,
    ])
  })

  it('a second availability request for the same title causes a second notice when the title becomes available', async () => {
    const [movieId = ''] = await addMovies({ server }, [createMovieRecord(2)])
    const titleId = Number(movieId)
    await subscribeDevice()
    for (let round = 0; round < 2; round++) {
      const nowMs = server.deps.now()
      await server.database.primary.transaction().execute(async (trx) => {
        await insertAvailabilityRequest(trx, { profileId: device.profileId ?? '', titleId, nowMs })
        await insertAvailabilityNotices(trx, [titleId], nowMs)
      })
      await deliverNoticesLater()
    }
    expect(readNoticeBodies()).toEqual(['Now in the library', 'Now in the library'])
  })

  it('notices of more than three titles are combined in one notification', async () => {
    await subscribeDevice()
    const records = [2, 3, 4, 5].map((movieNumber) =>
      createMovieRecord(movieNumber, { high_quality: true, release_date: formatDay(0) }),
    )
    await addMovies({ server }, records)
    await deliverNoticesLater()
    expect(pushService.requests.map(({ body }) => browser.readPayload(body))).toMatchObject([
      { title: 'New on Marquee', tag: 'notices', path: '/' },
    ])
  })

  it('the notice of an episode is sent on its air date in the time zone of the device, but not before', async () => {
    const dayMs = 1_440 * MINUTE_MS
    await subscribeDevice()
    // At one o'clock in UTC, it is still the day before in Los Angeles.
    server.advanceClock(dayMs - (server.deps.now() % dayMs) + 60 * MINUTE_MS)
    await refreshToken(device)
    await device.send('GET', '/api/auth/me', undefined, { 'X-Time-Zone': 'America/Los_Angeles' })
    await addMovies({ server }, [createSeriesRecord(1, [formatDay(-400), formatDay(1)])])
    await deliverNoticesLater()
    expect(pushService.requests).toEqual([])
    await deliverNoticesLater(12 * 60 * MINUTE_MS)
    expect(readNoticeBodies()).toHaveLength(1)
  })
})
