/**
 * What the file of a whole account holds beside history, table by table and column by column. A table of an account or
 * of a profile that is neither here, nor in history-export.ts, nor left out with a reason fails
 * tests/server/account-export.test.ts.
 */
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import { englishNames } from './history-export.ts'
import { type Audience, visibleTitles } from './scope.ts'
import type { Row } from './tracking-rows.ts'

/** How a column's value is said: `details` are those of the audit log. */
export type Form = 'plain' | 'flag' | 'time' | 'json' | 'details'
type Names<T extends keyof Schema> = Extract<keyof Schema[T], string>
interface Part {
  table: keyof Schema
  /** Whose column `owner` names. */
  of: 'account' | 'subject' | 'profile'
  owner: string
  /** Unique among the rows of one owner; the order of the file. */
  by: string
  columns: Record<string, Form>
  /** Rows are about a title: always, or where there is one. */
  title?: 'always' | 'maybe'
}

const part = <T extends keyof Schema>(
  table: T,
  keys: Pick<Part, 'of' | 'title'> & { owner: Names<T>; by: Names<T> },
  columns: { [name in Names<T>]?: Form },
): Part => ({ table, ...keys, columns: columns as Record<string, Form> })

const ofProfile = { of: 'profile', owner: 'profile_id' } as const

/** By the names that they have in the file, in its order. */
export const ACCOUNT_PARTS = {
  account: part(
    'account',
    { of: 'account', owner: 'account_id', by: 'account_id' },
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
  devices: part(
    'login',
    { of: 'account', owner: 'account_id', by: 'sid' },
    {
      device_name: 'plain',
      user_agent: 'plain',
      ip: 'plain',
      created_at: 'time',
      last_active_at: 'time',
      expires_at: 'time',
    },
  ),
  invitations: part(
    'invitation',
    { of: 'account', owner: 'created_by', by: 'invitation_id' },
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
  activity: part(
    'audit_event',
    { of: 'subject', owner: 'subject', by: 'audit_id' },
    { at: 'time', action: 'plain', outcome: 'plain', details: 'details' },
  ),
  profiles: part(
    'profile',
    { ...ofProfile, by: 'profile_id' },
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
      created_at: 'time',
    },
  ),
  signals_off: part('signal_off', { ...ofProfile, by: 'signal' }, { signal: 'plain', updated_at: 'time' }),
  interactions: part(
    'interaction',
    { ...ofProfile, by: 'title_id', title: 'always' },
    { impressions: 'plain', opens: 'plain', plays: 'plain', dismissed_at: 'time', updated_at: 'time' },
  ),
  muted: part('notice_mute', { ...ofProfile, by: 'title_id', title: 'always' }, { created_at: 'time' }),
  notices: part(
    'notice',
    { ...ofProfile, by: 'notice_id', title: 'always' },
    { kind: 'plain', season_number: 'plain', episode_number: 'plain', created_at: 'time', seen_at: 'time' },
  ),
  imports: part(
    'history_import',
    { ...ofProfile, by: 'import_id' },
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
  import_choices: part(
    'history_choice',
    { ...ofProfile, by: 'text_key', title: 'maybe' },
    { text_key: 'plain', updated_at: 'time' },
  ),
} satisfies Record<string, Part>
export type AccountPart = keyof typeof ACCOUNT_PARTS

export interface NamedTitle {
  type: string
  title: string
  year: number | null
  imdb_id: string | null
  tmdb_id: number | null
}

const PAGE = 500

/** Rows of one owner, as the database has them, each with its title where it is about one that the audience may know of. */
export async function* accountRows(
  db: Db,
  audience: Audience,
  ownerId: string,
  name: AccountPart,
): AsyncGenerator<{ row: Row; title: NamedTitle | null }[]> {
  const { table, of, owner, by, columns, title }: Part = ACCOUNT_PARTS[name]
  const whose =
    of === 'subject'
      ? sql`(select subject from audit_subject where account_id = ${ownerId})`
      : sql`${ownerId}`
  const asked = [...new Set([...Object.keys(columns), by, ...(title ? ['title_id'] : [])])]
  const selected = sql.join(asked.map((column) => sql.ref(column)))
  for (let after: unknown = null; ; ) {
    const later = after === null ? sql`` : sql`and ${sql.ref(by)} > ${after}`
    const { rows } = await sql<Row>`
      select ${selected} from ${sql.table(table)}
      where ${sql.ref(owner)} = ${whose} ${later} order by ${sql.ref(by)} limit ${PAGE}
    `.execute(db)
    const titles = title ? await titlesNamed(db, audience, rows) : null
    const found = rows.map((row) => ({ row, title: titles?.get(Number(row['title_id'])) ?? null }))
    const shown = title === 'always' ? found.filter((one) => one.title) : found
    if (shown.length > 0) yield shown
    if (rows.length < PAGE) return
    after = rows.at(-1)?.[by]
  }
}

async function titlesNamed(
  db: Db,
  audience: Audience,
  rows: readonly Row[],
): Promise<Map<number, NamedTitle>> {
  const ids = [...new Set(rows.flatMap((row) => (row['title_id'] === null ? [] : [Number(row['title_id'])])))]
  if (ids.length === 0) return new Map()
  const names = await englishNames(db, ids)
  const titles = await visibleTitles(db, audience)
    .where('title.title_id', 'in', ids)
    .select(['title_id', 'type', 'year', 'imdb_id', 'tmdb_id', 'original_title'])
    .execute()
  return new Map(
    titles.map(({ title_id, original_title, type, ...rest }) => [
      title_id,
      { type, title: names.get(title_id) ?? original_title, ...rest },
    ]),
  )
}
