/**
 * Writes, lists and verifies the audit log. It is append-only and hash-chained. Each event is written in the
 * transaction of the change that it describes (security.md, decision 10).
 */

import { setImmediate } from 'node:timers/promises'
import type { AuditEvent } from '../../../src/lib/contract/admin-audit.ts'
import { toIsoTime } from '../../core/dates.ts'
import { Problem } from '../../core/problem.ts'
import type { RequestInfo } from '../../core/request-info.ts'
import type { DbTransaction } from '../../db/database.ts'
import { lockActiveApiKey } from '../../queries/api-key.ts'
import { appendAuditEvent, selectAuditActions, selectAuditEvents } from '../../queries/audit.ts'
import { type AuditChainPoint, checkAuditChain, selectAuditHash } from '../../queries/audit-chain.ts'
import { lockExistingLogin } from '../../queries/login.ts'
import { findApiKeyId } from '../auth/api-key-access.ts'
import type { Caller } from '../auth/caller.ts'
import { createRandomId, sha256 } from '../auth/secret.ts'
import type { Deps } from '../deps.ts'
import { toPage } from '../page.ts'

/**
 * Number of events that are checked before yielding to the event loop. Checking this number of events takes
 * about 10 ms.
 */
const CHECK_BATCH_SIZE = 1_000

export interface AuditEventInput {
  action: string
  outcome?: 'ok' | 'denied' | 'failed'
  accountId?: string | null
  sid?: string | null
  profileId?: string | null
  /**
   * Id of the affected object. It must never be a name, an email address, a secret or an id of personal data. The
   * SHA-256 hash of a random id is allowed. After the object is deleted, nobody can find out from the hash which object
   * it was.
   */
  target?: string | null
  /**
   * Id of the affected account. The log stores the pseudonym of the account, which cannot be traced to a person
   * after the account is deleted.
   */
  targetAccountId?: string
  /** Id of the affected data of the acting account, such as a profile. The id is erased with the account. */
  ownTarget?: string | null
  deviceName?: string | null
}
export interface AuditOrigin {
  nowMs: number
  request: Pick<RequestInfo, 'id' | 'ip' | 'userAgent'>
}
interface CallerContext {
  deps: Pick<Deps, 'now'>
  caller: Pick<Caller, 'account' | 'login'>
  request: AuditOrigin['request']
}
type CallerAuditEvent = Omit<AuditEventInput, 'accountId' | 'sid' | 'deviceName'>
interface StoredAuditDetails {
  device_name: string | null
  ip: string | null
}

export async function recordAuditEvent(
  trx: DbTransaction,
  { nowMs, request }: AuditOrigin,
  event: AuditEventInput,
): Promise<void> {
  await appendAuditEvent(
    trx,
    {
      at: nowMs,
      request_id: request.id,
      accountId: event.accountId ?? null,
      action: event.action,
      target: event.target ?? null,
      targetAccountId: event.targetAccountId ?? null,
      outcome: event.outcome ?? 'ok',
      details: {
        sid: event.sid ?? null,
        profile_id: event.profileId ?? null,
        device_name: event.deviceName ?? null,
        ip: request.ip,
        target: event.ownTarget ?? null,
        user_agent_hash: request.userAgent ? sha256(request.userAgent).slice(0, 16) : null,
      },
    },
    { hash: sha256, createRandomText: createRandomId },
  )
}

/**
 * Throws 401 when the login or API key of the caller has ended since the request was authorised. Otherwise locks the
 * login or API key until the end of the transaction, so that it cannot end before then. A request that was waiting, for
 * example for the hash of a password, therefore changes nothing after a sign-out or a password reset.
 */
export async function lockActiveCaller(
  trx: DbTransaction,
  { login: { sid } }: Pick<CallerContext['caller'], 'login'>,
): Promise<void> {
  const apiKeyId = findApiKeyId(sid)
  const isActive = await (apiKeyId === null ? lockExistingLogin(trx, sid) : lockActiveApiKey(trx, apiKeyId))
  if (!isActive) throw new Problem('unauthorized')
}

/**
 * Records an action of a signed-in caller. Adds the account, login and device of the caller to the event. Throws 401
 * like `lockActiveCaller`, so that the transaction of the action is rolled back.
 */
export async function recordCallerAction(
  trx: DbTransaction,
  context: CallerContext,
  event: CallerAuditEvent,
): Promise<void> {
  await lockActiveCaller(trx, context.caller)
  await recordLockedCallerAction(trx, context, event)
}

/**
 * Records an action like `recordCallerAction`, but without `lockActiveCaller`, which the transaction must have called
 * before. Used by transactions that end logins or delete other access of an account. All transactions lock in the same
 * order, so that they cannot deadlock: `lockLogins`, rows of logins (`lockActiveCaller`), other rows, audit
 * log.
 */
