/** The generated password of the first account, which `first-sign-in.txt` contains until the password is changed. */
import { deleteFirstSignInFile, readFirstSignInFile } from '../../providers/first-sign-in.ts'
import { selectAccountByEmail } from '../../queries/account.ts'
import { hasAuditEvent } from '../../queries/audit.ts'
import type { Deps } from '../deps.ts'
import { verifyPassword } from './password-hash.ts'

/**
 * Password hash of the first account at the time when the password in the file was last found valid. While the account
 * has this hash, the slow check of the password is skipped.
 */
const validPasswordHashByDeps = new WeakMap<Deps, string>()

/**
 * True while `first-sign-in.txt` exists and nobody has signed in yet. The sign-in page then says where the password is.
 * Strangers thereby learn only that the installation is new.
 */
export async function isFirstSignInPending({ config, database }: Deps): Promise<boolean> {
  if (!readFirstSignInFile(config.dataDir)) return false
  return !(await hasAuditEvent(database.primary, { action: 'login', outcome: 'ok' }))
}

/**
 * Deletes `first-sign-in.txt` if its password is no longer valid. The password may have been changed on another
 * machine, which cannot delete the file of this machine. Returns whether the password of the file is valid.
 */
export async function checkFirstSignInFile(deps: Deps): Promise<boolean> {
  const { dataDir } = deps.config
  const firstSignIn = readFirstSignInFile(dataDir)
  if (!firstSignIn) return false
  const { email, password } = firstSignIn
  const account = await selectAccountByEmail(deps.database.primary, email)
  if (account?.password_hash) {
    const { account_id: accountId, password_hash: hash } = account
    if (validPasswordHashByDeps.get(deps) === hash) return true
    if (await verifyPassword(deps, accountId, { password, hash })) {
      validPasswordHashByDeps.set(deps, hash)
      return true
    }
  }
  deleteFirstSignInFile(dataDir, email)
  return false
}
