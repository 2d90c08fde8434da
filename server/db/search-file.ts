/**
 * The file of the search index of this machine, and its locks. The process that rebuilds the index uses only this file,
 * so this module does not import Kysely.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { isDatabaseDamaged, isDatabaseUnreadable } from '../core/database-unavailable.ts'
import { createFileLock, type FileLock } from './file-lock.ts'
import { openSqliteConnection } from './sqlite-connection.ts'

/**
 * Name of the search index file in the data folder. The number is the version of the index format. Files of older
 * formats are deleted.
 */
export const SEARCH_FILE_NAME = 'search-5.db'
/** Files of `searchLock` and `searchRebuildLock`. */
const SEARCH_LOCK_NAME = 'search.lock'
const SEARCH_REBUILD_LOCK_NAME = 'search-rebuild.lock'
const OLDER_SEARCH_FILES = ['search-1.db', 'search-2.db', 'search-3.db', 'search-4.db']

export interface SearchFields {
  /**
   * Database of the search index of this machine. It is a SQLite file in the data folder even when the catalogue is in
   * PostgreSQL, because each machine can rebuild the index from the catalogue.
   */
  searchDatabase: DatabaseSync
  /** The process of this machine that updates the search index, or that has started a rebuild, holds this lock. */
  searchLock: FileLock
  /**
   * The process that rebuilds the search index holds this lock until the process ends. This process can outlive its
   * parent process, which holds `searchLock`.
   */
  searchRebuildLock: FileLock
}

interface SearchHandle {
  fields: SearchFields
  close: () => void
}

/** Opens the search index in a folder, or in memory for tests. Deletes the files of older formats. */
export function openSearch(folder: string, isBackground: boolean): SearchHandle {
  const isInMemory = folder === ':memory:'
  if (!isInMemory) for (const oldFile of OLDER_SEARCH_FILES) deleteSqliteFiles(join(folder, oldFile))
  const searchDatabase = isInMemory
    ? openSqliteConnection(folder)
    : openSearchFile(join(folder, SEARCH_FILE_NAME), isBackground)
  const createLock = (fileName: string) => createFileLock(isInMemory ? folder : join(folder, fileName))
  const [searchLock, searchRebuildLock] = [createLock(SEARCH_LOCK_NAME), createLock(SEARCH_REBUILD_LOCK_NAME)]
  const close = () => {
    if (searchDatabase.isOpen) searchDatabase.close()
    searchLock.close()
    searchRebuildLock.close()
  }
  return { fields: { searchDatabase, searchLock, searchRebuildLock }, close }
}

/**
 * Opens the file of the search index. A file that is damaged, or that this process has no permission to read, is
 * deleted, because the index can be rebuilt. If the file cannot be replaced, throws an error whose message names the
 * file.
 */
function openSearchFile(file: string, isBackground: boolean): DatabaseSync {
  try {
    return openSearchConnection(file, isBackground)
  } catch (error) {
    if (!isDatabaseDamaged(error) && !isDatabaseUnreadable(error)) throw error
  }
  try {
    deleteSqliteFiles(file)
    return openSearchConnection(file, isBackground)
  } catch (cause) {
    throw new Error(`The search index ${file} cannot be opened. Delete it, so that it is built again.`, {
      cause,
    })
  }
}

/**
 * Page cache of a connection to the search index in MB. With 16 MB, a search takes about as much processor time as with
 * 64 MB, provided that the operating system has cached the file. A rebuild writes its tables in order, so a small cache
 * is enough.
 */
const SEARCH_CACHE_MB = { requests: 16, background: 32 }

function openSearchConnection(file: string, isBackground: boolean): DatabaseSync {
  const searchConnection = openSqliteConnection(file)
  const cacheMb = isBackground ? SEARCH_CACHE_MB.background : SEARCH_CACHE_MB.requests
  searchConnection.exec(`pragma cache_size = ${-1024 * cacheMb}`)
  // Waiting for a lock of another thread or process blocks the event loop, so the timeout is short. If a write fails,
  // its changes are written again later.
  if (!isBackground) searchConnection.exec('pragma busy_timeout = 50')
  // A power failure may undo the last commits. In WAL mode, a commit is undone only together with all later commits.
  // The position of the index is in the same file and is committed after the documents, so the lost changes are applied
  // again.
  searchConnection.exec('pragma synchronous = normal')
  // The index contains no personal data, so deleted content need not be overwritten.
  searchConnection.exec('pragma secure_delete = off')
  return searchConnection
}

function deleteSqliteFiles(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
}
