/** The calendar page and the address for calendar programs. */
import { beforeEach, describe, expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'

const household = await signInHousehold()
const { actAs, switchTo, card, network, otherDevice, profiles } = household
const calendar = await import('../../src/lib/stores/calendar.ts')
const { addDays } = await import('../../src/lib/rules/calendar-days.ts')
const feed = await import('../../src/lib/stores/calendar-feed.ts')
const { $toast } = await import('../../src/lib/stores/toast.ts')
const { setInWatchlist } = await import('../../src/lib/stores/watchlist.ts')
const { $calendar, $calendarFilters, openCalendar, parseCalendarFilters } = calendar

const ledger = card('Iron Ledger')
const SETTINGS = { today: '2026-11-25', firstWeekday: 1 }
const DEFAULT_FILTERS = parseCalendarFilters('')
/** A date on which an episode of the series was released. */
let releaseDay = ''

$calendar.listen(() => {})
feed.$calendarFeed.listen(() => {})
const openCalendarPage = async (changes: Partial<typeof DEFAULT_FILTERS> = {}, today = SETTINGS.today) => {
  openCalendar({ ...DEFAULT_FILTERS, ...changes }, { ...SETTINGS, today })
  await network.waitUntilIdle()
}
beforeEach(async () => {
  network.setOffline(false)
  await otherDevice.put(`/api/profile/${profiles.adult}/watchlist/tv/${ledger.id}`)
  const path = `/api/profile/${profiles.adult}/calendar`
  const { previous } = (await otherDevice.get(`${path}?from=2026-11-25&until=2026-11-26`)).body
  releaseDay = previous
  await actAs('adult')
})

describe('filters', () => {
  it('keep their values in the URL, and invalid values become defaults', () => {
    const query = '?view=month&type=tv&month=2026-12'
    expect(calendar.formatCalendarFilters(parseCalendarFilters(query))).toBe(query)
    expect(parseCalendarFilters('?view=x&type=x&period=x&month=2026-13')).toEqual(DEFAULT_FILTERS)
    expect(calendar.formatCalendarFilters(DEFAULT_FILTERS)).toBe('')
  })

  it('select whole weeks, so that the URL of the request stays the same within a week', () => {
    const getPeriod = (changes: Partial<typeof DEFAULT_FILTERS>, today: string) =>
      calendar.getInitialPeriod({ ...DEFAULT_FILTERS, ...changes }, { ...SETTINGS, today })
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
    expect(calendar.moveMonth(DEFAULT_FILTERS, SETTINGS, 2)).toBe('2027-01')
  })
})

describe('releases', () => {
  it('are loaded for the period, and again after a change of My List', async () => {
    await openCalendarPage({}, releaseDay)
    const { releases, titles, isLoaded } = $calendar.get()
    expect([isLoaded, releases.some(({ date }) => date === releaseDay)]).toEqual([true, true])
    expect(titles.get(ledger.id)?.title).toBe('Iron Ledger')
    await setInWatchlist(ledger, false)
    await network.waitUntilIdle()
    expect($calendar.get().releases).toEqual([])
    await setInWatchlist(ledger, true)
  })

  it('have no gap after earlier and later days are loaded', async () => {
    await openCalendarPage({}, '2026-11-25')
    expect($calendar.get().previous).toBe(releaseDay)
    await calendar.loadEarlierReleases()
    const { releases, from } = $calendar.get()
    expect(from).toBe(addDays(releaseDay, -27))
    expect(releases.map(({ date }) => date)).toContain(releaseDay)
    await openCalendarPage({}, '1990-01-01')
    const { next } = $calendar.get()
    expect(next).not.toBeNull()
    await calendar.loadLaterReleases()
    expect($calendar.get().releases[0]?.date).toBe(next)
    expect($calendar.get().until).toBe(addDays(next ?? '', 28))
  })

  it('of another filter are not replaced by the releases of a slower earlier request', async () => {
    const release = network.hold(/calendar\?.*type=movie/)
    openCalendar({ ...DEFAULT_FILTERS, type: 'movie' }, { ...SETTINGS, today: releaseDay })
    await openCalendarPage({ type: 'tv' }, releaseDay)
    const { releases } = $calendar.get()
    release()
    await network.waitUntilIdle()
    expect($calendar.get().releases).toEqual(releases)
    expect($calendarFilters.get().type).toBe('tv')
  })

  it('report a failed request, and disappear when another profile is selected', async () => {
    await openCalendarPage({}, releaseDay)
    await switchTo('kid')
    expect($calendar.get()).toMatchObject({ releases: [], isLoaded: false })
    await actAs('adult')
    network.failNext(/calendar/, 422)
    await openCalendarPage({ type: 'movie' }, releaseDay)
    expect($calendar.get().error).not.toBeNull()
  })
})

describe('address', () => {
  it('is created, replaced and revoked, and is forgotten when another profile is selected', async () => {
    await feed.createCalendarAddress()
    const first = feed.$calendarAddress.get()
    expect(first).toMatch(/\/api\/calendar\/[\w-]{43}\/releases\.ics$/)
    await feed.createCalendarAddress()
    expect(feed.$calendarAddress.get()).not.toBe(first)
    await switchTo('kid')
    expect(feed.$calendarAddress.get()).toBe('')
    await actAs('adult')
    await feed.revokeCalendarAddress()
    expect($toast.get()).toMatchObject({ key: 'calendar:addressRevoked' })
    const path = `/api/profile/${profiles.adult}/calendar/feed`
    expect((await otherDevice.get(path)).body.created_at).toBeNull()
    network.failNext(/POST/, 403)
    await feed.createCalendarAddress()
    expect($toast.get()).toMatchObject({ key: 'calendar:addressFailed', kind: 'bad' })
    expect(feed.$calendarAddress.get()).toBe('')
  })
})
