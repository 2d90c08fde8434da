/**
 * The file of a whole account, held against the database itself: every table that belongs to an account or a profile, and
 * every column of it, is in the file or is left out here for a reason. What a later migration adds fails this until then.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '../../server/db/database.ts'
import { getDialect } from '../../server/db/ddl.ts'
import { ACCOUNT_EXPORT_SECTIONS } from '../../server/queries/account-export.ts'
import { HISTORY_EXPORT_SECTIONS } from '../../server/queries/history-export.ts'
import { DATABASES } from '../support/server.ts'
import { type Household, household } from './history-import/household.ts'

/** Whole tables that stay out. */
const TABLES_LEFT_OUT: Record<string, string> = {
  pin_attempt: 'guards the PIN: how often it was guessed wrong',
  device_profile: 'guards the PIN: which device need not be asked for it until when',
  audit_subject: 'the random name by which the log does not say who; without it, the log names nobody',
  progress_removed: 'was taken away by the person, and waits for Undo alone',
  play_removed: 'was taken away by the person, and waits for Undo alone',
  history_import_row: 'the file that the person brought, row by row; what was taken from it is in history',
  history_import_group: 'counts of history_import_row',
  history_change: 'what history was before an import, to take it back',
  backup_link: 'secrets: addresses that hand out a backup once',
  setting: 'of the house; says which administrator changed it last',
  job: 'work of the house; says which administrator began it',
  block_rule: 'of the house; says which administrator made it',
}
const ID = 'an id of ours; in the file, names stand for it'
/** Columns of the others. */
const COLUMNS_LEFT_OUT: Record<string, string> = {
  'account.account_id': ID,
  'account.password_hash': 'secret',
  'login.sid': 'an id that tokens carry',
  'login.account_id': ID,
  'login.active_profile_id': ID,
  'login.token_hash': 'secret',
  'login.previous_hash': 'secret',
  'login.generation': 'guards the token',
  'login.rotated_at': 'guards the token',
  'login.successor_used': 'guards the token',
  'invitation.invitation_id': ID,
  'invitation.token_hash': 'secret',
  'invitation.created_by': ID,
  'invitation.used_by': 'somebody else',
  'audit_event.audit_id': ID,
  'audit_event.request_id': 'finds the line in the log of the service',
  'audit_event.subject': 'see audit_subject',
  'audit_event.target': 'ids, also of somebody else',
  'audit_event.details_hash': 'proof that the log is whole',
  'audit_event.previous_hash': 'proof that the log is whole',
  'audit_event.hash': 'proof that the log is whole',
  'profile.profile_id': ID,
  'profile.account_id': ID,
  'profile.pin_hash': 'secret',
  'watchlist_entry.in_watchlist': 'is there when it has a state',
  'watchlist_entry.updated_at': 'orders writes; when it was added is there',
  'notice.notice_id': ID,
  'history_import.import_id': ID,
  'history_import.file_hash': 'tells whether a file comes a second time',
  'history_import.done': 'how far a run is',
  'history_import.total': 'how far a run is',
  'history_import.message': 'how far a run is',
  'history_import.heartbeat_at': 'how far a run is',
}
/** Columns that name somebody without the database knowing. */
const NAMES_SOMEBODY = /(^|_)(account|profile|user|owner|subject|sid|by)(_id)?$/

interface Table {
  name: string
  columns: { name: string; number: boolean; needed: boolean }[]
}
async function tablesOf(db: Db): Promise<Table[]> {
  const found = await db.introspection.getTables()
  const ours = found.filter(({ name, isView }) => !isView && !/^(kysely|sqlite)_|^search/.test(name))
  return ours.map(({ name, columns }) => ({
    name,
    columns: columns.map((one) => ({
      name: one.name,
      number: /int|real|double/i.test(one.dataType),
      needed: !one.isNullable && !one.hasDefaultValue && !one.isAutoIncrementing,
    })),
  }))
}

