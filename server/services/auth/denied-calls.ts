/** Records denied calls of admin endpoints in the audit log, at most once a minute per login, so that a client cannot flood the log. */
import type { Deps } from '../deps.ts'
import { type AuditOrigin, recordAuditEvent } from '../operations/audit.ts'

const MIN_RECORD_INTERVAL_MS = 60_000
const MAX_REMEMBERED_LOGINS = 10_000
const recordedAtMsBySid = new Map<string, number>()

interface DeniedCaller {
  account: { account_id: string }
  login: { sid: string; device_name: string }
}

export async function recordDeniedCall(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  request: AuditOrigin['request'],
  { account, login }: DeniedCaller,
): Promise<void> {
  const lastMs = recordedAtMsBySid.get(login.sid)
  if (lastMs !== undefined && now() - lastMs < MIN_RECORD_INTERVAL_MS) return
  if (recordedAtMsBySid.size >= MAX_REMEMBERED_LOGINS) recordedAtMsBySid.clear()
  recordedAtMsBySid.set(login.sid, now())
  const actor = { accountId: account.account_id, sid: login.sid, deviceName: login.device_name }
  await database.primary
    .transaction()
    .execute((trx) =>
      recordAuditEvent(
        trx,
        { nowMs: now(), request },
        { action: 'admin_denied', outcome: 'denied', ...actor },
      ),
    )
}
