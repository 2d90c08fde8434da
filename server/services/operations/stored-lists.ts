/**
 * Versions of the lists that are one row of the table `setting`: identity providers, resolvers and media servers. An
 * administrator replaces such a list as a whole. A replacement of an outdated version is refused, because it would undo
 * the changes since then.
 */
import { Problem } from '../../core/problem.ts'
import type { DbTransaction } from '../../db/database.ts'
import { lockUntilCommit } from '../../db/lock.ts'
import { selectSetting } from '../../queries/setting.ts'
import { sha256 } from '../auth/secret.ts'

/** Returns the version of a stored list. Every save changes it, because the stored text contains a new nonce. */
export const getListVersion = (storedText: string | undefined): string => sha256(storedText ?? '')

/**
 * Returns the stored text of a list, inside the transaction that replaces it. Until the transaction ends, other
 * changes of the list wait. Throws 409 when `version` is given and the list has another version.
 */
export async function selectListForChange(
  trx: DbTransaction,
  key: string,
  version: string | undefined,
): Promise<string | undefined> {
  await lockUntilCommit(trx, `setting:${key}`)
  const storedText = (await selectSetting(trx, key))?.value
  if (version !== undefined && version !== getListVersion(storedText))
    throw new Problem('conflict', { errors: { list: ['changed'] } })
  return storedText
}
