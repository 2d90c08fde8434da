/** The audit log: append-only, hash-chained, written in the transaction of the change (security.md, decision 10). */
import type { Db } from '../db/open.ts'
import type { RequestInfo } from '../http/request.ts'
import { appendAudit } from '../queries/audit.ts'
import { digest } from './secret.ts'

export interface AuditWords {
  action: string
  outcome?: 'ok' | 'denied' | 'failed'
  accountId?: string | null
  sid?: string | null
  profileId?: string | null
  /** Id of what was acted upon; never a name, an address or a secret. */
  target?: string | null
  deviceName?: string | null
}
export interface Origin {
  now: number
  request: Pick<RequestInfo, 'id' | 'ip' | 'userAgent'>
}

export async function audit(db: Db, { now, request }: Origin, words: AuditWords): Promise<void> {
  await appendAudit(
    db,
    {
      at: now,
      request_id: request.id,
      account_id: words.accountId ?? null,
      sid: words.sid ?? null,
      profile_id: words.profileId ?? null,
      action: words.action,
      target: words.target ?? null,
      outcome: words.outcome ?? 'ok',
      device_name: words.deviceName ?? null,
      ip: request.ip,
      user_agent_hash: request.userAgent ? digest(request.userAgent).slice(0, 16) : null,
    },
    digest,
  )
}
