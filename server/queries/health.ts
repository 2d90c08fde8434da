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

export async function hasTitles(db: Db): Promise<boolean> {
  return (await db.selectFrom('title').select('title_id').limit(1).executeTakeFirst()) !== undefined
}
