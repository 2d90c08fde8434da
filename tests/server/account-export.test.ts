/**
 * Compares the account export with the database schema. Every table that belongs to an account or a profile must be
 * exported, with all its columns. A table or a column that is not exported must be listed in this file with the
 * reason. If a migration adds a table or a column, this test fails until the table or column is exported or listed.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '../../server/db/database.ts'
import { getDialect } from '../../server/db/ddl.ts'
import { ACCOUNT_EXPORT_SECTIONS } from '../../server/queries/account-export.ts'
import { HISTORY_EXPORT_SECTIONS } from '../../server/queries/history-export.ts'
import { NAMED_LIST_EXPORT_COLUMNS } from '../../server/queries/named-list-export.ts'
import { DATABASES } from '../support/server.ts'
import { TestClient } from '../support/test-client.ts'
import { type ImportHousehold, startImportHousehold } from './history-import/import-household.ts'

/** Tables with personal data that the account export omits. Each value is the reason. */
const EXCLUSION_REASONS_BY_TABLE: Record<string, string> = {
  pin_attempt: 'protects the PIN: number of wrong attempts',
  audit_subject: 'the pseudonym of the account in the audit log; the log identifies nobody without it',
  progress_removed: 'deleted by the user and stored only for the bin',
  play_removed: 'deleted by the user and stored only for the bin',
  viewing_edit_change: 'the history before a change, stored for Undo',
  viewing_edit: 'keys of changes of the history, stored only for Undo',
  history_import_row: 'rows of a file that the user uploaded; the imported data is in history',
  history_import_group: 'counts of history_import_row',
  history_change: 'the history before an import, stored to revert the import',
  device_authorization: 'secret: sign-in codes, which live ten minutes; the login they lead to is exported',
  remote_pairing: 'two devices that are connected at the moment; both are exported as logins',
  password_reset: 'secret: links to set a new password, which expire within a day',
  email_change: 'secret: links to change the email address; the change is in activity',
  totp: 'secret: the authenticator app; its set-up is in activity',
  recovery_code: 'secret: recovery codes',
  sign_in_step: 'secret: unfinished sign-ins, which live five minutes',
  removed_reaction: 'times of removed likes and ratings, which recognise repeated writes',
  viewing_time_addition: 'keys of added viewing time; the sum of a day is in viewing_days',
  viewing_session: 'how much of the playing time of a player is counted; the minutes are in viewing_days',
  calendar_feed: 'secret: the address of a calendar; what it shows is exported as the watchlist and history',
  backup_link: 'secret: single-use download links for backups',
  setting: 'installation data; stores the administrator who changed it last',
  job: 'installation data; stores the administrator who started it',
  block_rule: 'installation data; stores the administrator who created it',
  library_file: 'installation data: the files of the media folder',
}
const INTERNAL_ID_REASON = 'an internal id; the export contains names instead'
/** Columns that the account export omits, although their table is exported. Each value is the reason. */
const EXCLUSION_REASONS_BY_COLUMN: Record<string, string> = {
  'account.account_id': INTERNAL_ID_REASON,
  'account.password_hash': 'secret',
  'account.exit_pin_hash': 'secret',
  'login.sid': 'an id that tokens contain',
  'login.account_id': INTERNAL_ID_REASON,
  'login.active_profile_id': INTERNAL_ID_REASON,
  'login.kids_profile_id': INTERNAL_ID_REASON,
  'family_setting.account_id': INTERNAL_ID_REASON,
  'viewing_limit.profile_id': INTERNAL_ID_REASON,
  'viewing_limit.grace_day': 'the day of grace_started_at',
  'viewing_limit.grace_video': 'an internal id of the video that was finished',
  'viewing_limit.grace_ended': 'state of the player',
  'viewing_day.profile_id': INTERNAL_ID_REASON,
  'watch_request.request_id': INTERNAL_ID_REASON,
  'watch_request.profile_id': INTERNAL_ID_REASON,
  'watch_request.title_id': INTERNAL_ID_REASON,
  'recorded_search.profile_id': INTERNAL_ID_REASON,
  'login.token_hash': 'secret',
  'login.previous_hash': 'secret',
  'login.generation': 'protects the refresh token',
  'login.rotated_at': 'protects the refresh token',
  'login.unlocked_until': 'protects the PIN',
  'login.group_members': 'protects the PIN: who watches on the device at the moment',
  'login.unlock_generation': 'protects the PIN',
  'login.successor_used': 'protects the refresh token',
  'passkey.passkey_id': INTERNAL_ID_REASON,
  'passkey.account_id': INTERNAL_ID_REASON,
  'passkey.credential_id': 'identifies the passkey to its authenticator',
  'passkey.public_key': 'a key of the authenticator',
  'passkey.sign_count': 'detects copies of the passkey',
  'passkey.transports': 'how browsers reach the authenticator',
  'identity.identity_id': INTERNAL_ID_REASON,
  'identity.account_id': INTERNAL_ID_REASON,
  'identity.subject': 'an internal id of the identity provider',
  'api_key.key_id': INTERNAL_ID_REASON,
  'api_key.account_id': INTERNAL_ID_REASON,
  'api_key.profile_id': INTERNAL_ID_REASON,
  'api_key.token_hash': 'secret',
  'invitation.invitation_id': INTERNAL_ID_REASON,
  'invitation.token_hash': 'secret',
  'invitation.created_by': INTERNAL_ID_REASON,
  'invitation.used_by': 'identifies another person',
  'audit_event.audit_id': INTERNAL_ID_REASON,
  'audit_event.request_id': 'refers to a line in the server log',
  'audit_event.subject': 'see audit_subject',
  'audit_event.target': 'ids, including those of other people',
  'audit_event.details_hash': 'integrity check of the audit log',
  'audit_event.previous_hash': 'integrity check of the audit log',
  'audit_event.hash': 'integrity check of the audit log',
  'profile.profile_id': INTERNAL_ID_REASON,
  'profile.account_id': INTERNAL_ID_REASON,
  'profile.pin_generation': 'protects the PIN',
  'profile.denied_title_count': 'counts rows of title_rule',
  'profile.audience_version': 'identifies cached rows of title_rule',
  'profile.deleted_at': 'profiles in the bin are stored only for Undo and are not exported',
  'profile.pin_hash': 'secret',
  'watchlist_entry.in_watchlist': 'implied: an exported entry has a state',
  'watchlist_entry.updated_at': 'orders concurrent writes; added_at is exported',
  'named_list.list_id': INTERNAL_ID_REASON,
  'named_list.import_id': INTERNAL_ID_REASON,
  'named_list.created_at': 'orders the lists, which the export contains in this order',
  'named_list.updated_at': 'detects changes after an import',
  'named_list.deleted_at': 'deleted lists are stored only for Undo and are not exported',
  'named_list_entry.list_id': INTERNAL_ID_REASON,
  'named_list_entry.position': 'orders the titles, which the export contains in this order',
  'notice.notice_id': INTERNAL_ID_REASON,
  'notice_setting.unsubscribe_hash': 'secret',
  'push_subscription.sid': 'an id that tokens contain',
  'push_subscription.endpoint_hash': 'secret: the address of the browser at its push service',
  'push_subscription.subscription': 'secret: the keys of the browser at its push service',
  'push_subscription.pin_generation': 'protects the PIN',
  'push_subscription.last_notice_id': INTERNAL_ID_REASON,
  'push_subscription.failures': 'delays the next attempt',
  'push_subscription.retry_at': 'delays the next attempt',
  'history_import.import_id': INTERNAL_ID_REASON,
  'history_import.file_hash': 'detects a repeated upload of the same file',
  'history_import.done': 'progress of the import job',
  'history_import.total': 'progress of the import job',
  'history_import.message': 'progress of the import job',
  'history_import.heartbeat_at': 'progress of the import job',
}
/** Matches names of columns that may refer to an account or a profile even if the column has no foreign key. */
const PERSONAL_COLUMN_PATTERN = /(^|_)(account|profile|user|owner|subject|sid|by)(_id)?$/

