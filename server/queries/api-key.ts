/** API keys of accounts. Keys are stored as hashes. */
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { getDialect } from '../db/ddl.ts'
import { lockUntilCommit } from '../db/lock.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { selectAccountById } from './account.ts'
import { queryTextIds } from './id-list.ts'
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

/**
 * Inserts an API key. Returns false, without inserting, when the account already has `maxKeyCount` keys. Call it inside
 * a transaction.
 */
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

/**
 * Returns whether the API key exists and its account is not blocked. If so, no other transaction can delete the key
 * until this transaction ends.
 */
export async function lockActiveApiKey(trx: Db, keyId: string): Promise<boolean> {
  const query = trx
    .selectFrom('api_key')
    .innerJoin('account', 'account.account_id', 'api_key.account_id')
    .select('key_id')
    .where('key_id', '=', keyId)
    .where('account.blocked', '=', 0)
  const lockingQuery = getDialect(trx) === 'postgres' ? query.forKeyShare('api_key') : query
  return (await lockingQuery.executeTakeFirst()) !== undefined
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

/** Returns a key with its account and the profiles of the account; undefined for an unknown or expired key. */
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

export interface ActiveApiKey {
  /** JSON array of the scopes. */
  scopes: string
  /** Role of the account. */
  role: string
  /**
   * Profiles for which the key may act: all profiles of the account that have no PIN, or only the profile to which the
   * key is restricted.
   */
  profileIds: ReadonlySet<string>
}

/**
 * Returns the usable keys by id. Keys that have expired, whose account is blocked, or whose profile has a PIN or was
 * deleted are absent. `keyIds` must not be empty.
 */
export async function selectActiveApiKeys(
  db: Db,
  keyIds: readonly string[],
  nowMs: number,
): Promise<Map<string, ActiveApiKey>> {
  const rows = await db
    .selectFrom('api_key')
    .innerJoin('account', 'account.account_id', 'api_key.account_id')
    .leftJoin('profile', (join) =>
      join
        .onRef('profile.account_id', '=', 'api_key.account_id')
        .on('profile.deleted_at', 'is', null)
        .on('profile.pin_hash', 'is', null),
    )
    .select([
      'api_key.key_id',
      'api_key.scopes',
      'api_key.profile_id as key_profile_id',
      'account.role',
      'profile.profile_id',
    ])
    .where('api_key.key_id', 'in', queryTextIds(db, keyIds))
    .where('account.blocked', '=', 0)
    .where((eb) => eb.or([eb('api_key.expires_at', 'is', null), eb('api_key.expires_at', '>', nowMs)]))
    .execute()
  const activeKeysById = new Map<string, ActiveApiKey>()
  for (const [keyId, keyRows] of Map.groupBy(rows, ({ key_id }) => key_id)) {
    const [firstRow] = keyRows
    if (!firstRow) continue
    const { key_profile_id: keyProfileId, role, scopes } = firstRow
    const profileIds = keyRows.flatMap(({ profile_id }) =>
      profile_id !== null && (keyProfileId === null || keyProfileId === profile_id) ? [profile_id] : [],
    )
    if (keyProfileId === null || profileIds.length > 0)
      activeKeysById.set(keyId, { scopes, role, profileIds: new Set(profileIds) })
  }
  return activeKeysById
}
