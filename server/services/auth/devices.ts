import type { Device, SecurityActivity } from '../../../src/lib/contract/account.ts'
import { Problem } from '../../core/problem.ts'
import { lockUntilCommit } from '../../db/lock.ts'
import { selectAccountById } from '../../queries/account.ts'
import { selectAccountActivities } from '../../queries/audit.ts'
import { deleteLogin, lockLogins, selectLogins } from '../../queries/login.ts'
import type { RequestContext } from '../context.ts'
import { lockActiveCaller, parseAuditDetails, recordLockedCallerAction } from '../operations/audit.ts'
import { parseBrowserName } from './device-name.ts'

/**
 * Audit actions that are shown to the owner of the account. Actions that an owner takes as an administrator
 * appear only in the full audit log.
 */
const OWNER_VISIBLE_ACTIONS = [
  'login',
  'register',
  'logout',
  'refresh_reuse',
  'password_change',
  'password_reset',
  'password_reset_request',
  'access_remove',
  'pin_set',
  'pin_change',
  'pin_remove',
  'pin_fail',
  'pin_unlock',
  'exit_pin_set',
  'exit_pin_remove',
  'exit_pin_fail',
  'profile_create',
  'profile_delete',
  'profile_restore',
  'profile_erase',
  'profile_kids',
  'profile_limits',
  'profile_title_rule',
  'profile_hidden_title',
  'device_revoke',
  'device_approve',
  'device_deny',
  'second_factor_fail',
  'recovery_code_use',
  'recovery_codes_create',
  'totp_enable',
  'totp_disable',
  'passkey_add',
  'passkey_remove',
  'passkey_copied',
  'identity_link',
  'identity_unlink',
  'provider_account_create',
  'provider_role',
  'api_key_create',
  'api_key_revoke',
  'calendar_feed_create',
  'calendar_feed_revoke',
  'email_change_request',
  'email_change',
  'email_change_cancel',
]

interface PageQuery {
  page: number
  limit: number
}

/** Lists the devices of the caller: the current device first, the others by last activity. */
export async function listDevices({ deps, caller }: RequestContext, query: PageQuery) {
  return loadDevices({ deps, caller }, caller.account.account_id, query)
}

/** Lists the devices of any account, for administrators. Throws 404 for an unknown account. */
export async function listAccountDevices(
  { deps, caller }: RequestContext,
  accountId: string,
  query: PageQuery,
) {
  if (!(await selectAccountById(deps.database.primary, accountId))) throw new Problem('not_found')
  return loadDevices({ deps, caller }, accountId, query)
}

async function loadDevices(
  { deps, caller }: Omit<RequestContext, 'request'>,
  accountId: string,
  { page, limit }: PageQuery,
) {
  const rows = await selectLogins(deps.database.primary, accountId, deps.now())
  const isCurrentLogin = (sid: string) => sid === caller.login.sid
  const sortedRows = [
    ...rows.filter((row) => isCurrentLogin(row.sid)),
    ...rows.filter((row) => !isCurrentLogin(row.sid)),
  ]
  const devices = sortedRows.slice((page - 1) * limit, page * limit).map(
    (row): Device => ({
      device_id: row.sid,
      name: row.device_name,
      browser: parseBrowserName(row.user_agent),
      ip: row.ip,
      created_at: new Date(row.created_at).toISOString(),
      last_active: new Date(row.last_active_at).toISOString(),
      current: isCurrentLogin(row.sid),
    }),
  )
  return {
    page,
    limit,
    total_results: rows.length,
    total_pages: Math.ceil(rows.length / limit),
    results: devices,
  }
}

/**
 * Ends a login of the caller, or of another account when an administrator passes `accountId`. Throws 404 if the
 * account has no login with this id.
 */
export async function revokeDevice(
  context: RequestContext,
  deviceId: string,
  accountId = context.caller.account.account_id,
): Promise<void> {
  const { deps, caller } = context
  await deps.database.primary.transaction().execute(async (trx) => {
    if (accountId !== caller.account.account_id) await lockUntilCommit(trx, 'admins')
    await lockLogins(trx, accountId)
    await lockActiveCaller(trx, caller)
    if (!(await deleteLogin(trx, deviceId, accountId))) throw new Problem('not_found')
    await recordLockedCallerAction(trx, context, {
      action: 'device_revoke',
      ...(accountId === caller.account.account_id ? { ownTarget: deviceId } : { targetAccountId: accountId }),
    })
  })
}

export async function listActivities({ deps, caller }: RequestContext, { page, limit }: PageQuery) {
  const { rows, total } = await selectAccountActivities(deps.database.primary, caller.account.account_id, {
    actions: OWNER_VISIBLE_ACTIONS,
    page,
    limit,
  })
  const activities = rows.map(
    (row): SecurityActivity => ({
      id: String(row.audit_id),
      action: row.action,
      outcome: row.outcome as SecurityActivity['outcome'],
      ...parseAuditDetails(row),
      at: new Date(row.at).toISOString(),
    }),
  )
  return { page, limit, total_results: total, total_pages: Math.ceil(total / limit), results: activities }
}
