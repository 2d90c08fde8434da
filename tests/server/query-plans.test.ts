/**
 * No request of a viewer reads a whole table of the catalogue. The test calls every GET endpoint except the event
 * stream and the endpoints for administrators. SQLite then explains the statements that the server executed for these
 * calls.
 */
import type { CompiledQuery } from 'kysely'
import { expect, it } from 'vitest'
import { openSqliteDatabase } from '../../server/db/database.ts'
import { ALL_ENDPOINTS } from '../support/endpoints.ts'
import { explainStatements, recordStatements } from '../support/query-plans.ts'
import { fillEndpointPath } from '../support/test-client.ts'
import { createSeriesRecord, formatDay, startCalendarHousehold } from './calendar/calendar-household.ts'

/** Tables whose size grows with the catalogue. */
const CATALOGUE_TABLES = [
  'title',
  'title_name',
  'title_text',
  'title_genre',
  'season',
  'episode',
  'credit',
  'person',
]
/** True for a statement that reads one part of all titles or people. The indexes in memory are loaded in such parts. */
const isLoadedInParts = (sql: string) => /\blimit \?/.test(sql) && /"?(title_id|person_id)"? > \?/.test(sql)

const VIEWER_ENDPOINTS = ALL_ENDPOINTS.filter(
  ({ method, path, access }) => method === 'GET' && path !== '/events' && access !== 'admin',
)

it('no GET endpoint of a viewer scans a table of the catalogue', async () => {
  const household = await startCalendarHousehold(openSqliteDatabase(':memory:'), [
    createSeriesRecord(1, [formatDay(-20), formatDay(2)]),
    createSeriesRecord(2, [formatDay(-10)]),
  ])
  const { server, device, profilePath, ids } = household
  const { primary, reader } = server.deps.database
  await device.put(`${profilePath}/watchlist/tv/${ids[0]}`)
  await server.deps.browseIndex.warm()
  const statementsByPath = new Map<string, CompiledQuery[]>()
  for (const endpoint of VIEWER_ENDPOINTS) {
    const isProfileEndpoint = endpoint.path.startsWith('/profile')
    const path = fillEndpointPath(endpoint, {
      id: isProfileEndpoint ? (device.profileId ?? '') : (ids[0] ?? ''),
      type: 'tv',
      mediaId: ids[0] ?? '',
      season: '1',
      episode: '1',
    })
    for (const query of ['', '?q=series', '?search=series', `?from=${formatDay(0)}&until=${formatDay(20)}`]) {
      const statements = await recordStatements([primary, reader], () => device.get(`${path}${query}`))
      if (statements.length > 0)
        statementsByPath.set(endpoint.path, [...(statementsByPath.get(endpoint.path) ?? []), ...statements])
    }
  }
  const scannedTablePattern = new RegExp(`^SCAN (${CATALOGUE_TABLES.join('|')})\\b`)
  const tableScans = new Set<string>()
  for (const [path, statements] of statementsByPath)
    for (const statement of statements) {
      const { sql } = statement
      if (!/^\s*(select|with|insert|update|delete)/i.test(sql) || isLoadedInParts(sql)) continue
      for (const planStep of await explainStatements(primary, [statement]))
        if (scannedTablePattern.test(planStep)) tableScans.add(`${path}: ${planStep}: ${sql.slice(0, 400)}`)
    }
  await server.close()
  expect(statementsByPath.size).toBeGreaterThan(40)
  expect([...tableScans]).toEqual([])
})
