/** The calendar page, and the calendar address to which calendar programs subscribe. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'

const household = await signInHousehold()
const { actAs, switchTo, getCard, network, otherDevice, profiles } = household
const calendarStore = await import('../../src/lib/stores/calendar.ts')
const { addDays } = await import('../../src/lib/rules/calendar-days.ts')
const calendarFeedStore = await import('../../src/lib/stores/calendar-feed.ts')
const { $toast } = await import('../../src/lib/stores/toast.ts')
const { setInWatchlist } = await import('../../src/lib/stores/watchlist.ts')
const { $calendar, $calendarFilters, openCalendar, parseCalendarFilters } = calendarStore

const ledger = getCard('Iron Ledger')
const CALENDAR_SETTINGS = { today: '2026-11-25', firstWeekday: 1 }
const DEFAULT_FILTERS = parseCalendarFilters('')
/** A date on which an episode of the series was released. */
let releaseDay = ''

$calendar.listen(() => {})
calendarFeedStore.$calendarFeed.listen(() => {})
const openCalendarPage = async (
  filterChanges: Partial<typeof DEFAULT_FILTERS> = {},
  today = CALENDAR_SETTINGS.today,
) => {
  openCalendar({ ...DEFAULT_FILTERS, ...filterChanges }, { ...CALENDAR_SETTINGS, today })
  await network.waitUntilIdle()
}
beforeEach(async () => {
  network.setOffline(false)
  await otherDevice.put(`/api/profile/${profiles.adult}/watchlist/tv/${ledger.id}`)
  const calendarPath = `/api/profile/${profiles.adult}/calendar`
  const { previous } = (await otherDevice.get(`${calendarPath}?from=2026-11-25&until=2026-11-26`)).body
  releaseDay = previous
  await actAs('adult')
})

describe('filters of the calendar', () => {
  it('calendar filters are restored from the URL, and invalid values become defaults', () => {
    const query = '?view=month&type=tv&month=2026-12'
    expect(calendarStore.formatCalendarFilters(parseCalendarFilters(query))).toBe(query)
    expect(parseCalendarFilters('?view=x&type=x&period=x&month=2026-13')).toEqual(DEFAULT_FILTERS)
    expect(calendarStore.formatCalendarFilters(DEFAULT_FILTERS)).toBe('')
  })

  it('calendar filters select whole weeks, so the requested period is the same on every day of a week', () => {
    const getPeriod = (filterChanges: Partial<typeof DEFAULT_FILTERS>, today: string) =>
      calendarStore.getInitialPeriod(
        { ...DEFAULT_FILTERS, ...filterChanges },
        { ...CALENDAR_SETTINGS, today },
      )
    expect(getPeriod({}, '2026-11-23')).toEqual(getPeriod({}, '2026-11-29'))
    expect(getPeriod({ period: 'this_week' }, '2026-11-25')).toEqual({
      from: '2026-11-23',
      until: '2026-11-30',
    })
    expect(getPeriod({ period: 'next_week' }, '2026-11-25')).toEqual({
      from: '2026-11-30',
      until: '2026-12-07',
    })
    expect(getPeriod({ view: 'month' }, '2026-11-25')).toEqual({ from: '2026-10-26', until: '2026-12-07' })
    expect(calendarStore.getShiftedMonth(DEFAULT_FILTERS, CALENDAR_SETTINGS, 2)).toBe('2027-01')
  })
})

