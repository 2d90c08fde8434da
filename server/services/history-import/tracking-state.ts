/** Reading and writing what imports touch, for some titles of one profile. */
import { lockUntilCommit } from '../../db/lock.ts'
import type { Db } from '../../db/open.ts'
import { ROW_KINDS, removeRow, rowsOf, writeRows } from '../../queries/tracking-rows.ts'
import { type Change, Ledger } from './ledger.ts'

/** With nobody else writing these titles until the transaction ends. `titleIds` ascending, so that locks never cross. */
export async function openLedger(db: Db, profileId: string, titleIds: number[]): Promise<Ledger> {
  for (const id of titleIds) await lockUntilCommit(db, `progress:${profileId}:${id}`)
  const ledger = new Ledger()
  for (const kind of ROW_KINDS) {
    for (const row of await rowsOf(db, kind, profileId, titleIds)) ledger.hold(kind, row)
  }
  return ledger
}

export async function writeLedger(db: Db, profileId: string, changes: readonly Change[]): Promise<void> {
  for (const kind of ROW_KINDS) {
    const mine = changes.filter((one) => one.kind === kind)
    const rows = mine.flatMap((one) => (one.after ? [one.after] : []))
    await writeRows(db, kind, profileId, rows)
    for (const { before, after } of mine) if (before && !after) await removeRow(db, kind, profileId, before)
  }
}
