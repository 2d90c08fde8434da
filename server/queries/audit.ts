/**
 * The audit log. Its chain covers when, what, to what, with which outcome and under which random name (`subject`), and of
 * everything else (device, address, profile) only a salted hash. So an account can go: the link from its random name to it
 * goes with it, its details are emptied, and every hash still fits.
 */
import { type Selectable, sql } from 'kysely'
import { lockUntilCommit } from '../db/lock.ts'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'

type AuditRow = Selectable<Schema['audit_event']>
/** What the chain covers beside the hash before. */
type Covered = Pick<
  AuditRow,
  'at' | 'request_id' | 'subject' | 'action' | 'target' | 'outcome' | 'details_hash'
>
type Hash = (text: string) => string

export interface NewEvent extends Omit<Covered, 'subject' | 'details_hash'> {
  accountId: string | null
  details: Record<string, string | null>
}

/** Appends an event to the chain. Call it inside a transaction; `random` gives a salt or a name. */
export async function appendAudit(
  db: Db,
  { accountId, details, ...event }: NewEvent,
  { hash, random }: { hash: Hash; random: () => string },
): Promise<void> {
  await lockUntilCommit(db, 'audit')
  const last = await db
    .selectFrom('audit_event')
    .select('hash')
    .orderBy('audit_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const previous_hash = last?.hash ?? ''
  const text = JSON.stringify({ salt: random(), ...details })
  const subject = accountId === null ? null : await subjectOf(db, accountId, random)
  const covered = { ...event, subject, details_hash: hash(text) }
  await db
    .insertInto('audit_event')
    .values({ ...covered, details: text, previous_hash, hash: chained(previous_hash, covered, hash) })
    .execute()
}

function chained(previous: string, row: Covered, hash: Hash): string {
  const { at, request_id, subject, action, target, outcome, details_hash } = row
  return hash(JSON.stringify([previous, at, request_id, subject, action, target, outcome, details_hash]))
}

/** The account's name in the log, made when it first acts. Null for an account that is gone. */
async function subjectOf(db: Db, accountId: string, random: () => string): Promise<string | null> {
  const mine = db.selectFrom('audit_subject').select('subject').where('account_id', '=', accountId)
  const known = await mine.executeTakeFirst()
  if (known) return known.subject
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
  return (await mine.executeTakeFirst())?.subject ?? null
}

/** Empties what the log holds about an account beside its random name. Call it before the account is deleted. */
export async function forgetAccount(db: Db, accountId: string): Promise<void> {
  await db
    .updateTable('audit_event')
    .set({ details: null })
    .where('subject', '=', (eb) =>
      eb.selectFrom('audit_subject').select('subject').where('account_id', '=', accountId),
    )
    .execute()
}

export async function activitiesOf(
  db: Db,
  accountId: string,
  { actions, page, limit }: { actions: readonly string[]; page: number; limit: number },
) {
  const mine = db
    .selectFrom('audit_event')
    .where('action', 'in', actions)
    .where('subject', '=', (eb) =>
      eb.selectFrom('audit_subject').select('subject').where('account_id', '=', accountId),
    )
  const rows = await mine
    .select(['audit_id', 'at', 'action', 'outcome', 'details'])
    .orderBy('audit_id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const { total } = await mine.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}

interface Filters {
  action?: string | undefined
  outcome?: string | undefined
  user?: string | undefined
  search?: string | undefined
  /** Milliseconds; the end is not included. */
  from?: number | undefined
  until?: number | undefined
  page: number
  limit: number
}

export async function listAudit(db: Db, filters: Filters) {
  const { action, outcome, user, search, from, until, page, limit } = filters
  const named = (column: 'account_id' | 'email', sign: '=' | 'like', value: string) =>
    db
      .selectFrom('audit_subject')
      .innerJoin('account', 'account.account_id', 'audit_subject.account_id')
      .select('subject')
      .where(sql<boolean>`account.${sql.ref(column)} ${sql.raw(sign)} ${value}`)
  const pattern = `%${(search ?? '').toLowerCase().replace(/[\\%_]/g, '')}%`
  const events = db
    .selectFrom('audit_event')
    .$if(action !== undefined, (query) => query.where('action', '=', action ?? ''))
    .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome ?? ''))
    .$if(user !== undefined, (query) =>
      query.where('audit_event.subject', 'in', named('account_id', '=', user ?? '')),
    )
    .$if(search !== undefined, (query) =>
      query.where('audit_event.subject', 'in', named('email', 'like', pattern)),
    )
    .$if(from !== undefined, (query) => query.where('at', '>=', from ?? 0))
    .$if(until !== undefined, (query) => query.where('at', '<', until ?? 0))
  const rows = await events
    .leftJoin('audit_subject', 'audit_subject.subject', 'audit_event.subject')
    .leftJoin('account', 'account.account_id', 'audit_subject.account_id')
    .select(['audit_id', 'at', 'request_id', 'action', 'target', 'outcome', 'details'])
    .select(['audit_event.subject', 'account.account_id', 'account.email'])
    .orderBy('audit_id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const { total } = await events
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}

/** Every action of the log: a step through the index per action, not a walk over the events. */
export async function auditActions(db: Db): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    with recursive one (action) as (
      select min(action) from audit_event
      union all
      select (select min(e.action) from audit_event e where e.action > one.action) from one where one.action is not null
    )
    select action from one where action is not null`.execute(db)
  return rows.map((row) => row.action)
}

export interface ChainPoint {
  auditId: number
  hash: string
  events: number
}

/**
 * Checks up to `limit` events after a point; `broken` is the first that does not fit. Null where nothing follows. Details
 * that are still there have to fit too. The oldest event may follow one that retention removed.
 */
export async function checkChain(
  db: Db,
  from: ChainPoint | null,
  { limit, hash }: { limit: number; hash: Hash },
): Promise<{ point: ChainPoint; broken: number | null } | null> {
  const rows = await db
    .selectFrom('audit_event')
    .selectAll()
    .where('audit_id', '>', from?.auditId ?? 0)
    .orderBy('audit_id')
    .limit(limit)
    .execute()
  const first = rows[0]
  if (!first) return null
  let point = from ?? { auditId: 0, hash: first.previous_hash, events: 0 }
  for (const row of rows) {
    const fits =
      row.previous_hash === point.hash &&
      row.hash === chained(row.previous_hash, row, hash) &&
      (row.details === null || hash(row.details) === row.details_hash)
    if (!fits) return { point, broken: row.audit_id }
    point = { auditId: row.audit_id, hash: row.hash, events: point.events + 1 }
  }
  return { point, broken: null }
}

/** The hash of one event, to see whether what was checked before still stands. */
export async function auditHash(db: Db, auditId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('audit_event')
    .select('hash')
    .where('audit_id', '=', auditId)
    .executeTakeFirst()
  return row?.hash
}

/** Removes events of long ago from the beginning of the chain. */
export async function pruneAudit(db: Db, before: number): Promise<number> {
  const { last } = await db
    .selectFrom('audit_event')
    .select((eb) => eb.fn.max('audit_id').as('last'))
    .where('at', '<', before)
    .executeTakeFirstOrThrow()
  if (last === null) return 0
  const { numDeletedRows } = await db
    .deleteFrom('audit_event')
    .where('audit_id', '<=', last)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