export async function recordLockedCallerAction(
  trx: DbTransaction,
  { deps, caller: { account, login }, request }: CallerContext,
  event: CallerAuditEvent,
): Promise<void> {
  const actor = { accountId: account.account_id, sid: login.sid, deviceName: login.device_name }
  await recordAuditEvent(trx, { nowMs: deps.now(), request }, { ...event, ...actor })
}

/** Request data of audit events that the server itself causes, such as events of scheduled jobs. */
export const SERVICE_REQUEST: AuditOrigin['request'] = { id: 'service', ip: null, userAgent: '' }

export function parseAuditDetails({ details }: { details: string | null }): StoredAuditDetails {
  if (details === null) return { device_name: null, ip: null }
  const { device_name, ip } = JSON.parse(details) as StoredAuditDetails
  return { device_name, ip }
}

/**
 * Returns the id of the affected data of the acting account. Returns null when there is no such id, or the
 * account is deleted.
 */
function parseOwnTarget({ details }: { details: string | null }): string | null {
  return details === null ? null : ((JSON.parse(details) as { target?: string | null }).target ?? null)
}

interface AuditQuery extends Omit<Parameters<typeof selectAuditEvents>[1], 'from' | 'until'> {
  from?: string | undefined
  until?: string | undefined
}

export async function listAuditEvents(
  { database }: Pick<Deps, 'database'>,
  { from, until, ...query }: AuditQuery,
) {
  const { rows, total } = await selectAuditEvents(database.primary, {
    ...query,
    from: from === undefined ? undefined : Date.parse(from),
    until: until === undefined ? undefined : Date.parse(until),
  })
  const auditEvents = rows.map((row): AuditEvent => {
    const { device_name, ip } = parseAuditDetails(row)
    return {
      id: String(row.audit_id),
      at: toIsoTime(row.at),
      action: row.action,
      outcome: row.outcome as AuditEvent['outcome'],
      target: row.target_account_id ?? row.target ?? parseOwnTarget(row),
      actor:
        row.subject === null ? null : { pseudonym: row.subject, user_id: row.account_id, email: row.email },
      device_name,
      ip,
      request_id: row.request_id,
    }
  })
  return { ...toPage(query, total, auditEvents), actions: await selectAuditActions(database.primary) }
}

export interface AuditChainCheck {
  verified: boolean
  eventCount: number
  /**
   * Id of the first event whose hash does not match. When the events at the end of the log are missing, the id
   * of the last remaining event; 0 when all events are missing. Null for an intact log.
   */
  brokenAuditId: number | null
  checkedAtMs: number
}

interface RememberedCheck extends AuditChainCheck {
  point: AuditChainPoint | null
}
const lastChecksByDatabase = new WeakMap<Deps['database'], RememberedCheck>()

/** Returns the result of the last check in this process; null before the first check. */
export function getLastAuditChainCheck(database: Deps['database']): AuditChainCheck | null {
  return lastChecksByDatabase.get(database) ?? null
}

/**
 * Verifies the hash chain of the log, and that no events are missing at its start or its end. By default, verifies only
 * the events since the last check in this process. Verifies the whole log with `fromStart`, at the first check, after a
 * failed check, and when the last checked event has changed.
 */
export async function verifyAuditChain(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  { fromStart: shouldStartOver }: { fromStart: boolean },
): Promise<AuditChainCheck> {
  const previousCheck = lastChecksByDatabase.get(database)
  const previousPoint = previousCheck?.point ?? null
  const isPointUnchanged =
    previousPoint !== null &&
    (await selectAuditHash(database.primary, previousPoint.auditId)) === previousPoint.hash
  let point = !shouldStartOver && previousCheck?.verified && isPointUnchanged ? previousPoint : null
  let firstBrokenAuditId: number | null = null
  for (let isChainEnd = false; !isChainEnd && firstBrokenAuditId === null; ) {
    const batchCheck = await checkAuditChain(database.primary, point, {
      limit: CHECK_BATCH_SIZE,
      hash: sha256,
    })
    point = batchCheck.point
    firstBrokenAuditId = batchCheck.brokenAuditId
    isChainEnd = batchCheck.isEndOfLog
    await setImmediate()
  }
  const chainCheck: AuditChainCheck = {
    verified: firstBrokenAuditId === null,
    eventCount: point?.eventCount ?? 0,
    brokenAuditId: firstBrokenAuditId,
    checkedAtMs: now(),
  }
  lastChecksByDatabase.set(database, { ...chainCheck, point: firstBrokenAuditId === null ? point : null })
  return chainCheck
}
