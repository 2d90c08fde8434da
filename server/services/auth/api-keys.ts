/** Creates, lists and revokes the API keys of an account (security.md, decision 19). */
import { type ApiKey, MAX_API_KEYS } from '../../../src/lib/contract/api-keys.ts'
import type { ApiKeyScope } from '../../../src/lib/contract/endpoint.ts'
import { DAY_MS, toIsoTime, toIsoTimeOrNull } from '../../core/dates.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import { type ApiKeyRow, deleteApiKey, insertApiKey, selectApiKeys } from '../../queries/api-key.ts'
import type { RequestContext } from '../context.ts'
import { lockActiveCaller, recordCallerAction, recordLockedCallerAction } from '../operations/audit.ts'
import { API_KEY_PREFIX, parseScopes } from './api-key-access.ts'
import { createRandomId, createRandomToken, sha256 } from './secret.ts'

const toApiKey = (row: ApiKeyRow): ApiKey => ({
  key_id: row.key_id,
  name: row.name,
  scopes: parseScopes(row),
  profile_id: row.profile_id,
  created_at: toIsoTime(row.created_at),
  expires_at: toIsoTimeOrNull(row.expires_at),
  last_used: toIsoTimeOrNull(row.last_used_at),
})

export async function listApiKeys({ deps, caller }: Pick<RequestContext, 'deps' | 'caller'>) {
  const rows = await selectApiKeys(deps.database.primary, caller.account.account_id)
  return { results: rows.map(toApiKey) }
}

interface NewApiKey {
  name: string
  scopes: ApiKeyScope[]
  profile_id?: string | null | undefined
  expires_in_days?: number | null | undefined
}

/**
 * Creates a key and returns it. Only the hash of the key is stored. Throws 403 when a caller without the role admin
 * requests the scope `admin`, and 409 when the account has too many keys. Throws 422 for an unknown profile, a profile
 * with a PIN, and any profile of a key with the scope `admin`.
 */
export async function createApiKey(
  context: RequestContext,
  input: NewApiKey,
): Promise<ApiKey & { token: string }> {
  const { deps, caller } = context
  const { account, profiles } = caller
  const isAdminKey = input.scopes.includes('admin')
  if (isAdminKey && account.role !== 'admin') throw new Problem('forbidden')
  const profileId = input.profile_id ?? null
  if (isAdminKey && profileId !== null) throw createFieldProblem('profile_id', 'does_not_fit')
  const profile = profiles.find(({ profile_id }) => profile_id === profileId)
  if (profileId !== null && !profile) throw createFieldProblem('profile_id', 'unknown')
  if (profile?.pin_hash) throw createFieldProblem('profile_id', 'locked')
  const nowMs = deps.now()
  const token = API_KEY_PREFIX + createRandomToken()
  const row: ApiKeyRow = {
    key_id: createRandomId(),
    account_id: account.account_id,
    profile_id: profileId,
    name: input.name,
    token_hash: sha256(token),
    scopes: JSON.stringify([...new Set(input.scopes)]),
    created_at: nowMs,
    expires_at: input.expires_in_days ? nowMs + input.expires_in_days * DAY_MS : null,
    last_used_at: null,
  }
  await deps.database.primary.transaction().execute(async (trx) => {
    if (!(await insertApiKey(trx, row, MAX_API_KEYS)))
      throw new Problem('conflict', { errors: { name: ['too_many'] } })
    await recordCallerAction(trx, context, { action: 'api_key_create', ownTarget: row.key_id })
  })
  return { ...toApiKey(row), token }
}

export async function revokeApiKey(context: RequestContext, keyId: string): Promise<void> {
  const { deps, caller } = context
  await deps.database.primary.transaction().execute(async (trx) => {
    await lockActiveCaller(trx, caller)
    if (!(await deleteApiKey(trx, caller.account.account_id, keyId))) throw new Problem('not_found')
    await recordLockedCallerAction(trx, context, { action: 'api_key_revoke', ownTarget: keyId })
  })
}
