import { expect, test } from 'vitest'
import { findMediaIds, openFilledIndex, openPostgresIndex, openSqliteIndex } from './index-fixture.ts'

test('the search index returns the same results on SQLite and PostgreSQL', async () => {
  const [sqliteIndex, postgresIndex] = await Promise.all([
    openFilledIndex(openSqliteIndex),
    openFilledIndex(openPostgresIndex),
  ])
  for (const query of ['heat', 'matrx', 'tom', 'th', 'انسبشن', 'rocky ii', '%', 'c++', 'police acad']) {
    expect(await findMediaIds(postgresIndex, query)).toEqual(await findMediaIds(sqliteIndex, query))
  }
})
