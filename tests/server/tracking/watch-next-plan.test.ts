/** Watch next reads the watchlist and the first episodes through indexes. */
import { expect, it } from 'vitest'
import { openSqliteDatabase } from '../../../server/db/database.ts'
import { Audience } from '../../../server/queries/title-scope.ts'
import { selectFirstSeasonEpisodes, selectPlannedTitles } from '../../../server/queries/watch-next.ts'
import { explainStatements, recordStatements } from '../../support/query-plans.ts'
import { createSeriesRecord, formatDay, startCalendarHousehold } from '../calendar/calendar-household.ts'

it('the query plan of Watch next uses indexes, and scans neither titles, episodes nor progress', async () => {
  const household = await startCalendarHousehold(openSqliteDatabase(':memory:'), [
    createSeriesRecord(1, [formatDay(-20), formatDay(-10)]),
  ])
  const db = household.server.database.primary
  const statements = await recordStatements([db], async () => {
    await selectPlannedTitles(db, Audience.unrestricted, {
      profileId: household.device.profileId ?? '',
      today: formatDay(0),
      excludedTitleIds: [1],
      limit: 100,
      offset: 100,
    })
    await selectFirstSeasonEpisodes(db, household.ids.map(Number))
  })
  const queryPlans = await explainStatements(db, statements)
  await household.server.close()
  expect(queryPlans.filter((plan) => /^SCAN /.test(plan))).toEqual([])
  expect(queryPlans.join('\n')).toContain('watchlist_entry USING INDEX watchlist_added')
})
