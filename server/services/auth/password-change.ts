import { deleteFirstSignInFile } from '../../providers/first-sign-in.ts'
import { selectAccountById, updateAccount } from '../../queries/account.ts'
import { deleteLoginsOfAccount } from '../../queries/login.ts'
import type { RequestContext } from '../context.ts'
import { recordCallerAction } from '../operations/audit.ts'
import { createWrongPasswordProblem } from './password-check.ts'
import { hashPassword } from './password-hash.ts'
import { endPendingLinks } from './pending-links.ts'

interface PasswordChange {
  new_password: string
  sign_out_others?: boolean | undefined
}

/**
 * Changes the password of the caller. mount.ts has checked the current password. Ends the pending links of the account,
 * and its other logins unless `sign_out_others` is false. Throws 403 if another request has changed the password since
 * that check.
 */
export async function changePassword(context: RequestContext, change: PasswordChange): Promise<void> {
  const { deps, caller } = context
  const { account_id } = caller.account
  const passwordHash = await hashPassword(deps, account_id, change.new_password)
  await deps.database.primary.transaction().execute(async (trx) => {
    await endPendingLinks(trx, account_id)
    // Another request may have changed the password while this request computed the hash.
    const account = await selectAccountById(trx, account_id)
    if (account?.password_hash !== caller.account.password_hash) throw createWrongPasswordProblem()
    await updateAccount(trx, account_id, { password_hash: passwordHash })
    if (change.sign_out_others !== false) await deleteLoginsOfAccount(trx, account_id, caller.login.sid)
    await recordCallerAction(trx, context, { action: 'password_change' })
  })
  deleteFirstSignInFile(deps.config.dataDir, caller.account.email)
}
