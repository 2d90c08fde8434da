/**
 * Detects that the file of a SQLite database was deleted, moved or replaced while the database is open. In WAL mode,
 * SQLite itself does not detect this. It continues to write to a file that no path names any more, and the next start
 * loses everything that was written.
 */
import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

/** SQLITE_READONLY_DBMOVED, which SQLite returns in other journal modes. Its lowest byte is SQLITE_READONLY. */
const READONLY_DATABASE_MOVED = 1032

/**
 * Returns a function that throws SQLITE_READONLY_DBMOVED when the path of the database, or of its write-ahead log, no
 * longer leads to the file that this connection writes. Call it before each write.
 */
export function createMoveCheck(sqlite: DatabaseSync): () => void {
  const file = sqlite.location()
  if (!file) return () => {}
  const inodesByPath = new Map<string, bigint>()
  const assertUnmoved = () => {
    for (const path of [file, `${file}-wal`]) {
      const inode = statSync(path, { bigint: true, throwIfNoEntry: false })?.ino
      const recordedInode = inodesByPath.get(path)
      if (recordedInode !== undefined && inode !== recordedInode) throw createMovedError(path)
      // The write-ahead log may be missing until the first write creates it.
      if (inode !== undefined) inodesByPath.set(path, inode)
    }
  }
  assertUnmoved()
  return assertUnmoved
}

const createMovedError = (path: string) =>
  Object.assign(new Error(`${path} was deleted, moved or replaced while the server uses it`), {
    code: 'ERR_SQLITE_ERROR',
    errcode: READONLY_DATABASE_MOVED,
  })

/** True for the error of `createMoveCheck`. */
export const isDatabaseMoved = (error: unknown): boolean =>
  (error as { errcode?: unknown } | null)?.errcode === READONLY_DATABASE_MOVED
