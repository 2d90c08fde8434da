/** The weekly email: when it is sent, what it contains, and how a recipient unsubscribes without signing in. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createKeys } from '../../../server/providers/keys.ts'
import { replaceTitleNotice } from '../../../server/queries/notice.ts'
import { deliverNotices } from '../../../server/services/notices/deliver-notices.ts'
import { isInQuietHours, toLocalTime } from '../../../server/services/notices/quiet-hours.ts'
import { DATABASES, insertTestAccount, startTestServer, type TestServer } from '../../support/server.ts'
import { startSmtpServer, type TestSmtpServer } from '../../support/smtp.ts'
import { TestClient } from '../../support/test-client.ts'
import { addMovies, createMovieRecord } from '../admin/admin-test-server.ts'
import { createSeriesRecord, formatDay } from '../calendar/calendar-household.ts'
import { refreshToken } from '../security/household.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** Returns the decoded plain text of an email. In the email, the text is quoted-printable or base64. */
function decodePlainText(rawEmail: string): string {
  const [partHeaders = '', ...bodyParts] = rawEmail.split(/text\/plain/)[1]?.split('\r\n\r\n') ?? []
  const encodedText = bodyParts.join('\r\n\r\n').split('\r\n--')[0] ?? ''
  if (/base64/.test(partHeaders)) return Buffer.from(encodedText, 'base64').toString('utf8')
  const byteText = encodedText
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(byteText, 'latin1').toString('utf8')
}