/** Pairs: a table, and one whose rows its rows belong to. */
async function belongings(db: Db): Promise<{ child: string; parent: string }[]> {
  if (getDialect(db) === 'sqlite') {
    const { rows } = await sql<{ child: string; parent: string }>`
      select m.name as child, f."table" as parent from sqlite_master m, pragma_foreign_key_list(m.name) f
      where m.type = 'table'
    `.execute(db)
    return rows
  }
  const { rows } = await sql<{ child: string; parent: string }>`
    select c.relname as child, p.relname as parent from pg_constraint k
    join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid where k.contype = 'f'
  `.execute(db)
  return rows
}

async function tablesOfSomebody(db: Db): Promise<Table[]> {
  const tables = await tablesOf(db)
  const pairs = await belongings(db)
  const theirs = new Set(['account', 'profile'])
  for (const { name, columns } of tables)
    if (columns.some((column) => NAMES_SOMEBODY.test(column.name))) theirs.add(name)
  for (let before = -1; before !== theirs.size; ) {
    before = theirs.size
    for (const { child, parent } of pairs) if (theirs.has(parent)) theirs.add(child)
  }
  return tables.filter(({ name }) => theirs.has(name))
}

/** The columns of a table that go out; null when the table does not. */
function columnsOut(table: string): string[] | null {
  const history = Object.values(HISTORY_EXPORT_SECTIONS).find((part) => part.table === table)
  if (history) return [history.at, ...history.ties, ...history.columns, 'title_id', 'profile_id']
  const part = Object.values(ACCOUNT_EXPORT_SECTIONS).find((one) => one.table === table)
  if (!part) return null
  const whose = part.of === 'profile' && table !== 'profile' ? ['profile_id'] : []
  return [...Object.keys(part.columns), ...(part.title ? ['title_id'] : []), ...whose]
}

const SECRETS = ['a-password-hash', 'a-pin-hash', 'a-token-hash', 'an-older-hash']

