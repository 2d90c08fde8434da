/**
 * The audit log, a hash chain. The chain covers time, action, target, outcome and pseudonym (`subject`) of each event,
 * but only a salted hash of its details (device, IP address, profile). An account can therefore be deleted without
 * breaking the chain: its pseudonym is unlinked and its details are set to null.
 */

import { type Selectable, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { lockUntilCommit } from '../db/lock.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { type PageRequest, selectPage } from './page.ts'
import { containsText } from './text-match.ts'

type AuditRow = Selectable<DatabaseSchema['audit_event']>
/** Columns that the chain covers, besides the previous hash. */
type ChainedColumns = Pick<
  AuditRow,
  'at' | 'request_id' | 'subject' | 'action' | 'target' | 'outcome' | 'details_hash'
>
type HashFunction = (text: string) => string

export interface NewAuditEvent extends Omit<ChainedColumns, 'subject' | 'details_hash'> {
  accountId: string | null
  details: Record<string, string | null>
}

/** Appends an event to the chain. Call it inside a transaction. `random` creates salts and pseudonyms. */
export async function appendAuditEvent(
  db: Db,
  { accountId, details, ...event }: NewAuditEvent,
  { hash, random }: { hash: HashFunction; random: () => string },
): Promise<void> {
  await lockUntilCommit(db, 'audit')
  const lastEvent = await db
    .selectFrom('audit_event')
    .select('hash')
    .orderBy('audit_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const previous_hash = lastEvent?.hash ?? ''
  const detailsJson = JSON.stringify({ salt: random(), ...details })
  const subject = accountId === null ? null : await getOrCreateSubject(db, accountId, random)
  const chainedColumns = { ...event, subject, details_hash: hash(detailsJson) }
  await db
    .insertInto('audit_event')
    .values({
      ...chainedColumns,
      details: detailsJson,
      previous_hash,
      hash: hashEvent(previous_hash, chainedColumns, hash),
    })
    .execute()
}

function hashEvent(previous: string, row: ChainedColumns, hash: HashFunction): string {
  const { at, request_id, subject, action, target, outcome, details_hash } = row
  return hash(JSON.stringify([previous, at, request_id, subject, action, target, outcome, details_hash]))
}

/** Returns the pseudonym of an account and creates it on first use. Returns null for a deleted account. */
async function getOrCreateSubject(db: Db, accountId: string, random: () => string): Promise<string | null> {
  const subjects = db.selectFrom('audit_subject').select('subject').where('account_id', '=', accountId)
  const existing = await subjects.executeTakeFirst()
  if (existing) return existing.subject
  await db
    .insertInto('audit_subject')
    .columns(['account_id', 'subject'])
    .expression((eb) =>
      eb
        .selectFrom('account')
        .select(['account_id', sql<string>`${`someone-${random()}`}`.as('subject')])
        .where('account_id', '=', accountId),
    )
    .execute()
  return (await subjects.executeTakeFirst())?.subject ?? null
}

/** Sets the details of all events of an account to null. Call it before the account is deleted. */
export async function clearAuditDetails(db: Db, accountId: string): Promise<void> {
  await db
    .updateTable('audit_event')
    .set({ details: null })
    .where('subject', '=', (eb) =>
      eb.selectFrom('audit_subject').select('subject').where('account_id', '=', accountId),
    )
    .execute()
}

export async function selectAccountActivities(
  db: Db,
  accountId: string,
  { actions, ...request }: PageRequest & { actions: readonly string[] },
) {
  const events = db
    .selectFrom('audit_event')
    .where('action', 'in', actions)
    .where('subject', '=', (eb) =>
      eb.selectFrom('audit_subject').select('subject').where('account_id', '=', accountId),
    )
  const rows = events.select(['audit_id', 'at', 'action', 'outcome', 'details']).orderBy('audit_id', 'desc')
  return selectPage(rows, events, request)
}

interface AuditFilters extends PageRequest {
  action?: string | undefined
  outcome?: string | undefined
  user?: string | undefined
  search?: string | undefined
  /** Milliseconds since 1970. `until` is exclusive. */
  from?: number | undefined
  until?: number | undefined
}

export async function selectAuditEvents(db: Db, filters: AuditFilters) {
  const { action, outcome, user, search, from, until } = filters
  const subjects = db
    .selectFrom('audit_subject')
    .innerJoin('account', 'account.account_id', 'audit_subject.account_id')
    .select('subject')
  const events = db
    .selectFrom('audit_event')
    .$if(action !== undefined, (query) => query.where('action', '=', action ?? ''))
    .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome ?? ''))
    .$if(user !== undefined, (query) =>
      query.where('audit_event.subject', 'in', subjects.where('account.account_id', '=', user ?? '')),
    )
    .$if(search !== undefined, (query) =>
      query.where(
        'audit_event.subject',
        'in',
        subjects.where(containsText(sql.ref('account.email'), search ?? '')),
      ),
    )
    .$if(from !== undefined, (query) => query.where('at', '>=', from ?? 0))
    .$if(until !== undefined, (query) => query.where('at', '<', until ?? 0))
  const rows = events
    .leftJoin('audit_subject', 'audit_subject.subject', 'audit_event.subject')
    .leftJoin('account', 'account.account_id', 'audit_subject.account_id')
    .select(['audit_id', 'at', 'request_id', 'action', 'target', 'outcome', 'details'])
    .select(['audit_event.subject', 'account.account_id', 'account.email'])
    .orderBy('audit_id', 'desc')
  return selectPage(rows, events, filters)
}

