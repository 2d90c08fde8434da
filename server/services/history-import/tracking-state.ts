/** Reading and writing what imports touch, for some titles of one profile. */
import type { Db } from '../../db/open.ts'
import { lockProgress } from '../../queries/progress.ts'
import { ROW_KINDS, removeRow, rowsOf, writeRows } from '../../queries/tracking-rows.ts'
import { lockList } from '../../queries/watchlist.ts'
import { type Change, Ledger } from './ledger.ts'

const AT_ONCE = 100

/** With nobody else writing the profile's progress and list until the transaction ends. */
export async function openLedger(db: Db, profileId: string, titleIds: number[]): Promise<Ledger> {
  await lockProgress(db, profileId)
  await lockList(db, profileId)
  const ledger = new Ledger()
  for (const kind of ROW_KINDS) {
    for (const row of await rowsOf(db, kind, profileId, titleIds)) ledger.hold(kind, row)
  }
  return ledger
}

interface Writing {
  changes: readonly Change[]
  breathe: () => Promise<void> | undefined
}

export async function writeLedger(db: Db, profileId: string, { changes, breathe }: Writing): Promise<void> {
  for (const kind of ROW_KINDS) {
    const mine = changes.filter((one) => one.kind === kind)
    const rows = mine.flatMap((one) => (one.after ? [one.after] : []))
    for (let from = 0; from < rows.length; from += AT_ONCE) {
      await writeRows(db, kind, profileId, rows.slice(from, from + AT_ONCE))
      await breathe()
    }
    for (const { before, after } of mine) {
      if (before && !after) await removeRow(db, kind, profileId, before)
      await breathe()
    }
  }
}
