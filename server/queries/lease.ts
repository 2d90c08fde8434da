/** Who does what only one process may do at a time; a holder that dies is followed by the next after its time. */
import { databaseNow } from '../db/clock.ts'
import type { Db } from '../db/open.ts'

interface Wish {
  name: string
  holder: string
  forMs: number
}

/** Takes it, or prolongs it for who holds it already; false while somebody else holds it. */
export async function takeLease(db: Db, { name, holder, forMs }: Wish): Promise<boolean> {
  const until = databaseNow(db)
  const taken = await db
    .updateTable('lease')
    .set((eb) => ({ holder, until: eb(until, '+', forMs) }))
    .where('name', '=', name)
    .where((eb) => eb.or([eb('holder', '=', holder), eb('until', '<', databaseNow(db))]))
    .executeTakeFirst()
  if (taken.numUpdatedRows === 1n) return true
  const made = await db
    .insertInto('lease')
    .values((eb) => ({ name, holder, until: eb(until, '+', forMs) }))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst()
  return made.numInsertedOrUpdatedRows === 1n
}

export async function giveLease(db: Db, name: string, holder: string): Promise<void> {
  await db.deleteFrom('lease').where('name', '=', name).where('holder', '=', holder).execute()
}
