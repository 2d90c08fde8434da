/**
 * Sections of the account export other than history and named lists, with their tables and columns.
 * tests/server/account-export.test.ts checks every table that has rows of an account or profile. Each such table must
 * be listed here, in history-export.ts or in named-list-export.ts, or the test must exclude the table with a reason.
 */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { selectEnglishTitleNames } from './history-export.ts'
import { type Audience, queryVisibleTitles } from './title-scope.ts'
import type { TrackingRow } from './tracking-row.ts'

/**
 * Format of a column in the export file. `details` is the JSON of an audit event. `guide` is the limits of the parental
 * guide, which the column stores as one packed number.
 */
export type ExportColumnFormat = 'plain' | 'flag' | 'time' | 'json' | 'details' | 'guide'
type ColumnName<T extends keyof DatabaseSchema> = Extract<keyof DatabaseSchema[T], string>
interface ExportSectionDefinition {
  table: keyof DatabaseSchema
  /** Kind of id in the column `ownerColumn`. `subject` is the pseudonym of the account in the audit log. */
  ownerKind: 'account' | 'subject' | 'profile'
  ownerColumn: string
  /** Column that sorts the rows. Its values are unique among the rows of one owner. */
  sortColumn: string
  columns: Record<string, ExportColumnFormat>
  /** Set when rows refer to a title: `always` when each row has a title, `maybe` when `title_id` can be null. */
  titlePresence?: 'always' | 'maybe'
}

const defineExportSection = <T extends keyof DatabaseSchema>(
  table: T,
  sectionOptions: Pick<ExportSectionDefinition, 'ownerKind' | 'titlePresence'> & {
    ownerColumn: ColumnName<T>
    sortColumn: ColumnName<T>
  },
  columns: { [name in ColumnName<T>]?: ExportColumnFormat },
): ExportSectionDefinition => ({
  table,
  ...sectionOptions,
  columns: columns as Record<string, ExportColumnFormat>,
})

const PROFILE_OWNER = { ownerKind: 'profile', ownerColumn: 'profile_id' } as const

