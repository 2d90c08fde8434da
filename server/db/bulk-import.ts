import type { Database } from './database.ts'

/** About 64 MB. A batch changes index pages all over the file, so fewer checkpoints write each page less often. */
const CHECKPOINT_PAGES = 16_000

/**
 * Configures the connection of a process that only imports: commits no longer wait for the disk. A power failure may lose the last batches,
 * which the next run imports again, but it cannot damage the file. Does nothing on PostgreSQL.
 */
export function configureBulkImport({ sqlite }: Database): void {
  sqlite?.exec(`pragma synchronous = normal; pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
}
