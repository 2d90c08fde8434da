/**
 * The calendar reads only the index entries of titles that the profile follows. The number of SQL statements does not
 * depend on the number of these titles.
 */

import type { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSqliteDatabase } from '../../../server/db/database.ts'
import { Audience } from '../../../server/queries/title-scope.ts'
import { listReleases } from '../../../server/services/calendar/list-releases.ts'
import { explainStatements, recordStatements } from '../../support/query-plans.ts'
import {
  type CalendarHousehold,
  createSeriesRecord,
  formatDay,
  startCalendarHousehold,
} from './calendar-household.ts'

let household: CalendarHousehold
beforeAll(async () => {
  const seriesRecords = Array.from({ length: 40 }, (_, index) =>
    createSeriesRecord(index + 1, [formatDay(2)]),
  )
  household = await startCalendarHousehold(openSqliteDatabase(':memory:'), seriesRecords)
})
afterAll(() => household.server.close())

/** Loads the calendar and returns the SQL statements that the server executed for the calendar. */
async function recordCalendarStatements(): Promise<CompiledQuery[]> {
  const { server, device } = household
  const { primary, reader } = server.deps.database
  const profileRow = await primary
    .selectFrom('profile')
    .selectAll()
    .where('profile_id', '=', device.profileId ?? '')
    .executeTakeFirstOrThrow()
  const profile = { ...profileRow, has_viewing_limits: 0, enterable: true }
  const account = await primary.selectFrom('account').selectAll().executeTakeFirstOrThrow()
  const caller = {
    account,
    acting: profile,
    audience: Audience.unrestricted,
    group: [],
    profile,
    profiles: [],
    catalogueVersion: '',
    login: {} as never,
  }
  return recordStatements([primary, reader], () =>
    listReleases({ deps: server.deps, caller }, { from: formatDay(-10), until: formatDay(60) }),
  )
}

it('the calendar executes as many statements for 40 followed series as for one followed series', async () => {
  const { device, profilePath, ids } = household
  await device.put(`${profilePath}/watchlist/tv/${ids[0]}`)
  const statementsOfOneSeries = await recordCalendarStatements()
  await device.put(`${profilePath}/watchlist`, {
    entries: ids.map((media_id) => ({ type: 'tv', media_id, in_watchlist: true })),
  })
  expect(await recordCalendarStatements()).toHaveLength(statementsOfOneSeries.length)
  expect(statementsOfOneSeries.length).toBeLessThanOrEqual(10)
})

it('the query of the calendar finds episodes by the index on title and date, without a full scan of titles or episodes', async () => {
  const db = household.server.database.primary
  const queryPlans = await explainStatements(db, await recordCalendarStatements())
  expect(queryPlans.filter((plan) => /SCAN (title|episode|e|progress|play)\b/.test(plan))).toEqual([])
  expect(queryPlans.join('\n')).toMatch(
    /SEARCH episode USING INDEX episode_release \(title_id=\? AND air_date>\? AND air_date<\?\)/,
  )
  expect(queryPlans.join('\n')).toMatch(/SEARCH e USING COVERING INDEX episode_release/)
})
