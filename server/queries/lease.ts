/**
 * Leases for work that only one process may do at a time. Leases expire, so that another process can take over after
 * a crash.
 */
import { MAX_CLOCK_DIFFERENCE_MS } from '../core/dates.ts'
import { createNowMsExpression } from '../db/clock.ts'
import type { Db } from '../db/database.ts'

interface LeaseRequest {
  name: string
  holder: string
  durationMs: number
}

/**
 * Acquires a lease, or renews a lease that `holder` has. Returns false while another holder has the lease. Also takes
 * over a lease of another holder if the lease ends more than `durationMs` plus MAX_CLOCK_DIFFERENCE_MS in the future,
 * because such a lease was written while the clock was ahead.
 */
export async function acquireLease(db: Db, { name, holder, durationMs }: LeaseRequest): Promise<boolean> {
  const nowExpression = createNowMsExpression(db)
  const updateResult = await db
    .updateTable('lease')
    .set((eb) => ({ holder, until: eb(nowExpression, '+', durationMs) }))
    .where('name', '=', name)
    .where((eb) =>
      eb.or([
        eb('holder', '=', holder),
        eb('until', '<', createNowMsExpression(db)),
        eb('until', '>', eb(createNowMsExpression(db), '+', durationMs + MAX_CLOCK_DIFFERENCE_MS)),
      ]),
    )
    .executeTakeFirst()
  if (updateResult.numUpdatedRows === 1n) return true
  const insertResult = await db
    .insertInto('lease')
    .values((eb) => ({ name, holder, until: eb(nowExpression, '+', durationMs) }))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst()
  return insertResult.numInsertedOrUpdatedRows === 1n
}

/** Releases a lease if `holder` still holds it. */
export async function releaseLease(db: Db, name: string, holder: string): Promise<void> {
  await db.deleteFrom('lease').where('name', '=', name).where('holder', '=', holder).execute()
}
