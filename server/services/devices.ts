import type { Activity, Device } from '../../src/lib/contract/auth.ts'
import { Problem } from '../problem.ts'
import { activitiesOf } from '../queries/audit.ts'
import { deleteLogin, loginsOf } from '../queries/login.ts'
import { audit } from './audit.ts'
import { browserName } from './device-name.ts'
import type { By } from './profiles.ts'

interface Page {
  page: number
  limit: number
}

/** This device first, then by last activity. */
export async function devices({ deps, caller }: By, { page, limit }: Page) {
  const rows = await loginsOf(deps.database.primary, caller.account.account_id, deps.now())
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

export async function revoke({ deps, caller, request }: By, deviceId: string): Promise<void> {
  await deps.database.primary.transaction().execute(async (trx) => {
    if (!(await deleteLogin(trx, deviceId, caller.account.account_id))) throw new Problem('not_found')
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
    page,
    limit,
  })
  const results = rows.map(
    (row): Activity => ({
      id: String(row.audit_id),
      action: row.action,
      outcome: row.outcome as Activity['outcome'],
      device_name: row.device_name,
      ip: row.ip,
      at: new Date(row.at).toISOString(),
    }),
  )
  return { page, limit, total_results: total, total_pages: Math.ceil(total / limit), results }
}
