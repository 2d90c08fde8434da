import type { Database } from './open.ts'

/** Some 64 MB: indexes of a batch lie all over the file, and every checkpoint writes them out. */
const CHECKPOINT_PAGES = 16_000

/**
 * For a process that only imports: commits do not wait for the disk one by one. A power cut may undo the last batches,
 * which the next run writes again; it cannot damage the file. Nothing to do on PostgreSQL.
 */
export function prepareForBulk({ sqlite }: Database): void {
  sqlite?.exec(`pragma synchronous = normal; pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
}