/**
 * Returns all distinct actions of the log. The recursive query takes one index step per action instead of reading all
 * events.
 */
export async function selectAuditActions(db: Db): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    with recursive distinct_action (action) as (
      select min(action) from audit_event
      union all
      select (select min(e.action) from audit_event e where e.action > distinct_action.action)
      from distinct_action where distinct_action.action is not null
    )
    select action from distinct_action where action is not null`.execute(db)
  return rows.map((row) => row.action)
}

/** State of a chain check after the event `auditId`. */
export interface AuditChainPoint {
  auditId: number
  hash: string
  eventCount: number
}

/**
 * Checks up to `limit` events after a point of the chain. Returns null when no event follows the point. Otherwise it
 * returns the last intact point, and in `broken` the id of the first event whose hash does not match, or null. Existing
 * details must match their hash too. The previous hash of the oldest event is trusted, because retention may have
 * deleted the event before it.
 */
export async function checkAuditChain(
  db: Db,
  startPoint: AuditChainPoint | null,
  { limit, hash }: { limit: number; hash: HashFunction },
): Promise<{ point: AuditChainPoint; broken: number | null } | null> {
  const rows = await db
    .selectFrom('audit_event')
    .selectAll()
    .where('audit_id', '>', startPoint?.auditId ?? 0)
    .orderBy('audit_id')
    .limit(limit)
    .execute()
  const first = rows[0]
  if (!first) return null
  let point = startPoint ?? { auditId: 0, hash: first.previous_hash, eventCount: 0 }
  for (const row of rows) {
    const isIntact =
      row.previous_hash === point.hash &&
      row.hash === hashEvent(row.previous_hash, row, hash) &&
      (row.details === null || hash(row.details) === row.details_hash)
    if (!isIntact) return { point, broken: row.audit_id }
    point = { auditId: row.audit_id, hash: row.hash, eventCount: point.eventCount + 1 }
  }
  return { point, broken: null }
}

/** Returns the hash of one event, to detect changes of events that were checked before. */
export async function selectAuditHash(db: Db, auditId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('audit_event')
    .select('hash')
    .where('audit_id', '=', auditId)
    .executeTakeFirst()
  return row?.hash
}

/** Deletes events before a time from the start of the chain and returns their number. */
export async function deleteOldAuditEvents(db: Db, beforeMs: number): Promise<number> {
  const { last } = await db
    .selectFrom('audit_event')
    .select((eb) => eb.fn.max('audit_id').as('last'))
    .where('at', '<', beforeMs)
    .executeTakeFirstOrThrow()
  if (last === null) return 0
  const { numDeletedRows } = await db
    .deleteFrom('audit_event')
    .where('audit_id', '<=', last)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
