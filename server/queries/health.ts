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

/** True when the catalogue has a title, or with `exceptSource`, a title of another source. */
export async function hasTitles(db: Db, { exceptSource }: { exceptSource?: string } = {}): Promise<boolean> {
  const row = await db
    .selectFrom('title')
    .select('title_id')
    .$if(exceptSource !== undefined, (query) => query.where('source', '<>', exceptSource ?? ''))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
