import type { Activity, Device } from '../../src/lib/contract/auth.ts'
import { Problem } from '../problem.ts'
import { accountById } from '../queries/account.ts'
import { activitiesOf } from '../queries/audit.ts'
import { deleteLogin, loginsOf } from '../queries/login.ts'
import { audit, detailsOf } from './audit.ts'
import { browserName } from './device-name.ts'
import type { By } from './profiles.ts'

/** What the owner of an account is told of; what they do as an administrator stands in the whole log. */
const SECURITY = [
  'login',
  'register',
  'logout',
  'refresh_reuse',
  'password_change',
  'pin_set',
  'pin_change',
  'pin_remove',
  'pin_fail',
  'pin_unlock',
  'profile_create',
  'profile_delete',
  'profile_kids',
  'device_revoke',
]

interface Page {
  page: number
  limit: number
}

/** This device first, then by last activity. */
export async function devices({ deps, caller }: By, query: Page) {
  return devicesOf({ deps, caller }, caller.account.account_id, query)
}

/** For administrators: the devices of any account. */
export async function userDevices({ deps, caller }: By, accountId: string, query: Page) {
  if (!(await accountById(deps.database.primary, accountId))) throw new Problem('not_found')
  return devicesOf({ deps, caller }, accountId, query)
}

async function devicesOf({ deps, caller }: Omit<By, 'request'>, accountId: string, { page, limit }: Page) {
  const rows = await loginsOf(deps.database.primary, accountId, deps.now())
  const mine = (sid: string) => sid === caller.login.sid
  const sorted = [...rows.filter((row) => mine(row.sid)), ...rows.filter((row) => !mine(row.sid))]
  const results = sorted.slice((page - 1) * limit, page * limit).map(
    (row): Device => ({
      device_id: row.sid,
      name: row.device_name,
      browser: browserName(row.user_agent),
      ip: row.ip,
      created_at: new Date(row.created_at).toISOString(),
      last_active: new Date(row.last_active_at).toISOString(),
      current: mine(row.sid),
    }),
  )
  return { page, limit, total_results: rows.length, total_pages: Math.ceil(rows.length / limit), results }
}

/** Ends a device of the caller's, or, where an administrator names one, of another account. */
export async function revoke(
  { deps, caller, request }: By,
  deviceId: string,
  accountId = caller.account.account_id,
): Promise<void> {
  await deps.database.primary.transaction().execute(async (trx) => {
    if (!(await deleteLogin(trx, deviceId, accountId))) throw new Problem('not_found')
    await audit(
      trx,
      { now: deps.now(), request },
      {
        action: 'device_revoke',
        target: deviceId,
        accountId: caller.account.account_id,
        sid: caller.login.sid,
        deviceName: caller.login.device_name,
      },
    )
  })
}

export async function activities({ deps, caller }: By, { page, limit }: Page) {
  const { rows, total } = await activitiesOf(deps.database.primary, caller.account.account_id, {
    actions: SECURITY,
    page,
    limit,
  })
  const results = rows.map(
    (row): Activity => ({
      id: String(row.audit_id),
      action: row.action,
      outcome: row.outcome as Activity['outcome'],
      ...detailsOf(row),
      at: new Date(row.at).toISOString(),
    }),
  )
  return { page, limit, total_results: total, total_pages: Math.ceil(total / limit), results }
}
