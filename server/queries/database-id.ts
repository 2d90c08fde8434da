import type { Db } from '../db/database.ts'

const SETTING_KEY = 'database_id'

/** Describes a database before it is migrated. */
export interface DatabaseIdentity {
  /** False while it has no tables, or no account yet. */
  hasAccounts: boolean
  /** Null when it was created by a version that did not record it, or has no tables. */
  databaseId: string | null
}

export async function selectDatabaseIdentity(db: Db): Promise<DatabaseIdentity> {
  const tables = new Set((await db.introspection.getTables()).map(({ name }) => name))
  const account = tables.has('account')
    ? await db.selectFrom('account').select('account_id').limit(1).executeTakeFirst()
    : undefined
  const setting = tables.has('setting')
    ? await db.selectFrom('setting').select('value').where('key', '=', SETTING_KEY).executeTakeFirst()
    : undefined
  return {
    hasAccounts: account !== undefined,
    databaseId: setting ? (JSON.parse(setting.value) as string) : null,
  }
}

/** Stores the id unless the database has one. Returns the id of the database. */
export async function insertDatabaseId(db: Db, databaseId: string, nowMs: number): Promise<string> {
  await db
    .insertInto('setting')
    .values({ key: SETTING_KEY, value: JSON.stringify(databaseId), updated_at: nowMs, updated_by: null })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
  const { value } = await db
    .selectFrom('setting')
    .select('value')
    .where('key', '=', SETTING_KEY)
    .executeTakeFirstOrThrow()
  return JSON.parse(value) as string
}
