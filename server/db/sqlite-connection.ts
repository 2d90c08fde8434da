/**
 * Connections to SQLite files. This module does not import Kysely, so that the process that rebuilds the search index
 * starts fast.
 */
import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/**
 * Oldest accepted version. In older versions, two connections that write and checkpoint at the same time can corrupt a
 * WAL database.
 */
const MIN_SQLITE_VERSION = [3, 51, 3] as const

/** Most pragmas apply to the connection, not to the file, so every connection sets all of them. */
const PRAGMAS = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma foreign_keys = on;
  pragma trusted_schema = off;
  pragma cell_size_check = on;
  pragma temp_store = memory;
  pragma secure_delete = on;
`
/**
 * Longest time that a connection waits for the lock of another connection. The timeout is set when the file is opened,
 * because another process may open the same new file at the same time.
 */
const LOCK_TIMEOUT_MS = 5_000
/**
 * Page cache per connection in MB. At a million titles, lists and details take as much processor time as with 64 MB,
 * provided that the operating system has cached the file.
 */
const PAGE_CACHE_MB = 16

/** Opens a SQLite file and sets all pragmas. Throws when the SQLite version is too old to use WAL mode safely. */
export function openSqliteConnection(file: string, { readOnly = false } = {}): DatabaseSync {
  if (!readOnly && file !== ':memory:') restrictFileToOwner(file)
  const sqlite = new DatabaseSync(file, {
    readOnly,
    enableForeignKeyConstraints: true,
    timeout: LOCK_TIMEOUT_MS,
  })
  const { version } = sqlite.prepare('select sqlite_version() as version').get() as { version: string }
  if (compareVersions(version, MIN_SQLITE_VERSION) < 0) {
    sqlite.close()
    throw new Error(
      `SQLite ${version} is too old; version ${MIN_SQLITE_VERSION.join('.')} or newer is required`,
    )
  }
  sqlite.exec(`pragma cache_size = ${-1024 * PAGE_CACHE_MB}`)
  sqlite.exec(readOnly ? PRAGMAS.replace(/pragma journal_mode.*;/, 'pragma query_only = on;') : PRAGMAS)
  // server/queries/text-match.ts uses this function, because lower() of SQLite changes only ASCII letters.
  sqlite.function('lower_unicode', { deterministic: true }, (text) =>
    typeof text === 'string' ? text.toLowerCase() : text,
  )
  return sqlite
}

/**
 * Creates a missing file with mode 0600, and removes the permissions of other users from existing files. SQLite copies
 * the mode to new log files. An existing file is not opened here, because closing it would release the locks of other
 * connections in this process (https://www.sqlite.org/howtocorrupt.html, section 2.2).
 */
function restrictFileToOwner(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    const fileStats = statSync(path, { throwIfNoEntry: false })
    if (fileStats && (fileStats.mode & 0o077) !== 0) chmodSync(path, 0o600)
  }
}

function compareVersions(version: string, minimum: readonly number[]): number {
  const versionParts = version.split('.').map(Number)
  for (const [index, minimumPart] of minimum.entries()) {
    const difference = (versionParts[index] ?? 0) - minimumPart
    if (difference !== 0) return difference
  }
  return 0
}
