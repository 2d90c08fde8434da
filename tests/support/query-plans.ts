/** Records the statements that databases execute, and returns the query plans that SQLite uses for them. */
import { CompiledQuery } from 'kysely'
import type { Db } from '../../server/db/database.ts'

/** Returns the statements that the databases execute during `run`, except statements inside transactions. */
export async function recordStatements(
  databases: readonly Db[],
  run: () => Promise<unknown>,
): Promise<CompiledQuery[]> {
  const statements: CompiledQuery[] = []
  const restoreFunctions = [...new Set(databases.map((db) => db.getExecutor()))].map((executor) => {
    const { executeQuery } = executor
    executor.executeQuery = (query) => {
      statements.push(query)
      return executeQuery.call(executor, query) as never
    }
    return () => {
      executor.executeQuery = executeQuery
    }
  })
  try {
    await run()
  } finally {
    for (const restore of restoreFunctions) restore()
  }
  return statements
}

/** Returns the steps of the query plans, such as `SEARCH title USING INTEGER PRIMARY KEY (rowid=?)`. */
export async function explainStatements(db: Db, statements: readonly CompiledQuery[]): Promise<string[]> {
  const planSteps: string[] = []
  for (const { sql, parameters } of statements) {
    const { rows } = await db.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
    )
    planSteps.push(...rows.map(({ detail }) => detail))
  }
  return planSteps
}
