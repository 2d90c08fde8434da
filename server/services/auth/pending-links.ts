import type { DbTransaction } from '../../db/database.ts'
import { deleteEmailChanges } from '../../queries/email-change.ts'
import { lockLogins } from '../../queries/login.ts'
import { deletePasswordResets } from '../../queries/password-reset.ts'
import { deleteSignInSteps } from '../../queries/second-factor.ts'

/**
 * Deletes the password reset links, the sign-in steps and the unconfirmed email address changes of an account
 * (security.md, decision 13). Otherwise, somebody who knew the old password or can read the mailbox could still use
 * them. Links that restore the old email address stay, because the owner may need them to get the account back.
 */
export async function endPendingLinks(trx: DbTransaction, accountId: string): Promise<void> {
  await lockLogins(trx, accountId)
  await deletePasswordResets(trx, accountId)
  await deleteSignInSteps(trx, accountId)
  await deleteEmailChanges(trx, accountId)
}
