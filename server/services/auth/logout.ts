import type { RequestInfo } from '../../core/request-info.ts'
import { deleteLogin, selectLoginById } from '../../queries/login.ts'
import type { Deps } from '../deps.ts'
import { recordAuditEvent } from '../operations/audit.ts'

/** Ends the login `sid`. Does nothing when `sid` is null or the login does not exist. */
export async function logout(deps: Deps, request: RequestInfo, sid: string | null): Promise<void> {
  if (!sid) return
  const { primary } = deps.database
  const loginRow = await selectLoginById(primary, sid)
  if (!loginRow) return
  await primary.transaction().execute(async (trx) => {
    await deleteLogin(trx, sid)
    await recordAuditEvent(
      trx,
      { nowMs: deps.now(), request },
      {
        action: 'logout',
        accountId: loginRow.account_id,
        sid,
        deviceName: loginRow.device_name,
      },
    )
  })
}
