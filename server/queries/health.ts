import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export async function isDatabaseReachable(db: Db): Promise<boolean> {
  try {
    await sql`select 1`.execute(db)
    return true
  } catch {
    return false
  }
}

/** True when the catalogue has a title whose source is not `excludedSource`. */
export async function hasTitles(db: Db, excludedSource = ''): Promise<boolean> {
  const row = await db
    .selectFrom('title')
    .select('title_id')
    .where('source', '<>', excludedSource)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
