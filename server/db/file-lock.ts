/** A lock between the processes of one machine that share a data folder. */
import { closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isSqliteLocked } from '../core/database-unavailable.ts'

export interface FileLock {
  /**
   * Acquires the lock and returns a function that releases it. Returns null while another holder has the lock.
   * @throws Error after `close`.
   */
  tryAcquire(): (() => void) | null
  close(): void
}

/**
 * References to the connections that hold a lock. Without these references, the garbage collector could close a
 * connection to which nothing else refers, and the lock of that connection would be released.
 */
const lockedConnections = new Set<DatabaseSync>()

/**
 * Creates a lock on `file`, an empty SQLite file. The holder of the lock keeps a transaction of this file open, and
 * never writes the file. The operating system ends the transaction when the process ends, also after SIGKILL. With
 * `:memory:` the lock only excludes callers of the same object.
 */
export function createFileLock(file: string): FileLock {
  let connection: DatabaseSync | undefined
  let isClosed = false
  return {
    tryAcquire() {
      if (isClosed) throw new Error('The lock is closed.')
      connection ??= openLockFile(file)
      if (connection.isTransaction) return null
      try {
        connection.exec('begin immediate')
      } catch (error) {
        if (isSqliteLocked(error)) return null
        throw error
      }
      const lockedConnection = connection
      lockedConnections.add(lockedConnection)
      return () => {
        lockedConnections.delete(lockedConnection)
        if (lockedConnection.isOpen && lockedConnection.isTransaction) lockedConnection.exec('rollback')
      }
    },
    close() {
      if (connection) lockedConnections.delete(connection)
      if (connection?.isOpen) connection.close()
      isClosed = true
    },
  }
}

/** Opens the file of a lock. Creates a missing file with mode 0600. If that fails, SQLite reports the error. */
function openLockFile(file: string): DatabaseSync {
  if (file !== ':memory:' && !existsSync(file)) {
    try {
      closeSync(openSync(file, 'a', 0o600))
    } catch {}
  }
  const connection = new DatabaseSync(file)
  // With the journal in memory, transactions need no journal file, which could not be written when the disk is full.
  connection.exec('pragma journal_mode = memory')
  return connection
}
