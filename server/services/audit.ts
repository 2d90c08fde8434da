/** The audit log: append-only, hash-chained, written in the transaction of the change (security.md, decision 10). */
import { setImmediate } from 'node:timers/promises'
import type { AuditEvent } from '../../src/lib/contract/admin-audit.ts'
import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import type { RequestInfo } from '../http/request.ts'
import {
  appendAudit,
  auditActions,
  auditHash,
  type ChainPoint,
  checkChain,
  listAudit,
} from '../queries/audit.ts'
import { digest, randomId } from './secret.ts'

const DAY_MS = 86_400_000
/** Events checked at once: some ten milliseconds. */
const BATCH = 1_000

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
interface Details {
  device_name: string | null
  ip: string | null
}

export async function audit(db: Db, { now, request }: Origin, words: AuditWords): Promise<void> {
  await appendAudit(
    db,
    {
      at: now,
      request_id: request.id,
      accountId: words.accountId ?? null,
      action: words.action,
      target: words.target ?? null,
      outcome: words.outcome ?? 'ok',
      details: {
        sid: words.sid ?? null,
        profile_id: words.profileId ?? null,
        device_name: words.deviceName ?? null,
        ip: request.ip,
        user_agent_hash: request.userAgent ? digest(request.userAgent).slice(0, 16) : null,
      },
    },
    { hash: digest, random: randomId },
  )
}

/** Who stands behind what the service does by itself. */
export const ITSELF: Origin['request'] = { id: 'service', ip: null, userAgent: '' }

export function detailsOf({ details }: { details: string | null }): Details {
  if (details === null) return { device_name: null, ip: null }
  const { device_name, ip } = JSON.parse(details) as Details
  return { device_name, ip }
}

interface Query extends Omit<Parameters<typeof listAudit>[1], 'from' | 'until'> {
  from?: string | undefined
  to?: string | undefined
}

export async function list({ database }: Pick<Deps, 'database'>, { from, to, ...query }: Query) {
  const { rows, total } = await listAudit(database.primary, {
    ...query,
    from: from === undefined ? undefined : Date.parse(from),
    until: to === undefined ? undefined : Date.parse(to) + DAY_MS,
  })
  const results = rows.map((row): AuditEvent => {
    const { device_name, ip } = detailsOf(row)
    return {
      id: String(row.audit_id),
      at: new Date(row.at).toISOString(),
      action: row.action,
      outcome: row.outcome as AuditEvent['outcome'],
      target: row.target,
      actor:
        row.subject === null ? null : { pseudonym: row.subject, user_id: row.account_id, email: row.email },
      device_name,
      ip,
      request_id: row.request_id,
    }
  })
  const { page, limit } = query
  const total_pages = Math.ceil(total / limit)
  return {
    page,
    limit,
    total_results: total,
    total_pages,
    results,
    actions: await auditActions(database.primary),
  }
}

export interface Verdict {
  verified: boolean
  events: number
  /** Id of the first event that does not fit. */
  brokenAt: number | null
  checkedAt: number
}

interface Checked extends Verdict {
  point: ChainPoint | null
}
const last = new WeakMap<Deps['database'], Checked>()

/** The last verdict, if this process gave one. */
export function lastVerdict(database: Deps['database']): Verdict | null {
  return last.get(database) ?? null
}

/**
 * Checks the chain: from its beginning, or only what was added since the last check of this process; and that the last event
 * of that check is still there as it was.
 */
export async function verify(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  { whole }: { whole: boolean },
): Promise<Verdict> {
  const before = last.get(database)
  const known = before?.point ?? null
  const stands = known !== null && (await auditHash(database.primary, known.auditId)) === known.hash
  let point = !whole && before?.verified && stands ? known : null
  /* What was last and is no more leaves no gap: only who remembers it can tell. */
  let brokenAt = known !== null && !stands ? known.auditId : null
  while (brokenAt === null) {
    const step = await checkChain(database.primary, point, { limit: BATCH, hash: digest })
    if (!step) break
    point = step.point
    brokenAt = step.broken
    await setImmediate()
  }
  const verdict = { verified: brokenAt === null, events: point?.events ?? 0, brokenAt, checkedAt: now() }
  last.set(database, { ...verdict, point: brokenAt === null ? point : known })
  return verdict
}
