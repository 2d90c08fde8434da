/** Erases deleted accounts: their rows, their files, and their data in a restored older backup. */
import { appendFile, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { toIsoTime } from '../../core/dates.ts'
import { toErrorFields } from '../../core/log.ts'
import { BACKUP_FOLDER } from '../../db/backup.ts'
import type { Db } from '../../db/database.ts'
import { truncateWriteAheadLog } from '../../db/write-ahead-log.ts'
import { deleteFirstSignInFile } from '../../providers/first-sign-in.ts'
import {
  type DeletedAccount,
  type ErasedAccount,
  eraseAccount,
  insertDeletedAccounts,
  selectAllAccountIds,
  selectDeletedAccounts,
} from '../../queries/account-erasure.ts'
import { ATTEMPT_LIMITS } from '../auth/attempt-limit.ts'
import { sha256 } from '../auth/secret.ts'
import type { Deps } from '../deps.ts'
import { getUploadPath } from '../history-import/save-upload.ts'
import { withFolderTimeout } from '../operations/backup-folder.ts'

/**
 * Name of a file in the folder of the backups. The file lists the deleted accounts: each line has the SHA-256 of the
 * account id and the time of the deletion. The file is not part of the database, so that the list survives the restore
 * of an older database.
 */
export const DELETED_ACCOUNTS_FILE_NAME = 'deleted-accounts.txt'

type ErasureDeps = Pick<Deps, 'config' | 'database' | 'log' | 'now'>

/**
 * Deletes the rows of an account. Returns the data that `finishErasure` needs, or undefined if the account does not
 * exist. Call `finishErasure` after the commit.
 */
export function eraseAccountRows(
  trx: Db,
  { now }: Pick<Deps, 'now'>,
  accountId: string,
): Promise<ErasedAccount | undefined> {
  const attemptLimitNames = Object.keys(ATTEMPT_LIMITS)
  return eraseAccount(trx, accountId, { hash: sha256, nowMs: now(), attemptLimitNames })
}

/**
 * Deletes the files of an erased account, adds the account to the file of deleted accounts, and empties the
 * write-ahead log, which may still contain the deleted rows. A failure is logged and not thrown.
 */
export async function finishErasure(deps: ErasureDeps, { email, importIds }: ErasedAccount): Promise<void> {
  const { config, database, log } = deps
  try {
    deleteFirstSignInFile(config.dataDir, email)
    for (const importId of importIds) await rm(getUploadPath(deps, importId), { force: true })
    await synchroniseDeletedAccounts(deps)
    await truncateWriteAheadLog(database)
  } catch (error) {
    log.error('traces of a deleted account remain until the next maintenance', toErrorFields(error))
  }
}

/**
 * Makes the table of deleted accounts and the file `DELETED_ACCOUNTS_FILE_NAME` equal: accounts that are missing in one
 * of them are added from the other. Returns all deleted accounts. Throws when the folder of backups does not respond.
 */
export async function synchroniseDeletedAccounts({
  config,
  database,
}: Pick<Deps, 'config' | 'database'>): Promise<DeletedAccount[]> {
  const folderPath = join(config.dataDir, BACKUP_FOLDER)
  const filePath = join(folderPath, DELETED_ACCOUNTS_FILE_NAME)
  const listedAccounts = await withFolderTimeout(folderPath, () => readDeletedAccounts(filePath))
  const deletedAccounts = await selectDeletedAccounts(database.primary)
  const listedHashes = new Set(listedAccounts.map((row) => row.account_hash))
  const storedHashes = new Set(deletedAccounts.map((row) => row.account_hash))
  const unlistedAccounts = deletedAccounts.filter((row) => !listedHashes.has(row.account_hash))
  if (unlistedAccounts.length > 0) {
    const lines = unlistedAccounts.map((row) => `${row.account_hash} ${toIsoTime(row.deleted_at)}\n`)
    await withFolderTimeout(folderPath, async () => {
      await mkdir(folderPath, { recursive: true, mode: 0o700 })
      await appendFile(filePath, lines.join(''), { mode: 0o600, flush: true })
    })
  }
  const unstoredAccounts = listedAccounts.filter((row) => !storedHashes.has(row.account_hash))
  await insertDeletedAccounts(database.primary, unstoredAccounts)
  return [...deletedAccounts, ...unstoredAccounts]
}

async function readDeletedAccounts(filePath: string): Promise<DeletedAccount[]> {
  const fileText = await readFile(filePath, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return fileText.split('\n').flatMap((line) => {
    const [account_hash = '', deletedAtText = ''] = line.trim().split(' ')
    const deleted_at = Date.parse(deletedAtText)
    return account_hash && Number.isFinite(deleted_at) ? [{ account_hash, deleted_at }] : []
  })
}

/** Erases deleted accounts that a restored older backup contains. Returns the number of erased accounts. */
export async function eraseRestoredAccounts(deps: ErasureDeps): Promise<number> {
  const deletedAccounts = await synchroniseDeletedAccounts(deps)
  if (deletedAccounts.length === 0) return 0
  const deletedHashes = new Set(deletedAccounts.map((row) => row.account_hash))
  const { primary } = deps.database
  const restoredAccountIds = (await selectAllAccountIds(primary)).filter((accountId) =>
    deletedHashes.has(sha256(accountId)),
  )
  for (const accountId of restoredAccountIds) {
    const erasedAccount = await primary.transaction().execute((trx) => eraseAccountRows(trx, deps, accountId))
    if (erasedAccount) await finishErasure(deps, erasedAccount)
  }
  if (restoredAccountIds.length > 0)
    deps.log.warn('erased deleted accounts of a restored backup', { accounts: restoredAccountIds.length })
  return restoredAccountIds.length
}
