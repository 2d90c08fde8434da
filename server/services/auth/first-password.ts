/** The generated password of the first account, which `first-sign-in.txt` contains until the password is changed. */
import { deleteFirstSignInFile, readFirstSignInFile } from '../../providers/first-sign-in.ts'
import { selectAccountByEmail } from '../../queries/account.ts'
import type { Deps } from '../deps.ts'
import { verifyPassword } from './password-hash.ts'

/**
 * Stored password hash of the last successful check of the file's password. While the stored hash is the same, the slow
 * check is skipped.
 */
const validHashesByDeps = new WeakMap<Deps, string>()

/**
 * Deletes the file if its password is no longer valid. The password may have been changed on another machine, which
 * cannot delete the file of this machine. Returns whether the password of the file is valid.
 */
export async function checkFirstSignInFile(deps: Deps): Promise<boolean> {
  const { dataDir } = deps.config
  const firstSignIn = readFirstSignInFile(dataDir)
  if (!firstSignIn) return false
  const { email, password } = firstSignIn
  const account = await selectAccountByEmail(deps.database.primary, email)
  if (account?.password_hash) {
    const { account_id: accountId, password_hash: hash } = account
    if (validHashesByDeps.get(deps) === hash) return true
    if (await verifyPassword(deps, accountId, { password, hash })) {
      validHashesByDeps.set(deps, hash)
      return true
    }
  }
  deleteFirstSignInFile(dataDir, email)
  return false
}
