import { expect, test } from 'vitest'
import { findMediaIds, openFilledIndex, openPostgresIndex, openSqliteIndex } from './index-fixture.ts'

test('returns the same results on SQLite and PostgreSQL', async () => {
  const [sqlite, postgres] = await Promise.all([
    openFilledIndex(openSqliteIndex),
    openFilledIndex(openPostgresIndex),
  ])
  for (const q of ['heat', 'matrx', 'tom', 'th', 'انسبشن', 'rocky ii', '%', 'c++', 'police acad']) {
    expect(await findMediaIds(postgres, q)).toEqual(await findMediaIds(sqlite, q))
  }
})