describe('releases in the calendar', () => {
  it('releases are loaded for the period, and reloaded after a change of the watchlist', async () => {
    await openCalendarPage({}, releaseDay)
    const { releases, titles, isLoaded } = $calendar.get()
    expect([isLoaded, releases.some(({ date }) => date === releaseDay)]).toEqual([true, true])
    expect(titles.get(ledger.id)?.title).toBe('Iron Ledger')
    await setInWatchlist(ledger, false)
    await network.waitUntilIdle()
    expect($calendar.get().releases).toEqual([])
    await setInWatchlist(ledger, true)
  })

  it('loading earlier and later releases leaves no gap between the loaded days', async () => {
    await openCalendarPage({}, '2026-11-25')
    expect($calendar.get().previous).toBe(releaseDay)
    await calendarStore.loadEarlierReleases()
    const { releases, from } = $calendar.get()
    expect(from).toBe(addDays(releaseDay, -27))
    expect(releases.map(({ date }) => date)).toContain(releaseDay)
    // The server leaves out the last days when a period has very many releases. The test shortens the period of the
    // request to get such a reply.
    await openCalendarPage({ type: 'tv' }, '2026-11-25')
    const { fetch: sendRequest } = globalThis
    const fetchSpy = vi.spyOn(globalThis, 'fetch').mockImplementationOnce((url, init) => {
      const shortenedUrl = String(url).replace(/until=[\d-]+/, `until=${addDays(releaseDay, -17)}`)
      return sendRequest(shortenedUrl, init)
    })
    await calendarStore.loadEarlierReleases()
    fetchSpy.mockRestore()
    expect($calendar.get().releases.map(({ date }) => date)).toContain(releaseDay)
    await openCalendarPage({}, '1990-01-01')
    const { next } = $calendar.get()
    expect(next).not.toBeNull()
    await calendarStore.loadLaterReleases()
    expect($calendar.get().releases[0]?.date).toBe(next)
    expect($calendar.get().until).toBe(addDays(next ?? '', 28))
  })

  it('a message is shown when loading earlier releases fails, and the loaded releases stay', async () => {
    await openCalendarPage({}, addDays(releaseDay, 7))
    const { releases, previous } = $calendar.get()
    expect([releases.length > 0, previous !== null]).toEqual([true, true])
    network.failNext(/calendar/, 422)
    await calendarStore.loadEarlierReleases()
    expect($calendar.get().releases).toEqual(releases)
    expect($toast.get()).toMatchObject({ key: 'errors:generic', kind: 'bad' })
  })

  it('a reply for the previous filter that arrives after the reply for the current filter does not replace the displayed releases', async () => {
    const releaseRequest = network.hold(/calendar\?.*type=movie/)
    openCalendar({ ...DEFAULT_FILTERS, type: 'movie' }, { ...CALENDAR_SETTINGS, today: releaseDay })
    await openCalendarPage({ type: 'tv' }, releaseDay)
    const { releases } = $calendar.get()
    releaseRequest()
    await network.waitUntilIdle()
    expect($calendar.get().releases).toEqual(releases)
    expect($calendarFilters.get().type).toBe('tv')
  })

  it('releases are removed when another profile is selected, and a failed request is reported', async () => {
    await openCalendarPage({}, releaseDay)
    await switchTo('kid')
    expect($calendar.get()).toMatchObject({ releases: [], isLoaded: false })
    await actAs('adult')
    network.failNext(/calendar/, 422)
    await openCalendarPage({ type: 'movie' }, releaseDay)
    expect($calendar.get().error).toMatchObject({ status: 422 })
  })
})

describe('calendar address', () => {
  it('a calendar address can be created, replaced and revoked, and is no longer displayed after another profile is selected', async () => {
    await calendarFeedStore.createCalendarAddress()
    const firstAddress = calendarFeedStore.$calendarAddress.get()
    expect(firstAddress).toMatch(/\/api\/calendar\/[\w-]{43}\/releases\.ics$/)
    await calendarFeedStore.createCalendarAddress()
    expect(calendarFeedStore.$calendarAddress.get()).not.toBe(firstAddress)
    await switchTo('kid')
    expect(calendarFeedStore.$calendarAddress.get()).toBe('')
    await actAs('adult')
    await calendarFeedStore.revokeCalendarAddress()
    expect($toast.get()).toMatchObject({ key: 'calendar:addressRevoked' })
    const feedPath = `/api/profile/${profiles.adult}/calendar/feed`
    expect((await otherDevice.get(feedPath)).body.created_at).toBeNull()
    network.failNext(/POST/, 403)
    await calendarFeedStore.createCalendarAddress()
    expect($toast.get()).toMatchObject({ key: 'calendar:addressFailed', kind: 'bad' })
    expect(calendarFeedStore.$calendarAddress.get()).toBe('')
  })
})
