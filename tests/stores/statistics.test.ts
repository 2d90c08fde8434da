/** The statistics page: time zone, reload after a change of the history, profile switches, and the year in the URL. */
import { expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'

const household = await signInHousehold()
const { actAs, switchTo, getCard, findAdultRequests, network } = household
const { $statistics, $statisticsYear, parseStatisticsYear } = await import(
  '../../src/lib/stores/statistics.ts'
)
const { markSeen } = await import('../../src/lib/stores/viewings.ts')

const harbour = getCard('Night Harbour')
$statistics.listen(() => {})

it('statistics of a year use the time zone of the viewer, and are reloaded after a change of the history', async () => {
  await actAs('adult')
  await network.waitUntilIdle()
  expect($statistics.get().data?.totals.viewings).toBe(0)
  await markSeen([{ type: 'movie', media_id: harbour.id, scope: 'title' }])
  await network.waitUntilIdle()
  expect($statistics.get().data?.totals.movies).toBe(1)
  $statisticsYear.set({ year: 1999 })
  await network.waitUntilIdle()
  expect($statistics.get().data?.totals.viewings).toBe(0)
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  expect(network.requests.at(-1)?.url).toContain(`year=1999&time_zone=${encodeURIComponent(timeZone)}`)
})

it('statistics of the previous profile are not shown after a profile switch', async () => {
  await actAs('adult')
  await network.waitUntilIdle()
  await switchTo('kid')
  expect($statistics.get().data?.totals.movies ?? 0).toBe(0)
  expect(findAdultRequests()).toEqual([])
})

it('a valid year is read from the URL, and invalid years are ignored', () => {
  expect(parseStatisticsYear('?year=2026')).toBe(2026)
  for (const search of ['', '?year=', '?year=26', '?year=3026', '?year=x'])
    expect(parseStatisticsYear(search)).toBeNull()
})
