/**
 * Reads the folder of backups, which may be a network folder. During an outage, system calls for a network folder do
 * not return, and each call occupies a thread of Node.js. The whole process shares few threads, so few of them may wait
 * for the folder.
 */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Backup } from '../../../src/lib/contract/admin-backups.ts'

const BACKUP_FILE_PATTERN = /^marquee-(\d{8}T\d{9}Z)-(manual|schedule|migration)\.(db|dump)$/
const FOLDER_TIMEOUT_MS = 5_000
/**
 * Folders with a call of `withFolderTimeout` that has exceeded FOLDER_TIMEOUT_MS and whose `readFolder` has not
 * returned yet.
 */
const unresponsiveFolders = new Set<string>()

/** Returns the backups in any order; none when the folder does not exist. */
export async function readBackupFolder(folderPath: string): Promise<Backup[]> {
  const backups: Backup[] = []
  // Read one file after the other. Otherwise, calls that do not return would occupy all threads.
  for (const fileName of await returnFallbackIfMissing(readdir(folderPath), [])) {
    const [, timestampText = '', reason] = BACKUP_FILE_PATTERN.exec(fileName) ?? []
    if (!reason) continue
    const filePath = join(folderPath, fileName)
    // The file may have been deleted meanwhile.
    const stats = await returnFallbackIfMissing(stat(filePath), null)
    if (!stats) continue
    backups.push({
      id: fileName.replace(/\.\w+$/, ''),
      file: fileName,
      created_at: parseFileTimestamp(timestampText),
      bytes: stats.size,
      reason: reason as Backup['reason'],
      counts: await readBackupCounts(filePath),
    })
  }
  return backups
}

/**
 * Returns the result of `readFolder`. Throws when `readFolder` takes longer than FOLDER_TIMEOUT_MS. Until `readFolder`
 * has returned, further calls of this function for the same folder throw immediately, so that they occupy no thread.
 */
export async function withFolderTimeout<T>(folderPath: string, readFolder: () => Promise<T>): Promise<T> {
  const createTimeoutError = () => new Error(`The folder ${folderPath} does not respond.`)
  if (unresponsiveFolders.has(folderPath)) throw createTimeoutError()
  const resultPromise = readFolder()
  let timer: NodeJS.Timeout | undefined
  const timeoutPromise = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      unresponsiveFolders.add(folderPath)
      const markFolderResponsive = () => unresponsiveFolders.delete(folderPath)
      resultPromise.then(markFolderResponsive, markFolderResponsive)
      reject(createTimeoutError())
    }, FOLDER_TIMEOUT_MS)
  })
  return Promise.race([resultPromise, timeoutPromise]).finally(() => clearTimeout(timer))
}

async function returnFallbackIfMissing<T, U>(resultPromise: Promise<T>, fallback: U): Promise<T | U> {
  return resultPromise.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return fallback
    throw error
  })
}

function parseFileTimestamp(timestampText: string): string {
  return timestampText.replace(/^(....)(..)(..)T(..)(..)(..)(...)Z$/, '$1-$2-$3T$4:$5:$6.$7Z')
}

async function readBackupCounts(filePath: string): Promise<Backup['counts']> {
  try {
    return JSON.parse(await readFile(`${filePath}.json`, 'utf8')) as Backup['counts']
  } catch {
    return null
  }
}
