/** Everything that decides who is calling, in one statement: it stands before every other of a request. */
import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { AccountRow, LoginRow } from './login.ts'
import type { ProfileRow } from './profile.ts'

/** Without what no caller needs: hashes of refresh tokens stay in the database, and each column costs every request. */
export type CallerLogin = Omit<LoginRow, 'user_agent' | 'ip' | 'token_hash' | 'previous_hash' | 'rotated_at'>

export interface LiveLogin {
  account: AccountRow
  login: CallerLogin
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
  created_at: 1,
  last_active_at: 1,
  expires_at: 1,
  active_profile_id: 1,
  generation: 1,
  successor_used: 1,
} satisfies Record<keyof CallerLogin, 1>
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
type Found = Omit<LiveLogin, 'profiles'> & { profiles: (ProfileRow & { unlockedUntil: number })[] }

/** Of a row, the columns of one table; their names in the row are made once, not for each row. */
function partOf<T>(table: string, columns: object): (row: Row) => T {
  const names = Object.keys(columns).map((column) => [column, `${table}_${column}`] as const)
  return (row) => {
    const found: Row = {}
    for (const [column, name] of names) found[column] = row[name]
    return found as T
  }
}
const loginOf = partOf<CallerLogin>('login', LOGIN)
const accountOf = partOf<AccountRow>('account', ACCOUNT)
const profileOf = partOf<ProfileRow>('profile', PROFILE)

/**
 * Logins that a statement asks for; a shorter list is filled up with its last. So PostgreSQL has four statements to prepare,
 * and keeps the plan of each: for a list of any length it makes one anew each time, which takes longer than the rest.
 */
const SIZES = [1, 4, 16, 64] as const
const MOST = 64

/** The statements' texts, built once for each dialect: building one costs more than running it. */
const texts = new WeakMap<object, Map<number, string>>()
function textFor(db: Db, size: number): string {
  const { adapter } = db.getExecutor()
  const known = texts.get(adapter) ?? new Map<number, string>()
  texts.set(adapter, known)
  const text = known.get(size) ?? compile(db, size)
  known.set(size, text)
  return text
}

function compile(db: Db, size: number): string {
  const all = (table: string, columns: object) =>
    sql.join(
      Object.keys(columns).map(
        (column) => sql`${sql.ref(`${table}.${column}`)} as ${sql.ref(`${table}_${column}`)}`,
      ),
    )
  return sql`
    select ${all('login', LOGIN)}, ${all('account', ACCOUNT)}, ${all('profile', PROFILE)},
      device_profile.unlocked_until as unlocked_until,
      (select version || '.' || changed_at from catalogue_version) as version
    from login
    join account on account.account_id = login.account_id
    left join profile on profile.account_id = account.account_id
    left join device_profile on device_profile.sid = login.sid and device_profile.profile_id = profile.profile_id
    where login.sid in (${sql.join(Array.from({ length: size }, () => ''))})
    order by login.sid, profile.main desc, profile.created_at, profile.profile_id
  `.compile(db).sql
}

async function rowsOf(db: Db, sids: readonly string[]): Promise<Row[]> {
  const size = SIZES.find((one) => one >= sids.length) ?? MOST
  const given = Array.from({ length: size }, (_, at) => sids[at] ?? sids.at(-1))
  return (await db.executeQuery<Row>(CompiledQuery.raw(textFor(db, size), given))).rows
}

async function loginsOf(db: Db, sids: readonly string[]): Promise<Map<string, Found>> {
  const parts = Array.from({ length: Math.ceil(sids.length / MOST) }, (_, at) =>
    rowsOf(db, sids.slice(at * MOST, (at + 1) * MOST)),
  )
  const rows = (await Promise.all(parts)).flat()
  const found = new Map<string, Found>()
  for (const row of rows) {
    const sid = row['login_sid'] as string
    const one = found.get(sid) ?? {
      login: loginOf(row),
      account: accountOf(row),
      profiles: [],
      catalogueVersion: String(row['version'] ?? ''),
    }
    found.set(sid, one)
    if (row['profile_profile_id'] !== null)
      one.profiles.push({
        ...profileOf(row),
        unlockedUntil: Number(row['unlocked_until'] ?? 0),
      })
  }
  return found
}

/** What the callers of this turn of the event loop wait for. */
const turns = new WeakMap<Db, { sids: Set<string>; answer: Promise<Map<string, Found>> }>()

/**
 * One statement for all who call in one turn of the event loop: a page's eight calls, and under load everybody's. It begins
 * after the last of them has come, so that each is told of everything that was committed before.
 */
function thisTurn(db: Db) {
  const open = turns.get(db)
  if (open) return open
  const sids = new Set<string>()
  const answer = new Promise((resolve) => setImmediate(resolve)).then(() => {
    turns.delete(db)
    return loginsOf(db, [...sids])
  })
  const turn = { sids, answer }
  turns.set(db, turn)
  return turn
}

/** A login that has not run out, its account, and the profiles with whether this device may enter each without a PIN now. */
export async function liveLogin(db: Db, sid: string, now: number): Promise<LiveLogin | undefined> {
  const { sids, answer } = thisTurn(db)
  sids.add(sid)
  const found = (await answer).get(sid)
  if (!found || found.login.expires_at <= now) return undefined
  const profiles = found.profiles.map(({ unlockedUntil, ...profile }) => ({
    ...profile,
    enterable: profile.pin_hash === null || unlockedUntil > now,
  }))
  return { ...found, profiles }
}
