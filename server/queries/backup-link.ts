import type { Db } from '../db/database.ts'
import type { AccountRow } from './login.ts'

interface BackupLink {
  token_hash: string
  backup_id: string
  sid: string
  expires_at: number
}

export async function insertBackupLink(db: Db, link: BackupLink): Promise<void> {
  await db.insertInto('backup_link').values(link).execute()
}

/**
 * Consumes a download link and returns its account and login. Returns undefined when the link was already used, has
 * expired or belongs to another backup, or when the login has ended.
 */
export async function consumeBackupLink(
  db: Db,
  { tokenHash, backupId, nowMs }: { tokenHash: string; backupId: string; nowMs: number },
): Promise<{ account: Pick<AccountRow, 'account_id' | 'role' | 'blocked'>; sid: string } | undefined> {
  const link = await db
    .deleteFrom('backup_link')
    .where('token_hash', '=', tokenHash)
    .returningAll()
    .executeTakeFirst()
  if (!link || link.backup_id !== backupId || link.expires_at < nowMs) return undefined
  const account = await db
    .selectFrom('login')
    .innerJoin('account', 'account.account_id', 'login.account_id')
    .select(['account.account_id', 'account.role', 'account.blocked'])
    .where('login.sid', '=', link.sid)
    .where('login.expires_at', '>', nowMs)
    .executeTakeFirst()
  return account && { account, sid: link.sid }
}
