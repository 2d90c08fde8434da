import type { RequestInfo } from '../../core/request-info.ts'
import { deleteFirstSignInFile } from '../../providers/first-sign-in.ts'
import { updateAccount } from '../../queries/account.ts'
import { deleteLoginsOfAccount } from '../../queries/login.ts'
import type { Deps } from '../deps.ts'
import { recordAuditEvent } from '../operations/audit.ts'
import type { Caller } from './caller.ts'
import { hashPassword } from './password-hash.ts'
import { endPendingLinks } from './pending-links.ts'

interface PasswordChange {
  new_password: string
  sign_out_others?: boolean | undefined
}

/**
 * Changes the password of the caller. mount.ts has checked the current password. Ends the pending links
 * of the account, and its other logins unless `sign_out_others` is false.
 */
export async function changePassword(
  deps: Deps,
  request: RequestInfo,
  caller: Caller,
  change: PasswordChange,
) {
  const { account_id } = caller.account
  const passwordHash = await hashPassword(deps, account_id, change.new_password)
  await deps.database.primary.transaction().execute(async (trx) => {
    await updateAccount(trx, account_id, { password_hash: passwordHash })
    await endPendingLinks(trx, account_id)
    if (change.sign_out_others !== false) await deleteLoginsOfAccount(trx, account_id, caller.login.sid)
    await recordAuditEvent(
      trx,
      { nowMs: deps.now(), request },
      {
        action: 'password_change',
        accountId: account_id,
        sid: caller.login.sid,
        deviceName: caller.login.device_name,
      },
    )
  })
  deleteFirstSignInFile(deps.config.dataDir, caller.account.email)
}
