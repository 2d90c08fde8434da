/** API keys of accounts. Keys are stored as hashes. */
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { lockUntilCommit } from '../db/lock.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { selectAccountById } from './account.ts'
import type { AccountRow } from './login.ts'
import { type LoadedProfile, selectProfiles } from './profile.ts'

export type ApiKeyRow = Selectable<DatabaseSchema['api_key']>

export async function selectApiKeys(db: Db, accountId: string): Promise<ApiKeyRow[]> {
  return db
    .selectFrom('api_key')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('key_id')
    .execute()
}

/** Returns false when the account already has `maxKeyCount` keys. Call it inside a transaction. */
export async function insertApiKey(
  db: Db,
  row: Insertable<DatabaseSchema['api_key']>,
  maxKeyCount: number,
): Promise<boolean> {
  await lockUntilCommit(db, `api-keys:${row.account_id}`)
  if ((await selectApiKeys(db, row.account_id)).length >= maxKeyCount) return false
  await db.insertInto('api_key').values(row).execute()
  return true
}

export async function deleteApiKey(db: Db, accountId: string, keyId: string): Promise<boolean> {
  const deleteResult = await db
    .deleteFrom('api_key')
    .where('key_id', '=', keyId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return deleteResult.numDeletedRows === 1n
}

export async function deleteApiKeys(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('api_key').where('account_id', '=', accountId).execute()
}

export async function updateApiKeyUse(db: Db, keyId: string, nowMs: number): Promise<void> {
  await db.updateTable('api_key').set({ last_used_at: nowMs }).where('key_id', '=', keyId).execute()
}

export interface ApiKeyOwner {
  key: ApiKeyRow
  account: AccountRow
  /** Profiles of the account, the main profile first. */
  profiles: LoadedProfile[]
  catalogueVersion: string
}

/** Returns a key that has not expired, with its account and the profiles of the account. */
export async function selectApiKeyOwner(
  db: Db,
  tokenHash: string,
  nowMs: number,
): Promise<ApiKeyOwner | undefined> {
  const apiKeyRow = await db
    .selectFrom('api_key')
    .selectAll()
    .select(sql<string>`(select version || '.' || changed_at from catalogue_version)`.as('catalogue'))
    .where('token_hash', '=', tokenHash)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', nowMs)]))
    .executeTakeFirst()
  if (!apiKeyRow) return undefined
  const { catalogue, ...row } = apiKeyRow
  const account = await selectAccountById(db, row.account_id)
  if (!account) return undefined
  const profiles = await selectProfiles(db, row.account_id)
  return { key: row, account, profiles, catalogueVersion: String(catalogue ?? '') }
}
