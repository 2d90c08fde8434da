/** Everything that decides who is calling, in one statement: it stands before every other of a request. */
import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { AccountRow, LoginRow } from './login.ts'
import type { ProfileRow } from './profile.ts'

export interface LiveLogin {
  account: AccountRow
  login: LoginRow
  /** Main first, then in the order they were made. */
  profiles: (ProfileRow & { enterable: boolean })[]
  /** Of the catalogue, at the moment of asking: another one after every committed change of a title or a person. */
  catalogueVersion: string
}

/* Named one by one, since tables share names of columns; the types hold each list to its table. */
const LOGIN = {
  sid: 1,
  account_id: 1,
  device_name: 1,
  user_agent: 1,
  ip: 1,
  created_at: 1,
  last_active_at: 1,
  expires_at: 1,
  active_profile_id: 1,
  generation: 1,
  token_hash: 1,
  previous_hash: 1,
  rotated_at: 1,
  successor_used: 1,
} satisfies Record<keyof LoginRow, 1>
const ACCOUNT = {
  account_id: 1,
  email: 1,
  password_hash: 1,
  role: 1,
  onboarded: 1,
  blocked: 1,
  interface_language: 1,
  title_language: 1,
  media_quality: 1,
  created_at: 1,
} satisfies Record<keyof AccountRow, 1>
const PROFILE = {
  profile_id: 1,
  account_id: 1,
  name: 1,
  avatar: 1,
  main: 1,
  kids: 1,
  language: 1,
  content_genres: 1,
  autoplay_next: 1,
  autoplay_previews: 1,
  hide_spoilers: 1,
  home_rows: 1,
  text_size: 1,
  high_contrast: 1,
  less_motion: 1,
  captions: 1,
  simple_home: 1,
  pin_hash: 1,
  created_at: 1,
} satisfies Record<keyof ProfileRow, 1>

type Row = Record<string, unknown>
const part = <T>(row: Row, table: string, columns: object): T =>
  Object.fromEntries(Object.keys(columns).map((column) => [column, row[`${table}_${column}`]])) as T

/** The statement's text, built once for each dialect: building it costs more than running it. */
const texts = new WeakMap<object, string>()
function textFor(db: Db): string {
  const dialect = db.getExecutor().adapter
  const known = texts.get(dialect)
  if (known) return known
  const all = (table: string, columns: object) =>
    sql.join(
      Object.keys(columns).map(
        (column) => sql`${sql.ref(`${table}.${column}`)} as ${sql.ref(`${table}_${column}`)}`,
      ),
    )
  const { sql: text } = sql`
    select ${all('login', LOGIN)}, ${all('account', ACCOUNT)}, ${all('profile', PROFILE)},
      device_profile.unlocked_until as unlocked_until,
      (select version || '.' || changed_at from catalogue_version) as version
    from login
    join account on account.account_id = login.account_id
    left join profile on profile.account_id = account.account_id
    left join device_profile on device_profile.sid = login.sid and device_profile.profile_id = profile.profile_id
    where login.sid = ${''} and login.expires_at > ${0}
    order by profile.main desc, profile.created_at, profile.profile_id
  `.compile(db)
  texts.set(dialect, text)
  return text
}

/** A login that has not run out, its account, and the profiles with whether this device may enter each without a PIN now. */
export async function liveLogin(db: Db, sid: string, now: number): Promise<LiveLogin | undefined> {
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(textFor(db), [sid, now]))
  const [first] = rows
  if (!first) return undefined
  const profiles = rows
    .filter((row) => row['profile_profile_id'] !== null)
    .map((row) => ({
      ...part<ProfileRow>(row, 'profile', PROFILE),
      enterable: row['profile_pin_hash'] === null || Number(row['unlocked_until'] ?? 0) > now,
    }))
  return {
    login: part(first, 'login', LOGIN),
    account: part(first, 'account', ACCOUNT),
    profiles,
    catalogueVersion: String(first['version'] ?? ''),
  }
}
