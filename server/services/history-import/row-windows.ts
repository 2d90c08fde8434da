/**
 * Divides the rows of an import into windows (ranges of row numbers), for statements that must look at the data of
 * every row.
 */
import type { Db } from '../../db/database.ts'
import { type RowWindow, selectLastRowNumber } from '../../queries/history-import-row.ts'
import { createEventLoopYield } from './yield-to-event-loop.ts'

/**
 * Number of rows that one statement covers. The number is small, because a statement blocks the process with SQLite.
 */
const ROWS_PER_WINDOW = 1_000

/** Yields windows that cover all rows of an import in the order of their numbers. */
export async function* listRowWindows(db: Db, importId: string): AsyncGenerator<RowWindow> {
  const lastRowNumber = await selectLastRowNumber(db, importId)
  const yieldToEventLoop = createEventLoopYield()
  for (let afterRowNumber = -1; afterRowNumber < lastRowNumber; afterRowNumber += ROWS_PER_WINDOW) {
    yield { afterRowNumber, lastRowNumber: afterRowNumber + ROWS_PER_WINDOW }
    await yieldToEventLoop()
  }
}
