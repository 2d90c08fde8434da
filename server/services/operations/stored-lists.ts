/**
 * Lists that are each stored in one encrypted row of the table `setting`: identity providers, stream resolvers and
 * media servers. An administrator replaces each list as a whole. A replacement of an outdated version is rejected,
 * because it would undo the changes since then.
 */
import * as z from 'zod/mini'
import { Problem } from '../../core/problem.ts'
import type { DbTransaction } from '../../db/database.ts'
import { lockUntilCommit } from '../../db/lock.ts'
import type { InstallationKeys } from '../../providers/keys.ts'
import { parseStoredValue, selectSetting } from '../../queries/setting.ts'
import { openSealedText } from '../auth/sealed-text.ts'
import { sha256 } from '../auth/secret.ts'

/**
 * Returns the list of a row. Returns an empty list when there is no row, when the keys of the installation were
 * replaced, or when the row is not valid.
 */
export function parseStoredList<Item>(
  keys: InstallationKeys,
  storedText: string | undefined,
  listSchema: z.ZodMiniType<Item[]>,
): Item[] {
  const sealedText = parseStoredValue(storedText)
  const listJson = typeof sealedText === 'string' ? openSealedText(keys, sealedText) : null
  const parsedList = listJson === null ? null : z.safeParse(listSchema, parseStoredValue(listJson))
  return parsedList?.success ? parsedList.data : []
}

/**
 * Returns the version of a stored list. Every save changes the version, because the stored text contains a new nonce.
 */
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
