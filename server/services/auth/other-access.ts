/** Ways to access an account, or a part of it, without its password (decision record 56). */
import type { OtherAccessCounts } from '../../../src/lib/contract/password-reset.ts'
import type { DbTransaction } from '../../db/database.ts'
import { deleteApiKeys } from '../../queries/api-key.ts'
import { countCalendarFeeds, deleteCalendarFeeds } from '../../queries/calendar-feed.ts'
import { deleteIdentities, selectIdentities } from '../../queries/identity.ts'
import { deletePasskeys, selectPasskeys } from '../../queries/passkey.ts'
import type { Deps } from '../deps.ts'

/**
 * Counts what `deleteOtherAccess` would delete, without API keys. While the account may not sign in with a password,
 * passkeys and identities do not count, because they are the only ways to sign in.
 */
export async function countOtherAccess(
  { database: { primary } }: Deps,
  accountId: string,
  { canSignInWithPassword }: { canSignInWithPassword: boolean },
): Promise<OtherAccessCounts> {
  return {
    passkeys: canSignInWithPassword ? (await selectPasskeys(primary, accountId)).length : 0,
    identities: canSignInWithPassword ? (await selectIdentities(primary, accountId)).length : 0,
    calendar_addresses: await countCalendarFeeds(primary, accountId),
  }
}

/**
 * Deletes the API keys and calendar addresses of an account and, if it may sign in with a password, its passkeys and
 * identities. Call it after the logins of the account were deleted in the same transaction, so that no request of a
 * deleted login can add any of them afterwards.
 */
export async function deleteOtherAccess(
  trx: DbTransaction,
  accountId: string,
  { canSignInWithPassword }: { canSignInWithPassword: boolean },
): Promise<void> {
  await deleteApiKeys(trx, accountId)
  await deleteCalendarFeeds(trx, accountId)
  if (!canSignInWithPassword) return
  await deletePasskeys(trx, accountId)
  await deleteIdentities(trx, accountId)
}
