/** Number of rows processed before other tasks run. Processing a chunk takes a few milliseconds. */
const CHUNK_ROWS = 50_000

/** Calls `work` for chunks of `count` rows (`to` is exclusive) and awaits `pause` after each. */
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
