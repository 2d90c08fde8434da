/**
 * The secret address at which calendar programs read the release calendar of a profile. The tests parse the calendar
 * with ical.js, a parser that calendar programs use.
 */
import ICAL from 'ical.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import { addMovies, createMovieRecord } from '../admin/admin-test-server.ts'
import {
  type CalendarHousehold,
  createSeriesRecord,
  formatDay,
  startCalendarHousehold,
} from './calendar-household.ts'

const ARABIC_TITLE = 'حكايات المنارة البعيدة في آخر الليل حين ينام البحر وتصحو المدينة القديمة'
const SPECIAL_TITLE = 'Salt, Smoke; and \\ "Glass" 🎬'
const PIN = '4821'

describe.each(DATABASES)('calendar address on %s', (_name, openTestDatabase) => {
  let household: CalendarHousehold
  let feedPath = ''
  const arabicNames = [
    { lang: 'en', text: 'Lantern 3', role: 'main' as const },
    { lang: 'ar', text: ARABIC_TITLE, role: 'main' as const },
  ]
  beforeEach(async () => {
    household = await startCalendarHousehold(await openTestDatabase(), [
      createSeriesRecord(1, [formatDay(-2), formatDay(5)]),
      createMovieRecord(2, {
        release_date: formatDay(9),
        names: [{ lang: 'en', text: SPECIAL_TITLE, role: 'main' }],
      }),
      createSeriesRecord(3, [formatDay(7)], { safe_for_kids: false, names: arabicNames }),
    ])
    const { device, profilePath, ids } = household
    const watchlistEntries = ids.map((media_id, index) => ({
      type: index === 1 ? 'movie' : 'tv',
      media_id,
      in_watchlist: true,
    }))
    await device.put(`${profilePath}/watchlist`, { entries: watchlistEntries })
    feedPath = `${profilePath}/calendar/feed`
  })
  afterEach(() => household.server.close())

  const createCalendarAddress = async (): Promise<string> => {
    const { status, body } = await household.device.post(feedPath)
    expect(status).toBe(201)
    return new URL(body.url).pathname
  }
  const requestCalendar = (path: string, headers: Record<string, string> = {}) =>
    household.server.request(path, { headers })
  const readEvents = async (path: string) => {
    const response = await requestCalendar(path)
    expect(response.status).toBe(200)
    const calendar = new ICAL.Component(ICAL.parse(await response.text()))
    return calendar.getAllSubcomponents('vevent').map((component) => {
      const event = new ICAL.Event(component)
      return {
        uid: event.uid,
        day: event.startDate.toString(),
        isAllDay: event.startDate.isDate,
        days: event.duration.toSeconds() / 86_400,
        summary: event.summary,
        sequence: Number(event.sequence),
        url: String(component.getFirstPropertyValue('url')),
      }
    })
  }

  it('returns all-day events with stable ids to a calendar program', async () => {
    const path = await createCalendarAddress()
    const events = await readEvents(path)
    const { ids } = household
    expect(events.map(({ day, summary, isAllDay, days }) => ({ day, summary, isAllDay, days }))).toEqual([
      { day: formatDay(-2), summary: 'Lantern 1 S1 E1 · Part 1', isAllDay: true, days: 1 },
      { day: formatDay(5), summary: 'Lantern 1 S1 E2 · Part 2', isAllDay: true, days: 1 },
      { day: formatDay(7), summary: 'Lantern 3 S1 E1 · Part 1', isAllDay: true, days: 1 },
      { day: formatDay(9), summary: SPECIAL_TITLE, isAllDay: true, days: 1 },
    ])
    const { hostname } = household.server.deps.config.publicUrl
    expect(events[1]?.uid).toBe(`tv-${ids[0]}-1-2@${hostname}`)
    expect(events[3]?.uid).toBe(`movie-${ids[1]}@${hostname}`)
    expect(events[3]?.url).toMatch(/\/movies\/[\w-]+$/)
  })

  it('keeps the id of an event and raises its sequence number when the release date changes', async () => {
    const path = await createCalendarAddress()
    const eventsBefore = await readEvents(path)
    household.server.advanceClock(60_000)
    await addMovies({ server: household.server }, [createSeriesRecord(1, [formatDay(-2), formatDay(12)])])
    const eventsAfter = await readEvents(path)
    const movedEvent = eventsAfter.find(({ uid }) => uid === eventsBefore[1]?.uid)
    expect(movedEvent?.day).toBe(formatDay(12))
    expect(movedEvent?.sequence).toBeGreaterThan(eventsBefore[1]?.sequence ?? Number.NaN)
    expect(new Set(eventsAfter.map(({ uid }) => uid))).toEqual(new Set(eventsBefore.map(({ uid }) => uid)))
  })

  it('when a preference changes the name of an event, the event keeps its id and has a higher sequence number one day later', async () => {
    const path = await createCalendarAddress()
    const [eventBefore] = await readEvents(path)
    await household.device.put(household.profilePath, { preferences: { hide_spoilers: true } })
    household.server.advanceClock(86_400_000)
    const [eventAfter] = await readEvents(path)
    expect([eventBefore?.summary, eventAfter?.summary]).toEqual([
      'Lantern 1 S1 E1 · Part 1',
      'Lantern 1 S1 E1',
    ])
    expect(eventAfter?.uid).toBe(eventBefore?.uid)
    expect(eventAfter?.sequence).toBeGreaterThan(eventBefore?.sequence ?? Number.NaN)
  })

  it('folds lines at 75 bytes without breaking Arabic characters', async () => {
    await household.device.put(household.profilePath, { preferences: { language: 'ar' } })
    const path = await createCalendarAddress()
    const calendarText = await (await requestCalendar(path)).text()
    for (const line of calendarText.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(calendarText).not.toMatch(/[^\r]\n/)
    expect(calendarText).toMatch(/\r\nEND:VCALENDAR\r\n$/)
    const events = await readEvents(path)
    expect(events[2]?.summary).toBe(`${ARABIC_TITLE} م1 ح1 · Part 1`)
    expect(events[2]?.url).toContain('/ar/tvshows/')
  })

  it('replaces control characters and line separators of a title with spaces', async () => {
    const [movieId] = await addMovies(household, [
      createMovieRecord(4, {
        release_date: formatDay(10),
        names: [{ lang: 'en', text: 'Salt\u0007\r\nEND:VEVENT\u2028Smoke\u0085Glass', role: 'main' }],
      }),
    ])
    await household.device.put(`${household.profilePath}/watchlist/movie/${movieId}`)
    const path = await createCalendarAddress()
    const calendarText = await (await requestCalendar(path)).text()
    expect(calendarText.replaceAll('\r\n', '')).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
    expect((await readEvents(path)).at(-1)?.summary).toBe('Salt END:VEVENT Smoke Glass')
  })

  it('omits the names of unseen episodes if the profile hides spoilers, and omits unsafe titles for a kids profile', async () => {
    const path = await createCalendarAddress()
    await household.device.put(household.profilePath, { preferences: { hide_spoilers: true } })
    const { device, profilePath, ids } = household
    const viewingScope = { type: 'tv', media_id: ids[0], scope: 'episode', season: 1, episode: 1 }
    await device.post(`${profilePath}/viewings`, { key: 'mark', scopes: [viewingScope] })
    const summaries = (await readEvents(path)).map((event) => event.summary)
    expect(summaries.slice(0, 2)).toEqual(['Lantern 1 S1 E1 · Part 1', 'Lantern 1 S1 E2'])
    const { primary } = household.server.database
    await primary
      .updateTable('profile')
      .set({ kids: 1 })
      .where('profile_id', '=', device.profileId ?? '')
      .execute()
    expect((await readEvents(path)).map((event) => event.summary)).not.toContain('Lantern 3 S1 E1')
  })

  it('returns the same 404 for unknown, replaced and revoked addresses, and for addresses of blocked accounts', async () => {
    const firstAddress = await createCalendarAddress()
    const secondAddress = await createCalendarAddress()
    const expectNotFound = async (path: string) => {
      const response = await requestCalendar(path)
      expect(response.status).toBe(404)
      expect(await response.json()).toEqual({
        type: 'not_found',
        status_code: 404,
        message: 'Not found.',
        errors: {},
      })
    }
    await expectNotFound(`/api/calendar/${'A'.repeat(43)}/releases.ics`)
    await expectNotFound('/api/calendar/x/releases.ics')
    await expectNotFound(firstAddress)
    const { primary } = household.server.database
    await primary.updateTable('account').set({ blocked: 1 }).execute()
    await expectNotFound(secondAddress)
    await primary.updateTable('account').set({ blocked: 0 }).execute()
    expect((await requestCalendar(secondAddress)).status).toBe(200)
    expect((await household.device.delete(feedPath, {})).status).toBe(204)
    await expectNotFound(secondAddress)
    expect((await household.device.delete(feedPath, {})).status).toBe(204)
    expect((await household.device.get(feedPath)).body).toEqual({ created_at: null, read_at: null })
  })

  it('stores only a hash of the token, logs no token, and returns the time of the last read', async () => {
    const path = await createCalendarAddress()
    const token = path.split('/')[3] ?? ''
    expect(token).toMatch(/^[\w-]{43}$/)
    expect((await household.device.get(feedPath)).body).toMatchObject({ read_at: null })
    await requestCalendar(path)
    await requestCalendar(`${path}/`)
    await requestCalendar(`/api/calendar/${token}`)
    const calendarAddress = (await household.device.get(feedPath)).body
    expect(Date.parse(calendarAddress.read_at)).toBeGreaterThan(0)
    expect(JSON.stringify(calendarAddress)).not.toContain(token)
    const rows = await household.server.database.primary.selectFrom('calendar_feed').selectAll().execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(household.server.logLines.length).toBeGreaterThan(0)
    expect(household.server.logLines.join('\n')).not.toContain(token)
  })

  it('revokes the address when a PIN is set for the profile, and then requires the PIN to create another address', async () => {
    const { device, profilePath, server } = household
    const path = await createCalendarAddress()
    expect((await device.post(`${profilePath}/lock`, { pin: PIN })).status).toBe(200)
    expect((await requestCalendar(path)).status).toBe(404)
    expect((await device.get(feedPath)).body.created_at).toBeNull()
    const lockedProfilePath = await createCalendarAddress()
    const otherClient = new TestClient(server)
    await otherClient.login('alice@example.com')
    otherClient.profileId = device.profileId
    expect((await otherClient.post(feedPath)).body.type).toBe('profile_locked')
    expect((await otherClient.get(feedPath)).body.type).toBe('profile_locked')
    expect((await requestCalendar(lockedProfilePath)).status).toBe(200)
  })

  it('creating and revoking the address of a kids profile requires an adult profile or the account password', async () => {
    const { device, server } = household
    const kidId = (await device.post('/api/profile', { name: 'Kid', kids: true })).body.profile_id
    const kid = new TestClient(server)
    await kid.login('alice@example.com')
    kid.profileId = kidId
    const kidFeedPath = `/api/profile/${kidId}/calendar/feed`
    expect((await kid.post(kidFeedPath)).status).toBe(403)
    expect((await kid.delete(kidFeedPath, {})).status).toBe(403)
    expect((await kid.post(kidFeedPath, { password: 'Lumiere1895' })).status).toBe(201)
  })

  it('returns 304 to a program that has the current calendar, and 429 to a program that requests the calendar too often', async () => {
    const path = await createCalendarAddress()
    const response = await requestCalendar(path)
    const etag = response.headers.get('etag') ?? ''
    expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
    const unchangedResponse = await requestCalendar(path, { 'If-None-Match': etag })
    expect([unchangedResponse.status, await unchangedResponse.text()]).toEqual([304, ''])
    for (let requestCount = 2; requestCount < 60; requestCount += 1)
      await requestCalendar(path, { 'If-None-Match': etag })
    const rejectedResponse = await requestCalendar(path)
    expect(rejectedResponse.status).toBe(429)
    expect(Number(rejectedResponse.headers.get('retry-after'))).toBeGreaterThan(0)
    // The limit applies to the calendar, so a new address of the same calendar also returns 429. Unknown addresses
    // have a separate limit: they return 404 for 60 requests, and then 429.
    expect((await requestCalendar(await createCalendarAddress())).status).toBe(429)
    const unknownPath = `/api/calendar/${'B'.repeat(43)}/releases.ics`
    for (let requestCount = 0; requestCount < 60; requestCount += 1)
      expect((await requestCalendar(unknownPath)).status).toBe(404)
    expect((await requestCalendar(unknownPath)).status).toBe(429)
  })
})
