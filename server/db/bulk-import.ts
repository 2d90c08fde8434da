import type { Database } from './database.ts'

/**
 * Number of pages in the write-ahead log after which SQLite starts a checkpoint: about 64 MB. An import batch changes
 * index pages all over the file. With fewer checkpoints, each page is written less often.
 */
const CHECKPOINT_PAGES = 16_000

/**
 * Configures the connection of a process that only imports: commits do not wait for the disk. A power failure can lose
 * the last batches, but it cannot damage the file. The next run imports these batches again. Does nothing on
 * PostgreSQL.
 */
export function configureBulkImport({ sqlite }: Database): void {
  sqlite?.exec(`pragma synchronous = normal; pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
}
