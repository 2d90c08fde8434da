import type { DbTransaction } from '../../db/database.ts'
import { deleteEmailChanges } from '../../queries/email-change.ts'
import { deletePasswordResets } from '../../queries/password-reset.ts'
import { deleteSignInSteps } from '../../queries/second-factor.ts'

/**
 * Ends what somebody who knew the old password, or who can read the mailbox, could still complete: password reset
 * links, unfinished sign-ins and unconfirmed changes of the email address (security.md, decision 13). Links that
 * restore the old email address stay, because they are the owner's way back.
 */
export async function endPendingLinks(trx: DbTransaction, accountId: string): Promise<void> {
  await deletePasswordResets(trx, accountId)
  await deleteSignInSteps(trx, accountId)
  await deleteEmailChanges(trx, accountId)
}
