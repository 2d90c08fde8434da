/** Reads the audit log for the verification of its hash chain, and deletes its oldest events. */
import { sql } from 'kysely'
import { MAX_CLOCK_DIFFERENCE_MS } from '../core/dates.ts'
import type { Db } from '../db/database.ts'
import { lockUntilCommit } from '../db/lock.ts'
import { type HashFunction, hashEvent } from './audit.ts'
import { type AuditAnchor, moveAuditAnchorStart, selectAuditAnchor } from './audit-anchor.ts'

/** State of a chain check after the event `auditId`. */
export interface AuditChainPoint {
  auditId: number
  hash: string
  eventCount: number
  /** Number of events that had already been deleted because of their age when the check of the first event started. */
  removedCount: number
}

/** Result of checking some of the events. */
interface ChainCheckResult {
  point: AuditChainPoint
  /**
   * Id of the first event whose hash does not match, or of the last event when the end of the log does not match the
   * anchor. Null when everything matches.
   */
  brokenAuditId: number | null
  /** True when fewer than `limit` events were left to check, and the hashes of all of them match. */
  isEndOfLog: boolean
}
interface ChainCheckOptions {
  /** Maximum number of events to check. */
  limit: number
  hash: HashFunction
}

/**
 * Checks up to `limit` events after a point of the chain, or from the start of the log. The details of an event are
 * checked against their hash, unless the details were deleted with an account. At the end of the log, the hash of the
 * last event and the number of events must match the anchor. If they do not match, `brokenAuditId` is the id of the
 * last event, or 0 in an empty log. Runs in one transaction, without concurrent changes of the log.
 */
export async function checkAuditChain(
  db: Db,
  fromPoint: AuditChainPoint | null,
  options: ChainCheckOptions,
): Promise<ChainCheckResult> {
  return db.transaction().execute(async (trx) => {
    await lockUntilCommit(trx, 'audit')
    const anchor = await selectAuditAnchor(trx)
    const startPoint = fromPoint ?? {
      auditId: 0,
      hash: anchor?.removed_hash ?? '',
      eventCount: 0,
      removedCount: anchor?.removed_count ?? 0,
    }
    const step = await checkEvents(trx, startPoint, options)
    const isEndMismatched = step.isEndOfLog && step.brokenAuditId === null && !isAnchored(step.point, anchor)
    return isEndMismatched ? { ...step, brokenAuditId: step.point.auditId } : step
  })
}

function isAnchored({ hash, eventCount, removedCount }: AuditChainPoint, anchor: AuditAnchor | undefined) {
  if (!anchor) return eventCount === 0
  return anchor.last_hash === hash && anchor.appended_count - removedCount === eventCount
}

async function checkEvents(
  db: Db,
  startPoint: AuditChainPoint,
  { limit, hash }: ChainCheckOptions,
): Promise<ChainCheckResult> {
  const rows = await db
    .selectFrom('audit_event')
    .selectAll()
    .where('audit_id', '>', startPoint.auditId)
    .orderBy('audit_id')
    .limit(limit)
    .execute()
  let chainPoint = startPoint
  for (const row of rows) {
    const isChainIntact =
      row.previous_hash === chainPoint.hash &&
      row.hash === hashEvent(row.previous_hash, row, hash) &&
      (row.details === null || hash(row.details) === row.details_hash)
    if (!isChainIntact) return { point: chainPoint, brokenAuditId: row.audit_id, isEndOfLog: false }
    chainPoint = {
      ...chainPoint,
      auditId: row.audit_id,
      hash: row.hash,
      eventCount: chainPoint.eventCount + 1,
    }
  }
  return { point: chainPoint, brokenAuditId: null, isEndOfLog: rows.length < limit }
}

/**
 * Returns the hash of an event; undefined when the event does not exist. Used to detect changes of events that were
 * checked earlier.
 */
export async function selectAuditHash(db: Db, auditId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('audit_event')
    .select('hash')
    .where('audit_id', '=', auditId)
    .executeTakeFirst()
  return row?.hash
}

/**
 * Deletes the events before the first event (by id) that is not older than `beforeMs`, and returns their number. A
 * later event with a wrong, older time therefore does not cause the deletion of the events before it. Events with a
 * higher id than all events older than `beforeMs` are never deleted, even if their times are in the future because the
 * clock is behind. Call this function inside a transaction.
 */
export async function deleteOldAuditEvents(
  db: Db,
  { beforeMs, nowMs }: { beforeMs: number; nowMs: number },
): Promise<number> {
  await lockUntilCommit(db, 'audit')
  const lastOldEvent = await db
    .selectFrom('audit_event')
    .select((eb) => eb.fn.max('audit_id').as('audit_id'))
    .where('at', '<', beforeMs)
    .executeTakeFirst()
  if (!lastOldEvent?.audit_id) return 0
  // Events with a time in the future are ignored if there is an event with a current time. Otherwise, an event with a
  // wrong time would prevent the deletion of all later events.
  const firstKeptId =
    (await selectFirstAuditId(db, beforeMs, nowMs + MAX_CLOCK_DIFFERENCE_MS)) ??
    (await selectFirstAuditId(db, beforeMs, Number.MAX_SAFE_INTEGER))
  const lastDeletedEvent = await db
    .selectFrom('audit_event')
    .select(['audit_id', 'hash'])
    .where('audit_id', '<=', lastOldEvent.audit_id)
    .$if(firstKeptId !== undefined, (query) => query.where('audit_id', '<', firstKeptId ?? 0))
    .orderBy('audit_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!lastDeletedEvent) return 0
  const { numDeletedRows } = await db
    .deleteFrom('audit_event')
    .where('audit_id', '<=', lastDeletedEvent.audit_id)
    .executeTakeFirst()
  const deletedCount = Number(numDeletedRows)
  await moveAuditAnchorStart(db, { count: deletedCount, lastHash: lastDeletedEvent.hash })
  return deletedCount
}

/** Returns the lowest id of the events whose time is from `fromMs` to `untilMs`, including both times. */
async function selectFirstAuditId(db: Db, fromMs: number, untilMs: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('audit_event')
    .select('audit_id')
    // The plus sign prevents the database from using the index on `at`. With the index, the database would read all
    // events of the period. Without the index, it reads the events in the order of their ids, and stops at the first
    // event of the period.
    .where(sql<boolean>`+at between ${fromMs} and ${untilMs}`)
    .orderBy('audit_id')
    .limit(1)
    .executeTakeFirst()
  return row?.audit_id
}
