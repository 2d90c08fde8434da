/** Refused calls of administrators' in the audit log: once a minute per login, so that nobody fills the log with them. */
import type { Deps } from '../deps.ts'
import { audit, type Origin } from './audit.ts'

const EVERY_MS = 60_000
const REMEMBERED = 10_000
const told = new Map<string, number>()

interface Who {
  account: { account_id: string }
  login: { sid: string; device_name: string }
}

export async function noteDenied(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  request: Origin['request'],
  { account, login }: Who,
): Promise<void> {
  const last = told.get(login.sid)
  if (last !== undefined && now() - last < EVERY_MS) return
  if (told.size >= REMEMBERED) told.clear()
  told.set(login.sid, now())
  const who = { accountId: account.account_id, sid: login.sid, deviceName: login.device_name }
  await database.primary
    .transaction()
    .execute((trx) =>
      audit(trx, { now: now(), request }, { action: 'admin_denied', outcome: 'denied', ...who }),
    )
}
