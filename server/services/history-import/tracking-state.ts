/** Loads the tracking rows of some titles of a profile to a change set, and writes its changes. */
import type { Db } from '../../db/open.ts'
import { lockProgress } from '../../queries/progress.ts'
import { ROW_KINDS, removeRow, rowsOf, writeRows } from '../../queries/tracking-rows.ts'
import { lockList } from '../../queries/watchlist.ts'
import { type Change, Ledger } from './ledger.ts'

const ROWS_PER_STATEMENT = 100

/** Loads the rows and locks the profile's progress and watchlist until the end of the transaction. */
export async function openLedger(db: Db, profileId: string, titleIds: number[]): Promise<Ledger> {
  await lockProgress(db, profileId)
  await lockList(db, profileId)
  const changeSet = new Ledger()
  for (const kind of ROW_KINDS) {
    for (const row of await rowsOf(db, kind, profileId, titleIds)) changeSet.hold(kind, row)
  }
  return changeSet
}

interface WriteRequest {
  changes: readonly Change[]
  yieldToEventLoop: () => Promise<void> | undefined
}

/** Writes the changes with a few rows per statement. */
export async function writeLedger(
  db: Db,
  profileId: string,
  { changes, yieldToEventLoop }: WriteRequest,
): Promise<void> {
  for (const kind of ROW_KINDS) {
    const changesOfKind = changes.filter((change) => change.kind === kind)
    const rows = changesOfKind.flatMap(({ after }) => (after ? [after] : []))
    for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
      await writeRows(db, kind, profileId, rows.slice(from, from + ROWS_PER_STATEMENT))
      await yieldToEventLoop()
    }
    for (const { before, after } of changesOfKind) {
      if (before && !after) await removeRow(db, kind, profileId, before)
      await yieldToEventLoop()
    }
  }
}