/** Sections by their name in the export file, in the order in which the file contains them. */
export const ACCOUNT_EXPORT_SECTIONS = {
  account: defineExportSection(
    'account',
    { ownerKind: 'account', ownerColumn: 'account_id', sortColumn: 'account_id' },
    {
      email: 'plain',
      role: 'plain',
      onboarded: 'flag',
      blocked: 'flag',
      interface_language: 'plain',
      title_language: 'plain',
      media_quality: 'plain',
      created_at: 'time',
    },
  ),
  devices: defineExportSection(
    'login',
    { ownerKind: 'account', ownerColumn: 'account_id', sortColumn: 'sid' },
    {
      device_name: 'plain',
      user_agent: 'plain',
      ip: 'plain',
      time_zone: 'plain',
      created_at: 'time',
      last_active_at: 'time',
      expires_at: 'time',
      second_factor_at: 'time',
    },
  ),
  passkeys: defineExportSection(
    'passkey',
    { ownerKind: 'account', ownerColumn: 'account_id', sortColumn: 'passkey_id' },
    { name: 'plain', synced: 'flag', created_at: 'time', last_used_at: 'time' },
  ),
  identities: defineExportSection(
    'identity',
    { ownerKind: 'account', ownerColumn: 'account_id', sortColumn: 'identity_id' },
    { issuer: 'plain', name: 'plain', created_at: 'time', last_used_at: 'time' },
  ),
  api_keys: defineExportSection(
    'api_key',
    { ownerKind: 'account', ownerColumn: 'account_id', sortColumn: 'key_id' },
    { name: 'plain', scopes: 'json', created_at: 'time', expires_at: 'time', last_used_at: 'time' },
  ),
  invitations: defineExportSection(
    'invitation',
    { ownerKind: 'account', ownerColumn: 'created_by', sortColumn: 'invitation_id' },
    {
      email: 'plain',
      role: 'plain',
      language: 'plain',
      created_at: 'time',
      expires_at: 'time',
      used_at: 'time',
      revoked_at: 'time',
    },
  ),
  activity: defineExportSection(
    'audit_event',
    { ownerKind: 'subject', ownerColumn: 'subject', sortColumn: 'audit_id' },
    { at: 'time', action: 'plain', outcome: 'plain', details: 'details' },
  ),
  profiles: defineExportSection(
    'profile',
    { ...PROFILE_OWNER, sortColumn: 'profile_id' },
    {
      name: 'plain',
      avatar: 'plain',
      main: 'flag',
      kids: 'flag',
      language: 'plain',
      content_genres: 'json',
      autoplay_next: 'flag',
      autoplay_previews: 'flag',
      hide_spoilers: 'flag',
      home_rows: 'json',
      text_size: 'plain',
      high_contrast: 'flag',
      less_motion: 'flag',
      captions: 'flag',
      simple_home: 'flag',
      media_title_language: 'plain',
      max_age: 'plain',
      guide_limits: 'guide',
      accepts_unknown_guide: 'flag',
      may_ask: 'flag',
      spoken_labels: 'flag',
      created_at: 'time',
    },
  ),
  family_settings: defineExportSection(
    'family_setting',
    { ownerKind: 'account', ownerColumn: 'account_id', sortColumn: 'account_id' },
    { time_zone: 'plain', weekend: 'plain' },
  ),
  viewing_limits: defineExportSection(
    'viewing_limit',
    { ...PROFILE_OWNER, sortColumn: 'profile_id' },
    {
      school_day_minutes: 'plain',
      weekend_minutes: 'plain',
      quiet_start: 'plain',
      quiet_end: 'plain',
      quiet_off_from: 'time',
      quiet_off_until: 'time',
      grace_started_at: 'time',
    },
  ),
  viewing_days: defineExportSection(
    'viewing_day',
    { ...PROFILE_OWNER, sortColumn: 'day' },
    { day: 'plain', played_ms: 'plain', extra_ms: 'plain' },
  ),
  watch_requests: defineExportSection(
    'watch_request',
    { ...PROFILE_OWNER, sortColumn: 'request_id', titlePresence: 'always' },
    {
      reason: 'plain',
      created_at: 'time',
      answer: 'plain',
      answered_at: 'time',
      expires_at: 'time',
      used_at: 'time',
    },
  ),
  searches: defineExportSection(
    'recorded_search',
    { ...PROFILE_OWNER, sortColumn: 'query' },
    { query: 'plain', searched_at: 'time' },
  ),
  title_rules: defineExportSection(
    'title_rule',
    { ...PROFILE_OWNER, sortColumn: 'title_id', titlePresence: 'always' },
    { rule: 'plain', created_at: 'time', expires_at: 'time' },
  ),
  signals_off: defineExportSection(
    'signal_off',
    { ...PROFILE_OWNER, sortColumn: 'signal' },
    { signal: 'plain', updated_at: 'time' },
  ),
  interactions: defineExportSection(
    'interaction',
    { ...PROFILE_OWNER, sortColumn: 'title_id', titlePresence: 'always' },
    { impressions: 'plain', opens: 'plain', plays: 'plain', dismissed_at: 'time', updated_at: 'time' },
  ),
  muted: defineExportSection(
    'notice_mute',
    { ...PROFILE_OWNER, sortColumn: 'title_id', titlePresence: 'always' },
    { new_seasons: 'flag', created_at: 'time' },
  ),
  notification_settings: defineExportSection(
    'notice_setting',
    { ...PROFILE_OWNER, sortColumn: 'profile_id' },
    {
      time_zone: 'plain',
      quiet_from: 'plain',
      quiet_until: 'plain',
      digest: 'flag',
      digest_day: 'plain',
      digest_sent_at: 'time',
    },
  ),
  notification_devices: defineExportSection(
    'push_subscription',
    { ...PROFILE_OWNER, sortColumn: 'sid' },
    { created_at: 'time', delivered_at: 'time', failed_at: 'time' },
  ),
  availability_requests: defineExportSection(
    'availability_request',
    { ...PROFILE_OWNER, sortColumn: 'title_id', titlePresence: 'always' },
    { created_at: 'time' },
  ),
  notices: defineExportSection(
    'notice',
    { ...PROFILE_OWNER, sortColumn: 'notice_id', titlePresence: 'always' },
    { kind: 'plain', season_number: 'plain', episode_number: 'plain', created_at: 'time', seen_at: 'time' },
  ),
  imports: defineExportSection(
    'history_import',
    { ...PROFILE_OWNER, sortColumn: 'import_id' },
    {
      file_name: 'plain',
      source: 'plain',
      status: 'plain',
      counts: 'json',
      owners: 'json',
      files: 'json',
      changed: 'plain',
      created_at: 'time',
      applied_at: 'time',
      undone_at: 'time',
    },
  ),
  import_choices: defineExportSection(
    'history_choice',
    { ...PROFILE_OWNER, sortColumn: 'text_key', titlePresence: 'maybe' },
    { text_key: 'plain', updated_at: 'time' },
  ),
} satisfies Record<string, ExportSectionDefinition>
export type AccountExportSection = keyof typeof ACCOUNT_EXPORT_SECTIONS
export const ACCOUNT_EXPORT_SECTION_NAMES = Object.keys(ACCOUNT_EXPORT_SECTIONS) as AccountExportSection[]

