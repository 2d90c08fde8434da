/** Number of rows that are processed before other tasks can run. Processing a chunk takes a few milliseconds. */
const CHUNK_ROWS = 50_000

/**
 * Calls `processRows` for each chunk of the `rowCount` rows (`endRow` is exclusive), and awaits `pause` after each
 * call.
 */
export async function processInChunks(
  rowCount: number,
  pause: () => Promise<void>,
  processRows: (startRow: number, endRow: number) => void,
): Promise<void> {
  for (let startRow = 0; startRow < rowCount; startRow += CHUNK_ROWS) {
    processRows(startRow, Math.min(rowCount, startRow + CHUNK_ROWS))
    await pause()
  }
}
