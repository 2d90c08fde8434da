/**
 * The audit log, a hash chain. The chain covers time, request id, action, target, outcome and pseudonym (`subject`) of
 * each event, but only a salted hash of its details, such as device and IP address. An account can therefore be deleted
 * without breaking the chain: its pseudonym is unlinked, and the details of its events are set to null.
 */

import { type Selectable, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { lockUntilCommit } from '../db/lock.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { advanceAuditAnchor, selectAuditAnchor } from './audit-anchor.ts'
import { type PageRequest, selectPage } from './page.ts'
import { containsText } from './text-match.ts'

type AuditRow = Selectable<DatabaseSchema['audit_event']>
/** Columns that the chain covers, in addition to the previous hash. */
export type ChainedAuditColumns = Pick<
  AuditRow,
  'at' | 'request_id' | 'subject' | 'action' | 'target' | 'outcome' | 'details_hash'
>
export type HashFunction = (text: string) => string

export interface NewAuditEvent extends Omit<ChainedAuditColumns, 'subject' | 'details_hash'> {
  accountId: string | null
  /** The affected account. Its pseudonym becomes the target of the event. */
  targetAccountId: string | null
  details: Record<string, string | null>
}

/** Appends an event to the chain. Call it inside a transaction. `createRandomText` creates salts and pseudonyms. */
export async function appendAuditEvent(
  db: Db,
  { accountId, targetAccountId, details, ...event }: NewAuditEvent,
  { hash, createRandomText }: { hash: HashFunction; createRandomText: () => string },
): Promise<void> {
  await lockUntilCommit(db, 'audit')
  const previous_hash = (await selectAuditAnchor(db))?.last_hash ?? ''
  const detailsJson = JSON.stringify({ salt: createRandomText(), ...details })
  const subject = accountId === null ? null : await getOrCreateAuditSubject(db, accountId, createRandomText)
  const target =
    targetAccountId === null
      ? event.target
      : await getOrCreateAuditSubject(db, targetAccountId, createRandomText)
  const chainedColumns = { ...event, target, subject, details_hash: hash(detailsJson) }
  const eventHash = hashEvent(previous_hash, chainedColumns, hash)
  await db
    .insertInto('audit_event')
    .values({ ...chainedColumns, details: detailsJson, previous_hash, hash: eventHash })
    .execute()
  await advanceAuditAnchor(db, eventHash)
}

/** Returns the hash of an event. The hash covers the chained columns and the hash of the previous event. */
export function hashEvent(previousHash: string, row: ChainedAuditColumns, hash: HashFunction): string {
  const { at, request_id, subject, action, target, outcome, details_hash } = row
  return hash(JSON.stringify([previousHash, at, request_id, subject, action, target, outcome, details_hash]))
}

/** Returns the pseudonym of an account and creates it on first use. Returns null for a deleted account. */
async function getOrCreateAuditSubject(
  db: Db,
  accountId: string,
  createRandomText: () => string,
): Promise<string | null> {
  const subjectQuery = db.selectFrom('audit_subject').select('subject').where('account_id', '=', accountId)
  const existingSubject = await subjectQuery.executeTakeFirst()
  if (existingSubject) return existingSubject.subject
  await db
    .insertInto('audit_subject')
    .columns(['account_id', 'subject'])
    .expression((eb) =>
      eb
        .selectFrom('account')
        .select(['account_id', sql<string>`${`someone-${createRandomText()}`}`.as('subject')])
        .where('account_id', '=', accountId),
    )
    .execute()
  return (await subjectQuery.executeTakeFirst())?.subject ?? null
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
  const eventQuery = db
    .selectFrom('audit_event')
    .where('action', 'in', actions)
    .where('subject', '=', (eb) =>
      eb.selectFrom('audit_subject').select('subject').where('account_id', '=', accountId),
    )
  const rowsQuery = eventQuery
    .select(['audit_id', 'at', 'action', 'outcome', 'details'])
    .orderBy('audit_id', 'desc')
  return selectPage(rowsQuery, eventQuery, request)
}

interface AuditFilters extends PageRequest {
  action?: string | undefined
  outcome?: string | undefined
  user?: string | undefined
  search?: string | undefined
  /** Limits of the time of an event, in milliseconds since 1970: `from` is inclusive, `until` is exclusive. */
  from?: number | undefined
  until?: number | undefined
}

export async function selectAuditEvents(db: Db, filters: AuditFilters) {
  const { action, outcome, user, search, from: fromMs, until: untilMs } = filters
  const subjectQuery = db
    .selectFrom('audit_subject')
    .innerJoin('account', 'account.account_id', 'audit_subject.account_id')
    .select('subject')
  const eventQuery = db
    .selectFrom('audit_event')
    .$if(action !== undefined, (query) => query.where('action', '=', action ?? ''))
    .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome ?? ''))
    .$if(user !== undefined, (query) =>
      query.where('audit_event.subject', 'in', subjectQuery.where('account.account_id', '=', user ?? '')),
    )
    .$if(search !== undefined, (query) =>
      query.where(
        'audit_event.subject',
        'in',
        subjectQuery.where(containsText(db, sql.ref('account.email'), search ?? '')),
      ),
    )
    .$if(fromMs !== undefined, (query) => query.where('at', '>=', fromMs ?? 0))
    .$if(untilMs !== undefined, (query) => query.where('at', '<', untilMs ?? 0))
  const rowsQuery = eventQuery
    .leftJoin('audit_subject', 'audit_subject.subject', 'audit_event.subject')
    .leftJoin('account', 'account.account_id', 'audit_subject.account_id')
    .leftJoin('audit_subject as target_subject', 'target_subject.subject', 'audit_event.target')
    .select('target_subject.account_id as target_account_id')
    .select(['audit_id', 'at', 'request_id', 'action', 'target', 'outcome', 'details'])
    .select(['audit_event.subject', 'account.account_id', 'account.email'])
    .orderBy('audit_id', 'desc')
  return selectPage(rowsQuery, eventQuery, filters)
}

/** True if the log contains an event with this action and outcome. */
export async function hasAuditEvent(
  db: Db,
  { action, outcome }: Pick<AuditRow, 'action' | 'outcome'>,
): Promise<boolean> {
  const event = await db
    .selectFrom('audit_event')
    .select('audit_id')
    .where('action', '=', action)
    .where('outcome', '=', outcome)
    .limit(1)
    .executeTakeFirst()
  return event !== undefined
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
