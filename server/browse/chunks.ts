/** Number of rows that are processed before other tasks can run. Processing a chunk takes a few milliseconds. */
const CHUNK_ROWS = 50_000

/** Calls `processRows` for each chunk of the `count` rows (`to` is exclusive), and awaits `pause` after each call. */
export async function processInChunks(
  count: number,
  pause: () => Promise<void>,
  processRows: (from: number, to: number) => void,
): Promise<void> {
  for (let from = 0; from < count; from += CHUNK_ROWS) {
    processRows(from, Math.min(count, from + CHUNK_ROWS))
    await pause()
  }
}
