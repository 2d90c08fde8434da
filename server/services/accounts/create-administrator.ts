import { validatePassword } from '../../../src/lib/rules/password.ts'
import { lockUntilCommit } from '../../db/lock.ts'
import { insertAccount, selectAccountByEmail, updateAccount } from '../../queries/account.ts'
import { deleteEmailChanges } from '../../queries/email-change.ts'
import { deleteLoginsOfAccount } from '../../queries/login.ts'
import { deleteSecondFactor } from '../../queries/second-factor.ts'
import { deleteOtherAccess } from '../auth/other-access.ts'
import { endPendingLinks } from '../auth/pending-links.ts'
import type { Deps } from '../deps.ts'
import { recordAuditEvent, SERVICE_REQUEST } from '../operations/audit.ts'
import { buildAccount } from './accounts.ts'

interface NewAdministrator {
  email: string
  password: string
  /** True to change the role and the password of an existing account, and to unblock it. */
  replacesExisting: boolean
}

/**
 * Creates an administrator on behalf of the command line. With `replacesExisting`, an existing account is unblocked and
 * becomes an administrator with the new password. This replacement ends the logins of the account and all its links,
 * including the links that restore an old email address. It also removes the second factor, passkeys, API keys,
 * identities and calendar addresses.
 * @throws Error with a text for the operator, when the password breaks the rules, or when the account exists and
 * `replacesExisting` is false.
 */
export async function createAdministrator(
  deps: Deps,
  { email, password, replacesExisting }: NewAdministrator,
): Promise<'created' | 'replaced'> {
  if (validatePassword(password).length > 0)
    throw new Error('--password needs at least 8 characters, a number, a lowercase and an uppercase letter.')
  const account = await buildAccount(deps, { email, password, role: 'admin' })
  return deps.database.primary.transaction().execute(async (trx) => {
    await lockUntilCommit(trx, 'admins')
    const existingAccount = await selectAccountByEmail(trx, email)
    const accountId = existingAccount?.account_id ?? account.account_id
    if (existingAccount && !replacesExisting)
      throw new Error(
        `${email} has an account already; nothing was changed. With --replace-existing it becomes an administrator with this password and is signed out everywhere.`,
      )
    if (existingAccount) {
      const { password_hash } = account
      await updateAccount(trx, accountId, { role: 'admin', blocked: 0, password_hash })
      await deleteLoginsOfAccount(trx, accountId)
      await endPendingLinks(trx, accountId)
      await deleteSecondFactor(trx, accountId)
      await deleteOtherAccess(trx, accountId, { canSignInWithPassword: true })
      await deleteEmailChanges(trx, accountId, { includesConfirmed: true })
    } else await insertAccount(trx, account)
    const action = existingAccount ? 'admin_replace' : 'admin_create'
    const origin = { nowMs: deps.now(), request: SERVICE_REQUEST }
    await recordAuditEvent(trx, origin, { action, accountId, targetAccountId: accountId })
    return existingAccount ? 'replaced' : 'created'
  })
}
