/** The import of a history file finds titles by external ids through indexes, in a catalogue of any size. */
import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openSqliteDatabase } from '../../../server/db/database.ts'
import { migrateDatabase } from '../../../server/db/migrate.ts'
import { selectCandidatesByIds } from '../../../server/queries/match-candidates.ts'
import { Audience } from '../../../server/queries/title-scope.ts'

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
    const executor = db.getExecutor()
    const { executeQuery } = executor
    const statements: CompiledQuery[] = []
    executor.executeQuery = (query) => {
      statements.push(query)
      return executeQuery.call(executor, query) as never
    }
    await selectCandidatesByIds(db, Audience.unrestricted, idColumn, [1, 2, 3])
    executor.executeQuery = executeQuery
    const [{ sql, parameters } = { sql: '', parameters: [] }] = statements
    const { rows } = await db.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
    )
    const column = idColumn === 'title_id' ? 'rowid' : idColumn
    expect(rows.map(({ detail }) => detail).join('\n')).toMatch(new RegExp(`SEARCH title .*\\b${column}=\\?`))
  },
)
