/** The import of a history file finds titles by external ids through indexes, in a catalogue of any size. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openSqliteDatabase } from '../../../server/db/database.ts'
import { migrateDatabase } from '../../../server/db/migrate.ts'
import { selectCandidatesByIds } from '../../../server/queries/match-candidates.ts'
import { Audience } from '../../../server/queries/title-scope.ts'
import { explainStatements, recordStatements } from '../../support/query-plans.ts'

let database: Database
beforeAll(async () => {
  database = openSqliteDatabase(':memory:')
  await migrateDatabase(database)
})
afterAll(() => database.close())

it.each(['imdb_id', 'tmdb_id', 'tvdb_id', 'title_id'] as const)(
  'the query for titles by %s searches by that column and does not read all titles',
  async (idColumn) => {
    const db = database.primary
    const [statement] = await recordStatements([db], () =>
      selectCandidatesByIds(db, Audience.unrestricted, idColumn, [1, 2, 3]),
    )
    const plan = await explainStatements(db, statement ? [statement] : [])
    const column = idColumn === 'title_id' ? 'rowid' : idColumn
    expect(plan.join('\n')).toMatch(new RegExp(`SEARCH title .*\\b${column}=\\?`))
  },
)