describe.each(DATABASES)('weekly email on %s', (_name, openTestDatabase) => {
  let smtp: TestSmtpServer
  let server: TestServer
  let device: TestClient
  let profilePath = ''
  beforeEach(async () => {
    smtp = await startSmtpServer()
    server = await startTestServer({ database: await openTestDatabase(), env: { SMTP_URL: smtp.url } })
    // Moves the clock to the next midnight, so that all hours of a day are in the future at any time of the test run.
    server.advanceClock(DAY_MS - (server.deps.now() % DAY_MS))
    await insertTestAccount(server, 'alice@example.com')
    device = new TestClient(server)
    await device.login('alice@example.com')
    device.profileId = (await device.post('/api/profile', { name: 'Alice' })).body.profile_id
    profilePath = `/api/profile/${device.profileId}`
    const dates = [formatDay(-1), formatDay(4)]
    const [id] = await addMovies({ server }, [createSeriesRecord(1, dates)])
    await device.put(`${profilePath}/watchlist/tv/${id}`)
  })
  afterEach(async () => {
    await server.close()
    await smtp.close()
  })

  const changeSettings = (settings: object) => device.put(`${profilePath}/notifications/settings`, settings)
  /** Moves the clock to a later hour of the day in UTC. */
  const advanceToHour = (hour: number) => server.advanceClock(hour * HOUR_MS - (server.deps.now() % DAY_MS))
  /** Turns the email on for the current day of the week. */
  const turnOnDigest = async (settings: object = {}) => {
    const digest_day = new Date(server.deps.now()).getUTCDay()
    return changeSettings({ digest: true, digest_day, time_zone: 'UTC', ...settings })
  }
  const findUnsubscribePath = () =>
    new URL(
      /^List-Unsubscribe:\s*<(.+?)>/ims.exec(
        smtp.emails[0]?.messageSource.replaceAll(/\r\n\s+/g, '') ?? '',
      )?.[1] ?? '',
    ).pathname

  it('the weekly email is sent even if the stored date of the last email is in the future because the server clock was ahead at that time', async () => {
    await turnOnDigest()
    const digest_sent_at = server.deps.now() + 5 * 365 * DAY_MS
    await server.database.primary.updateTable('notice_setting').set({ digest_sent_at }).execute()
    advanceToHour(18)
    await deliverNotices(server.deps)
    await deliverNotices(server.deps)
    expect(smtp.emails).toHaveLength(1)
    expect(decodePlainText(smtp.emails[0]?.messageSource ?? '')).toContain('New: S1 E1')
  })

  it('the weekly email is sent once a week on the chosen day, and lists new and upcoming episodes', async () => {
    expect((await turnOnDigest()).body).toMatchObject({
      digest: true,
      email_available: true,
      digest_sent_at: null,
    })
    advanceToHour(16)
    await deliverNotices(server.deps)
    expect(smtp.emails).toEqual([])
    advanceToHour(18)
    await deliverNotices(server.deps)
    await deliverNotices(server.deps)
    expect(smtp.emails.map(({ to }) => to)).toEqual(['alice@example.com'])
    const emailText = decodePlainText(smtp.emails[0]?.messageSource ?? '')
    expect(emailText).toContain('New: S1 E1')
    expect(emailText).toMatch(/S1 E2 · \w+/)
    expect(emailText).toMatch(/\/tvshows\/lantern-1/)
    for (const emailCount of [2, 2]) {
      server.advanceClock(7 * DAY_MS)
      await deliverNotices(server.deps)
      expect(smtp.emails).toHaveLength(emailCount)
      await server.database.primary.updateTable('notice').set({ seen_at: 1 }).execute()
    }
    expect(decodePlainText(smtp.emails[1]?.messageSource ?? '')).toContain('New: S1 E2')
  })

  it('lists each notice in only one email when less than a week passes between two emails', async () => {
    await turnOnDigest()
    advanceToHour(18)
    await deliverNotices(server.deps)
    server.advanceClock(7 * DAY_MS - HOUR_MS)
    await deliverNotices(server.deps)
    expect(
      smtp.emails.map(({ messageSource }) => /New: .*/.exec(decodePlainText(messageSource))?.[0].trim()),
    ).toEqual(['New: S1 E1', 'New: S1 E2'])
  })

  it('if a weekly email cannot be sent, the email of the next week also lists the notices of the unsent email', async () => {
    await turnOnDigest()
    advanceToHour(18)
    const { smtpUrl } = server.deps.config
    server.deps.config.smtpUrl = 'smtp://127.0.0.1:1'
    await deliverNotices(server.deps)
    server.deps.config.smtpUrl = smtpUrl
    server.advanceClock(7 * DAY_MS + HOUR_MS)
    await deliverNotices(server.deps)
    expect(smtp.emails).toHaveLength(1)
    expect(decodePlainText(smtp.emails[0]?.messageSource ?? '')).toContain('New: S1 E1 and S1 E2')
  })

  it('lists only the newest titles when the number of titles with notices exceeds the limit of one email', async () => {
    const movieRecords = Array.from({ length: 30 }, (_, index) => createMovieRecord(index + 100))
    const movieIds = await addMovies({ server }, movieRecords)
    await turnOnDigest()
    for (const movieId of movieIds)
      await replaceTitleNotice(server.database.primary, {
        profileId: device.profileId ?? '',
        titleId: Number(movieId),
        kind: 'available',
        nowMs: server.deps.now(),
      })
    advanceToHour(18)
    await deliverNotices(server.deps)
    const emailText = decodePlainText(smtp.emails[0]?.messageSource ?? '')
    expect(emailText).toContain('New: S1 E1')
    expect(emailText).not.toContain('Lantern 100')
    for (const { original_title } of movieRecords.slice(1)) expect(emailText).toContain(original_title)
  })

  it('lists watch requests of children in a section that links to the family settings', async () => {
    const [movieId] = await addMovies({ server }, [createMovieRecord(2)])
    await turnOnDigest()
    advanceToHour(18)
    await replaceTitleNotice(server.database.primary, {
      profileId: device.profileId ?? '',
      titleId: Number(movieId),
      kind: 'request',
      nowMs: server.deps.now(),
    })
    await deliverNotices(server.deps)
    const sections = decodePlainText(smtp.emails[0]?.messageSource ?? '').split(/\r?\n\r?\n/)
    const requestSection = sections.find((section) => section.startsWith('Requests from your children'))
    expect(requestSection).toMatch(/- Lantern 2\s+A child asks to watch this\s+\S+\/account\/?\?tab=family$/)
  })

  it('omits upcoming releases of muted titles, and lists only the first episode of a season under the rule `seasons`', async () => {
    const secondSeason = {
      season_number: 2,
      // The episode numbers continue the numbers of the first season, so this season does not begin with number 1.
      episodes: [
        { episode_number: 3, air_date: formatDay(4), name: 'Start' },
        { episode_number: 4, air_date: formatDay(5), name: 'Second' },
      ],
    }
    const series = createSeriesRecord(3, [formatDay(-400), formatDay(4)])
    const [seriesId, movieId] = await addMovies({ server }, [
      { ...series, seasons: [...series.seasons, secondSeason] },
      createMovieRecord(4, { release_date: formatDay(4) }),
    ])
    await device.put(`${profilePath}/watchlist/tv/${seriesId}`)
    await device.put(`${profilePath}/watchlist/movie/${movieId}`)
    await device.put(`${profilePath}/notifications/rules/tv/${seriesId}`, { rule: 'seasons' })
    await turnOnDigest()
    advanceToHour(18)
    await deliverNotices(server.deps)
    expect(decodePlainText(smtp.emails[0]?.messageSource ?? '')).toMatch(/- Lantern 4/)
    expect(decodePlainText(smtp.emails[0]?.messageSource ?? '').match(/(?<=- Lantern 3\s+)S\d E\d/g)).toEqual(
      ['S2 E3'],
    )
    await refreshToken(device)
    await device.put(`${profilePath}/notifications/rules/movie/${movieId}`, { rule: 'none' })
    await device.put(`${profilePath}/notifications/rules/tv/${seriesId}`, { rule: 'none' })
    await server.database.primary.updateTable('notice_setting').set({ digest_sent_at: null }).execute()
    await deliverNotices(server.deps)
    expect(smtp.emails).toHaveLength(2)
    expect(decodePlainText(smtp.emails[1]?.messageSource ?? '')).toContain('Lantern 1')
    expect(decodePlainText(smtp.emails[1]?.messageSource ?? '')).not.toMatch(/Lantern [34]/)
  })

  it('the weekly email is written from right to left in Arabic', async () => {
    await device.put(profilePath, { preferences: { language: 'ar' } })
    await turnOnDigest()
    advanceToHour(18)
    await deliverNotices(server.deps)
    expect(decodePlainText(smtp.emails[0]?.messageSource ?? '')).toContain('جديد: م1 ح1')
    expect(smtp.emails[0]?.messageSource).toMatch(
      /dir=3D"rtl"|dir="rtl"|ZGlyPSJydGwi|RpcjJydGwi|IGRpcj0icnRsI/,
    )
  })

  it('the weekly email is delayed until the end of quiet hours, in the time zone of the profile', async () => {
    await turnOnDigest({ quiet: { from: '17:00', until: '20:00' } })
    advanceToHour(18)
    await deliverNotices(server.deps)
    expect(smtp.emails).toEqual([])
    advanceToHour(21)
    await deliverNotices(server.deps)
    expect(smtp.emails).toHaveLength(1)
  })

  it('the weekly email is sent once on the next morning when quiet hours last from the afternoon until the morning', async () => {
    await turnOnDigest({ quiet: { from: '16:00', until: '08:00' } })
    const startMs = server.deps.now() - (server.deps.now() % DAY_MS)
    for (const [hours, emailCount] of [
      [12, 0],
      [18, 0],
      [23, 0],
      [24 + 7, 0],
      [24 + 9, 1],
      [24 + 18, 1],
      [7 * 24 + 12, 1],
      [8 * 24 + 9, 2],
    ] as const) {
      server.advanceClock(startMs + hours * HOUR_MS - server.deps.now())
      await deliverNotices(server.deps)
      expect([hours, smtp.emails.length]).toEqual([hours, emailCount])
    }
  })

  it('if the mail server cannot be reached, a later attempt sends the weekly email', async () => {
    await turnOnDigest()
    advanceToHour(18)
    const { smtpUrl } = server.deps.config
    server.deps.config.smtpUrl = 'smtp://127.0.0.1:1'
    await deliverNotices(server.deps)
    server.deps.config.smtpUrl = smtpUrl
    server.advanceClock(16 * 60_000)
    await deliverNotices(server.deps)
    expect(smtp.emails).toHaveLength(1)
  })

  it('the weekly email is turned off by the unsubscribe button of an email program, but not by opening the link', async () => {
    await turnOnDigest()
    advanceToHour(18)
    await deliverNotices(server.deps)
    expect(smtp.emails[0]?.messageSource).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
    const unsubscribePath = findUnsubscribePath()
    const page = await server.request(unsubscribePath)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await page.text()).toContain('<form method="post">')
    const loadDigest = async () => (await device.get(`${profilePath}/notifications/settings`)).body.digest
    await device.login('alice@example.com')
    expect(await loadDigest()).toBe(true)
    const formHeaders = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const unknownPath = unsubscribePath.replace(/.$/, (lastCharacter) => (lastCharacter === 'A' ? 'B' : 'A'))
    for (const [pressedPath, digest] of [
      [unknownPath, true],
      [unsubscribePath, false],
    ] as const) {
      const response = await server.request(pressedPath, {
        method: 'POST',
        headers: formHeaders,
        body: 'List-Unsubscribe=One-Click',
      })
      expect(response.status).toBe(200)
      expect(await loadDigest()).toBe(digest)
    }
    expect(server.logLines.join('\n')).not.toContain(unsubscribePath.split('/').at(-1))
  })

  it('after `keys.json` was replaced, the unsubscribe link of a newly sent email turns the weekly email off', async () => {
    await turnOnDigest()
    Object.assign(server.deps.keys, createKeys())
    advanceToHour(18)
    await deliverNotices(server.deps)
    await server.request(findUnsubscribePath(), { method: 'POST' })
    const { digest } = await server.database.primary
      .selectFrom('notice_setting')
      .select('digest')
      .executeTakeFirstOrThrow()
    expect(digest).toBe(0)
  })

  it('the weekly email is unavailable without a mail server and for kids profiles, and its settings reject unknown time zones', async () => {
    expect((await changeSettings({ time_zone: 'Mars/Olympus' })).status).toBe(422)
    server.deps.config.smtpUrl = undefined
    expect((await changeSettings({ digest: true })).status).toBe(409)
    expect((await changeSettings({ digest: false })).body.email_available).toBe(false)
    await server.database.primary.updateTable('profile').set({ kids: 1 }).execute()
    expect((await changeSettings({ digest: false })).status).toBe(403)
  })
})

describe('quiet hours', () => {
  const parseTimeMs = (time: string) => Date.parse(`2026-07-10T${time}Z`)
  const quietHours = { time_zone: 'Europe/Paris', quiet_from: 22 * 60, quiet_until: 7 * 60 }

  it.each([
    ['19:59', false],
    ['20:00', true],
    ['23:30', true],
    ['04:59', true],
    ['05:00', false],
  ])(
    'with quiet hours from 22:00 to 07:00 in Paris, isInQuietHours at %s UTC returns %s',
    (time, isActive) => {
      expect(isInQuietHours(quietHours, parseTimeMs(`${time}:00`))).toBe(isActive)
    },
  )

  it('toLocalTime returns the date, weekday and minute in the time zone, or in UTC for an unknown time zone', () => {
    expect(toLocalTime(parseTimeMs('23:30:00'), 'Asia/Tokyo')).toEqual({
      date: '2026-07-11',
      weekday: 6,
      minuteOfDay: 510,
    })
    expect(toLocalTime(parseTimeMs('23:30:00'), 'No/Zone')).toMatchObject({
      date: '2026-07-10',
      minuteOfDay: 1_410,
    })
  })
})
