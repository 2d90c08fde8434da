/** The generated password of the first account, which `first-sign-in.txt` contains until it is changed. */
import { deleteFirstSignInFile, readFirstSignInFile } from '../../providers/first-sign-in.ts'
import { selectAccountByEmail } from '../../queries/account.ts'
import type { Deps } from '../deps.ts'
import { verifyPassword } from './password-hash.ts'

/** The hash for which the password of the file was found valid. It avoids slow checks of an unchanged password. */
const validHashesByDeps = new WeakMap<Deps, string>()

/**
 * Deletes the file if its password is no longer valid: with several machines, the password may have been changed on
 * another one, which cannot delete the file of this machine. Returns whether the password of the file is valid.
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