export interface ExportedTitle {
  type: string
  title: string
  year: number | null
  imdb_id: string | null
  tmdb_id: number | null
}

const PAGE_ROWS = 500

/**
 * Yields the rows of one owner in pages. A row has its title if the audience may see that title. In sections with the
 * title presence `always`, rows without a visible title are left out.
 */
export async function* readAccountExportRows(
  db: Db,
  audience: Audience,
  ownerId: string,
  sectionName: AccountExportSection,
): AsyncGenerator<{ row: TrackingRow; title: ExportedTitle | null }[]> {
  const { table, ownerKind, ownerColumn, sortColumn, columns, titlePresence }: ExportSectionDefinition =
    ACCOUNT_EXPORT_SECTIONS[sectionName]
  const ownerIdExpression =
    ownerKind === 'subject'
      ? sql`(select subject from audit_subject where account_id = ${ownerId})`
      : sql`${ownerId}`
  const columnNames = [
    ...new Set([...Object.keys(columns), sortColumn, ...(titlePresence ? ['title_id'] : [])]),
  ]
  const columnList = sql.join(columnNames.map((column) => sql.ref(column)))
  for (let lastSortValue: unknown = null; ; ) {
    const afterCondition = lastSortValue === null ? sql`` : sql`and ${sql.ref(sortColumn)} > ${lastSortValue}`
    const { rows } = await sql<TrackingRow>`
      select ${columnList} from ${sql.table(table)}
      where ${sql.ref(ownerColumn)} = ${ownerIdExpression} ${afterCondition} order by ${sql.ref(sortColumn)} limit ${PAGE_ROWS}
    `.execute(db)
    const titlesById = titlePresence ? await selectTitles(db, audience, rows) : null
    const rowsWithTitles = rows.map((row) => ({
      row,
      title: titlesById?.get(Number(row['title_id'])) ?? null,
    }))
    const visibleRows =
      titlePresence === 'always' ? rowsWithTitles.filter((row) => row.title) : rowsWithTitles
    if (visibleRows.length > 0) yield visibleRows
    if (rows.length < PAGE_ROWS) return
    lastSortValue = rows.at(-1)?.[sortColumn]
  }
}

async function selectTitles(
  db: Db,
  audience: Audience,
  rows: readonly TrackingRow[],
): Promise<Map<number, ExportedTitle>> {
  const titleIds = [
    ...new Set(rows.flatMap((row) => (row['title_id'] === null ? [] : [Number(row['title_id'])]))),
  ]
  if (titleIds.length === 0) return new Map()
  const namesByTitleId = await selectEnglishTitleNames(db, titleIds)
  const visibleTitles = await queryVisibleTitles(db, audience)
    .where('title.title_id', 'in', titleIds)
    .select(['title_id', 'type', 'year', 'imdb_id', 'tmdb_id', 'original_title'])
    .execute()
  return new Map(
    visibleTitles.map(({ title_id, original_title, type, ...titleFields }) => [
      title_id,
      { type, title: namesByTitleId.get(title_id) ?? original_title, ...titleFields },
    ]),
  )
}
