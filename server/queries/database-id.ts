import type { Db } from '../db/database.ts'
import { selectSetting } from './setting.ts'

const DATABASE_ID_SETTING_KEY = 'database_id'

/** State of a database before it is migrated. */
export interface DatabaseState {
  /** False while the database has no tables or no account. */
  hasAccounts: boolean
  /** Null when the database has no tables, or was created by a version of the server that stored no database id. */
  databaseId: string | null
}

export async function selectDatabaseState(db: Db): Promise<DatabaseState> {
  const tableNames = new Set((await db.introspection.getTables()).map(({ name }) => name))
  const firstAccount = tableNames.has('account')
    ? await db.selectFrom('account').select('account_id').limit(1).executeTakeFirst()
    : undefined
  return {
    hasAccounts: firstAccount !== undefined,
    databaseId: tableNames.has('setting') ? await selectDatabaseId(db) : null,
  }
}

/** Stores the id if the database has none. Returns the id of the database. */
export async function insertDatabaseId(db: Db, databaseId: string, nowMs: number): Promise<string> {
  const storedId = await selectDatabaseId(db)
  if (storedId !== null) return storedId
  await db
    .insertInto('setting')
    .values({
      key: DATABASE_ID_SETTING_KEY,
      value: JSON.stringify(databaseId),
      updated_at: nowMs,
      updated_by: null,
    })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
  return (await selectDatabaseId(db)) ?? databaseId
}

async function selectDatabaseId(db: Db): Promise<string | null> {
  const row = await selectSetting(db, DATABASE_ID_SETTING_KEY)
  return row ? (JSON.parse(row.value) as string) : null
}