describe.each(DATABASES)('on %s', (_name, open) => {
  let home: Household
  let db: Db
  beforeAll(async () => {
    home = await household(await open())
    db = home.server.database.primary
  }, 120_000)
  afterAll(() => home.server.close())

  const file = async () => {
    const response = await home.server.request('/api/auth/user-account/export', {
      headers: { Authorization: `Bearer ${home.adult.accessToken}`, 'X-Profile-Id': home.adultId },
    })
    expect(response.status).toBe(200)
    return response.text()
  }

  it('every table and column of somebody is in it, or left out for a reason', async () => {
    const theirs = await tablesOfSomebody(db)
    expect(theirs.length).toBeGreaterThan(20)
    const forgotten = theirs.flatMap(({ name, columns }) => {
      const out = columnsOut(name)
      if (!out) return TABLES_LEFT_OUT[name] ? [] : [name]
      if (TABLES_LEFT_OUT[name]) return [`${name} is in the file and left out`]
      return columns
        .map((column) => `${name}.${column.name}`)
        .filter((column) => !out.includes(column.split('.')[1] ?? '') && !COLUMNS_LEFT_OUT[column])
    })
    expect(forgotten).toEqual([])
    const all = theirs.flatMap(({ name, columns }) => [name, ...columns.map((one) => `${name}.${one.name}`)])
    const gone = [...Object.keys(TABLES_LEFT_OUT), ...Object.keys(COLUMNS_LEFT_OUT)]
    expect(gone.filter((one) => !all.includes(one))).toEqual([])
  })

  it('holds what each of these tables has, and no secret', async () => {
    const { account_id } = await db.selectFrom('account').select('account_id').executeTakeFirstOrThrow()
    const [shown, other] = await db
      .selectFrom('title')
      .select('title_id')
      .where('published', '=', 1)
      .limit(2)
      .execute()
    await db.updateTable('login').set({ previous_hash: 'an-older-hash' }).execute()
    const tables = new Map((await tablesOf(db)).map((table) => [table.name, table]))
    const { subject } = await db.selectFrom('audit_subject').select('subject').executeTakeFirstOrThrow()
    const owner = { account: account_id, subject, profile: home.adultId }
    for (const [name, part] of Object.entries(ACCOUNT_EXPORT_SECTIONS)) {
      if (part.table === 'account' || part.table === 'profile' || part.table === 'login') continue
      const row: Record<string, unknown> = {}
      for (const column of tables.get(part.table)?.columns ?? []) {
        const form = (part.columns as Record<string, string>)[column.name]
        if (!form && !column.needed && column.name !== 'title_id') continue
        row[column.name] = column.number ? 1_700_000_000 : form ? `${name} ${column.name}` : `x ${name}`
        if (form === 'json') row[column.name] = `{"of":"${name} ${column.name}"}`
        if (form === 'details')
          row[column.name] = `{"device_name":"${name} details","ip":null,"salt":"a-salt"}`
        if (column.name === 'title_id') row[column.name] = shown?.title_id
        if (column.name === 'token_hash') row[column.name] = 'a-token-hash'
      }
      row[part.owner] = owner[part.of]
      await db
        .insertInto(part.table as 'notice')
        .values(row as never)
        .execute()
    }
    await db.updateTable('profile').set({ home_rows: '[{"row":"genre-18","hidden":true}]' }).execute()
    await home.adult.put(`/api/profile/${home.adultId}/notifications/muted/movie/${other?.title_id}`, {
      muted: true,
    })
    const text = await file()
    const all = JSON.parse(text)
    for (const [name, part] of Object.entries(ACCOUNT_EXPORT_SECTIONS)) {
      const entries: Record<string, unknown>[] = all[name]
      expect(entries.length, name).toBeGreaterThan(0)
      for (const column of Object.keys(part.columns)) expect(entries[0], name).toHaveProperty(column)
      for (const [column, form] of Object.entries(part.columns)) {
        const number = tables.get(part.table)?.columns.find((one) => one.name === column)?.number
        if (number || ['account', 'profiles', 'devices'].includes(name)) continue
        const wanted = `${name} ${column}`
        const said = entries.map((entry) => entry[column])
        if (form === 'json') expect(said).toContainEqual({ of: wanted })
        else if (form === 'details') expect(said).toContainEqual({ device_name: wanted, ip: null })
        else expect(said).toContain(wanted)
      }
    }
    expect(all.account).toMatchObject([{ email: 'alice@example.com', role: 'admin' }])
    expect(all.profiles.map((one: { name: string }) => one.name).sort()).toEqual(['Alice', 'Kid'])
    expect(all.profiles[0].home_rows).toEqual([{ row: 'genre-18', hidden: true }])
    expect(all.interactions[0]).toMatchObject({ profile: 'Alice', title: expect.any(String) })
    for (const secret of [...SECRETS, 'a-salt']) expect(text).not.toContain(secret)
    const hashes = await db.selectFrom('account').select('password_hash').execute()
    const tokens = await db.selectFrom('login').select(['token_hash', 'sid']).execute()
    for (const one of [...hashes, ...tokens].flatMap((row) => Object.values(row)))
      expect(text).not.toContain(one)
  })

  it('is short of others’, and of what only the main profile may see where it is locked', async () => {
    await home.adult.post('/api/profile', { name: 'Another' })
    await db.updateTable('profile').set({ pin_hash: 'a-pin-hash' }).where('main', '=', 1).execute()
    const text = await file()
    const all = JSON.parse(text)
    expect(all).toMatchObject({ locked_profiles: ['Alice'], invitations: [], activity: [], muted: [] })
    expect(all.profiles.map((one: { name: string }) => one.name).sort()).toEqual(['Another', 'Kid'])
    expect(text).not.toContain('a-pin-hash')
  })
})