interface SchemaTable {
  name: string
  columns: { name: string; isNumber: boolean; isRequired: boolean }[]
}
async function selectTables(db: Db): Promise<SchemaTable[]> {
  const tables = await db.introspection.getTables()
  const productTables = tables.filter(
    ({ name, isView }) => !isView && !/^(kysely|sqlite)_|^search/.test(name),
  )
  return productTables.map(({ name, columns }) => ({
    name,
    columns: columns.map((column) => ({
      name: column.name,
      isNumber: /int|real|double/i.test(column.dataType),
      isRequired: !column.isNullable && !column.hasDefaultValue && !column.isAutoIncrementing,
    })),
  }))
}

/** Returns every foreign key as a pair of the referring (child) and the referenced (parent) table. */
async function selectForeignKeys(db: Db): Promise<{ child: string; parent: string }[]> {
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

/**
 * Returns `account`, `profile` and every table with a column that matches PERSONAL_COLUMN_PATTERN. Also returns every
 * table whose foreign keys lead to one of these tables, directly or through other tables.
 */
async function selectPersonalTables(db: Db): Promise<SchemaTable[]> {
  const tables = await selectTables(db)
  const foreignKeys = await selectForeignKeys(db)
  const personalTableNames = new Set(['account', 'profile'])
  for (const { name, columns } of tables)
    if (columns.some((column) => PERSONAL_COLUMN_PATTERN.test(column.name))) personalTableNames.add(name)
  for (let previousCount = -1; previousCount !== personalTableNames.size; ) {
    previousCount = personalTableNames.size
    for (const { child, parent } of foreignKeys)
      if (personalTableNames.has(parent)) personalTableNames.add(child)
  }
  return tables.filter(({ name }) => personalTableNames.has(name))
}

/** Returns the exported columns of a table, or null if the table is not exported. */
function findExportedColumns(tableName: string): string[] | null {
  const historySection = Object.values(HISTORY_EXPORT_SECTIONS).find((section) => section.table === tableName)
  if (historySection)
    return [
      historySection.timeColumn,
      ...historySection.tieBreakerColumns,
      ...historySection.columns,
      'title_id',
      'profile_id',
    ]
  const accountSection = Object.values(ACCOUNT_EXPORT_SECTIONS).find((section) => section.table === tableName)
  if (NAMED_LIST_EXPORT_COLUMNS[tableName]) return [...NAMED_LIST_EXPORT_COLUMNS[tableName]]
  if (!accountSection) return null
  const ownerColumns = accountSection.ownerKind === 'profile' && tableName !== 'profile' ? ['profile_id'] : []
  return [
    ...Object.keys(accountSection.columns),
    ...(accountSection.titlePresence ? ['title_id'] : []),
    ...ownerColumns,
  ]
}

const SECRETS = ['a-password-hash', 'a-pin-hash', 'a-token-hash', 'an-older-hash']

describe.each(DATABASES)('account export on %s', () => {
  let testHousehold: ImportHousehold
  let db: Db
  beforeAll(async () => {
    testHousehold = await startImportHousehold()
    db = testHousehold.server.database.primary
  }, 120_000)
  afterAll(() => testHousehold.server.close())

  const downloadExport = async (profileId = testHousehold.adultId) => {
    const response = await testHousehold.server.request('/api/auth/user-account/export', {
      headers: {
        Authorization: `Bearer ${testHousehold.adult.accessToken}`,
        'X-Profile-Id': profileId,
      },
    })
    expect(response.status).toBe(200)
    return response.text()
  }

  it('the export contains every personal table and column, except those whose exclusion is listed with a reason', async () => {
    const personalTables = await selectPersonalTables(db)
    expect(personalTables.length).toBeGreaterThan(20)
    const missingNames = personalTables.flatMap(({ name, columns }) => {
      const exportedColumns = findExportedColumns(name)
      if (!exportedColumns) return EXCLUSION_REASONS_BY_TABLE[name] ? [] : [name]
      if (EXCLUSION_REASONS_BY_TABLE[name]) return [`${name} is exported and also listed as not exported`]
      return columns
        .map((column) => `${name}.${column.name}`)
        .filter(
          (column) =>
            !exportedColumns.includes(column.split('.')[1] ?? '') && !EXCLUSION_REASONS_BY_COLUMN[column],
        )
    })
    expect(missingNames).toEqual([])
    const existingTableAndColumnNames = personalTables.flatMap(({ name, columns }) => [
      name,
      ...columns.map((column) => `${name}.${column.name}`),
    ])
    const listedNames = [
      ...Object.keys(EXCLUSION_REASONS_BY_TABLE),
      ...Object.keys(EXCLUSION_REASONS_BY_COLUMN),
    ]
    expect(listedNames.filter((name) => !existingTableAndColumnNames.includes(name))).toEqual([])
  })

  it('the download ends with an error when the device is signed out before the end of the file', async () => {
    const { server } = testHousehold
    const invitations = Array.from({ length: 2_000 }, (_, index) => ({
      invitation_id: `export-${index}`,
      token_hash: `export-${index}`,
      email: `${'guest'.repeat(20)}${index}@example.org`,
      role: 'user',
      language: null,
      created_at: 0,
      expires_at: 0,
    }))
    const { email, account_id } = await db
      .selectFrom('account')
      .select(['email', 'account_id'])
      .executeTakeFirstOrThrow()
    for (let index = 0; index < invitations.length; index += 200)
      await db
        .insertInto('invitation')
        .values(invitations.slice(index, index + 200).map((row) => ({ ...row, created_by: account_id })))
        .execute()
    const device = new TestClient(server)
    await device.login(email)
    const response = await server.request('/api/auth/user-account/export', {
      headers: { Authorization: `Bearer ${device.accessToken}`, 'X-Profile-Id': testHousehold.adultId },
    })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    expect((await reader.read()).done).toBe(false)
    expect((await device.post('/api/auth/logout')).status).toBe(204)
    const readRemainingText = async () => {
      for (let isDone = false; !isDone; ) isDone = (await reader.read()).done
    }
    await expect(readRemainingText()).rejects.toMatchObject({ type: 'unauthorized' })
    await db.deleteFrom('invitation').where('invitation_id', 'like', 'export-%').execute()
  })

  it('the export contains the rows of each exported table and no secrets', async () => {
    const { account_id } = await db.selectFrom('account').select('account_id').executeTakeFirstOrThrow()
    const [visibleTitle, mutedTitle] = await db
      .selectFrom('title')
      .select('title_id')
      .where('published', '=', 1)
      .limit(2)
      .execute()
    await db.updateTable('login').set({ previous_hash: 'an-older-hash' }).execute()
    const tablesByName = new Map((await selectTables(db)).map((table) => [table.name, table]))
    const { subject } = await db.selectFrom('audit_subject').select('subject').executeTakeFirstOrThrow()
    const ownerIds = { account: account_id, subject, profile: testHousehold.adultId }
    const { sid } = await db.selectFrom('login').select('sid').executeTakeFirstOrThrow()
    for (const [name, section] of Object.entries(ACCOUNT_EXPORT_SECTIONS)) {
      if (section.table === 'account' || section.table === 'profile' || section.table === 'login') continue
      const row: Record<string, unknown> = {}
      for (const column of tablesByName.get(section.table)?.columns ?? []) {
        const columnFormat = (section.columns as Record<string, string>)[column.name]
        if (!columnFormat && !column.isRequired && column.name !== 'title_id') continue
        row[column.name] = column.isNumber
          ? 1_700_000_000
          : columnFormat
            ? `${name} ${column.name}`
            : `x ${name}`
        if (columnFormat === 'json') row[column.name] = `{"of":"${name} ${column.name}"}`
        if (columnFormat === 'details')
          row[column.name] = `{"device_name":"${name} details","ip":null,"salt":"a-salt"}`
        if (column.name === 'title_id') row[column.name] = visibleTitle?.title_id
        if (column.name === 'token_hash') row[column.name] = 'a-token-hash'
        if (column.name === 'sid') row[column.name] = sid
      }
      row[section.ownerColumn] = ownerIds[section.ownerKind]
      await db
        .insertInto(section.table as 'notice')
        .values(row as never)
        .execute()
    }
    await db.updateTable('profile').set({ home_rows: '[{"row":"genre-18","hidden":true}]' }).execute()
    await testHousehold.adult.put(
      `/api/profile/${testHousehold.adultId}/notifications/muted/movie/${mutedTitle?.title_id}`,
      {
        muted: true,
      },
    )
    const exportText = await downloadExport()
    const exportedData = JSON.parse(exportText)
    for (const [name, section] of Object.entries(ACCOUNT_EXPORT_SECTIONS)) {
      const exportedRows: Record<string, unknown>[] = exportedData[name]
      expect(exportedRows.length, name).toBeGreaterThan(0)
      for (const column of Object.keys(section.columns)) expect(exportedRows[0], name).toHaveProperty(column)
      for (const [column, format] of Object.entries(section.columns)) {
        const table = tablesByName.get(section.table)
        const isNumber = table?.columns.find((tableColumn) => tableColumn.name === column)?.isNumber
        if (isNumber || ['account', 'profiles', 'devices'].includes(name)) continue
        const expectedValue = `${name} ${column}`
        const columnValues = exportedRows.map((exportedRow) => exportedRow[column])
        if (format === 'json') expect(columnValues).toContainEqual({ of: expectedValue })
        else if (format === 'details')
          expect(columnValues).toContainEqual({ device_name: expectedValue, ip: null })
        else expect(columnValues).toContain(expectedValue)
      }
    }
    expect(exportedData.account).toMatchObject([{ email: 'alice@example.com', role: 'admin' }])
    expect(exportedData.profiles.map((profile: { name: string }) => profile.name).sort()).toEqual([
      'Alice',
      'Kid',
    ])
    expect(exportedData.profiles[0].home_rows).toEqual([{ row: 'genre-18', hidden: true }])
    expect(exportedData.interactions[0]).toMatchObject({ profile: 'Alice', title: expect.any(String) })
    for (const secret of [...SECRETS, 'a-salt']) expect(exportText).not.toContain(secret)
    const passwordHashRows = await db.selectFrom('account').select('password_hash').execute()
    const loginRows = await db.selectFrom('login').select(['token_hash', 'sid']).execute()
    for (const secret of [...passwordHashRows, ...loginRows].flatMap((row) => Object.values(row)))
      expect(exportText).not.toContain(secret)
  })

  it('the export contains the watch request of a child for a title that the child may not see, unless the main profile is locked', async () => {
    const { adult, kid, kidId } = testHousehold
    const hiddenTitle = await db
      .selectFrom('title')
      .select(['title_id', 'imdb_id'])
      .where('original_title', '=', 'Fight Club')
      .executeTakeFirstOrThrow()
    expect((await kid.get(`/api/movies/${hiddenTitle.title_id}`)).status).toBe(404)
    const request = { request_id: 'request-of-kid', profile_id: kidId, title_id: hiddenTitle.title_id }
    const unansweredColumns = { answer: null, answered_at: null, expires_at: null, used_at: null }
    await db
      .insertInto('watch_request')
      .values({ ...request, reason: 'Everybody has seen it.', created_at: Date.now(), ...unansweredColumns })
      .execute()
    const { watch_requests } = JSON.parse(await downloadExport())
    expect(watch_requests).toContainEqual(
      expect.objectContaining({
        profile: 'Kid',
        title: 'Fight Club',
        imdb_id: hiddenTitle.imdb_id,
        reason: 'Everybody has seen it.',
        answer: null,
      }),
    )
    const otherProfileId = (await adult.post('/api/profile', { name: 'Other' })).body.profile_id
    const setPinHash = (pinHash: string | null) =>
      db.updateTable('profile').set({ pin_hash: pinHash }).where('main', '=', 1).execute()
    await setPinHash('a-pin-hash')
    expect(JSON.parse(await downloadExport(otherProfileId)).watch_requests).toEqual([])
    await setPinHash(null)
    await db.deleteFrom('profile').where('profile_id', '=', otherProfileId).execute()
  })

  it('the export omits locked profiles, and data reserved for the main profile while that profile is locked', async () => {
    const otherProfileId = (await testHousehold.adult.post('/api/profile', { name: 'Another' })).body
      .profile_id
    await db.updateTable('profile').set({ pin_hash: 'a-pin-hash' }).where('main', '=', 1).execute()
    const exportText = await downloadExport(otherProfileId)
    const exportedData = JSON.parse(exportText)
    expect(exportedData).toMatchObject({
      locked_profiles: ['Alice'],
      invitations: [],
      activity: [],
      muted: [],
    })
    expect(exportedData.profiles.map((profile: { name: string }) => profile.name).sort()).toEqual([
      'Another',
      'Kid',
    ])
    expect(exportText).not.toContain('a-pin-hash')
  })
})
