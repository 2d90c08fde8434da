/** Loads login, account and profiles of a caller in one statement, because every request starts with these lookups. */

import { CompiledQuery, sql } from 'kysely'
import { isInFuture } from '../core/dates.ts'
import type { Db } from '../db/database.ts'
import type { AccountRow, LoginRow } from './login.ts'
import {
  type CallerProfile,
  isRestrictedProfile,
  type LoadedProfile,
  type ProfileRow,
  VIEWING_LIMITS_COLUMN,
} from './profile.ts'

/**
 * Columns of a login that requests need. Other columns are left out, because every column costs time per request. The
 * hashes of refresh tokens are never loaded.
 */
export type CallerLogin = Omit<LoginRow, 'user_agent' | 'ip' | 'token_hash' | 'previous_hash' | 'rotated_at'>

export interface ActiveLogin {
  account: AccountRow
  login: CallerLogin
  /** Profiles of the account: the main profile first, then by creation time. */
  profiles: CallerProfile[]
  /**
   * Version of the catalogue at the time of the query. Every committed change of a title or person changes the
   * version.
   */
  catalogueVersion: string
  /** Scopes of the API key that sent the request; absent for the login of a device. */
  apiKeyScopes?: readonly string[]
}

// Each column gets an alias, because several tables have columns of the same name. The types ensure that no column is
// missing in these lists.
const LOGIN_COLUMNS = {
  sid: 1,
  account_id: 1,
  device_name: 1,
  created_at: 1,
  last_active_at: 1,
  expires_at: 1,
  active_profile_id: 1,
  unlocked_until: 1,
  unlock_generation: 1,
  group_members: 1,
  generation: 1,
  successor_used: 1,
  second_factor_at: 1,
  kids_profile_id: 1,
  time_zone: 1,
} satisfies Record<keyof CallerLogin, 1>
const ACCOUNT_COLUMNS = {
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
  exit_pin_hash: 1,
} satisfies Record<keyof AccountRow, 1>
const PROFILE_COLUMNS = {
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
  media_title_language: 1,
  may_ask: 1,
  spoken_labels: 1,
  pin_hash: 1,
  pin_generation: 1,
  created_at: 1,
  max_age: 1,
  guide_limits: 1,
  accepts_unknown_guide: 1,
  denied_title_count: 1,
  audience_version: 1,
} satisfies Record<keyof ProfileRow, 1>

type JoinedLoginRow = Record<string, unknown>
type LoadedLogin = Omit<ActiveLogin, 'profiles'> & { profiles: LoadedProfile[] }

/** Returns a function that extracts the columns of one table from a joined row. The aliases are built only once. */
function createColumnReader<T>(table: string, columns: object): (row: JoinedLoginRow) => T {
  const aliasEntries = Object.keys(columns).map((column) => [column, `${table}_${column}`] as const)
  return (row) => {
    const columnValues: JoinedLoginRow = {}
    for (const [column, alias] of aliasEntries) columnValues[column] = row[alias]
    return columnValues as T
  }
}
const readLogin = createColumnReader<CallerLogin>('login', LOGIN_COLUMNS)
const readAccount = createColumnReader<AccountRow>('account', ACCOUNT_COLUMNS)
const readProfile = createColumnReader<LoadedProfile>('profile', {
  ...PROFILE_COLUMNS,
  has_viewing_limits: 1,
})

/**
 * Possible numbers of session ids per statement. A list is padded with its last id up to the next size. So PostgreSQL
 * prepares only four statements and reuses their plans. Planning a new statement takes longer than running it.
 */
const LOGIN_BATCH_SIZES = [1, 4, 16, 64] as const
const MAX_BATCH_SIZE = 64

/** Compiled SQL by dialect and batch size. Compiling takes longer than running the statement. */
const loginSqlByDialect = new WeakMap<object, Map<number, string>>()
function getLoginSql(db: Db, batchSize: number): string {
  const { adapter } = db.getExecutor()
  const loginSqlByBatchSize = loginSqlByDialect.get(adapter) ?? new Map<number, string>()
  loginSqlByDialect.set(adapter, loginSqlByBatchSize)
  const sqlText = loginSqlByBatchSize.get(batchSize) ?? compileLoginSql(db, batchSize)
  loginSqlByBatchSize.set(batchSize, sqlText)
  return sqlText
}

/**
 * Compiles the statement. Its text must start with `select` and not with white space, because PostgreSQL statements are
 * prepared only if they start with such a keyword (`StatementNames` in db/postgres.ts).
 */
function compileLoginSql(db: Db, batchSize: number): string {
  const selectColumns = (table: string, columns: object) =>
    sql.join(
      Object.keys(columns).map(
        (column) => sql`${sql.ref(`${table}.${column}`)} as ${sql.ref(`${table}_${column}`)}`,
      ),
    )
  return sql`select ${selectColumns('login', LOGIN_COLUMNS)}, ${selectColumns('account', ACCOUNT_COLUMNS)},
      ${selectColumns('profile', PROFILE_COLUMNS)}, ${VIEWING_LIMITS_COLUMN} as profile_has_viewing_limits,
      (select version || '.' || changed_at from catalogue_version) as version
    from login
    join account on account.account_id = login.account_id
    left join profile on profile.account_id = account.account_id and profile.deleted_at is null
    where login.sid in (${sql.join(Array.from({ length: batchSize }, () => ''))})
    order by login.sid, profile.main desc, profile.created_at, profile.profile_id
  `.compile(db).sql
}

async function selectLoginRows(db: Db, sids: readonly string[]): Promise<JoinedLoginRow[]> {
  const batchSize =
    LOGIN_BATCH_SIZES.find((supportedBatchSize) => supportedBatchSize >= sids.length) ?? MAX_BATCH_SIZE
  const paddedSids = Array.from({ length: batchSize }, (_, index) => sids[index] ?? sids.at(-1))
  return (await db.executeQuery<JoinedLoginRow>(CompiledQuery.raw(getLoginSql(db, batchSize), paddedSids)))
    .rows
}

async function loadLogins(db: Db, sids: readonly string[]): Promise<Map<string, LoadedLogin>> {
  const batchQueries = Array.from({ length: Math.ceil(sids.length / MAX_BATCH_SIZE) }, (_, index) =>
    selectLoginRows(db, sids.slice(index * MAX_BATCH_SIZE, (index + 1) * MAX_BATCH_SIZE)),
  )
  const rows = (await Promise.all(batchQueries)).flat()
  const loginsBySid = new Map<string, LoadedLogin>()
  for (const row of rows) {
    const sid = row['login_sid'] as string
    const loadedLogin = loginsBySid.get(sid) ?? {
      login: readLogin(row),
      account: readAccount(row),
      profiles: [],
      catalogueVersion: String(row['version'] ?? ''),
    }
    loginsBySid.set(sid, loadedLogin)
    if (row['profile_profile_id'] !== null) loadedLogin.profiles.push(readProfile(row))
  }
  return loginsBySid
}

/**
 * For each database: the session ids that the requests of the current event loop turn look up, and a promise of the
 * logins with these ids.
 */
const pendingBatchesByDb = new WeakMap<
  Db,
  { sids: Set<string>; loginsPromise: Promise<Map<string, LoadedLogin>> }
>()

/**
 * Returns the batch of the current event loop turn. All requests of one turn share one statement, for example the eight
 * requests of a page. The statement starts after the last of these requests has arrived. So each request sees
 * everything that was committed before the request arrived.
 */
function getOrCreatePendingBatch(db: Db) {
  const pendingBatch = pendingBatchesByDb.get(db)
  if (pendingBatch) return pendingBatch
  const sids = new Set<string>()
  const loginsPromise = new Promise((resolve) => setImmediate(resolve)).then(() => {
    pendingBatchesByDb.delete(db)
    return loadLogins(db, [...sids])
  })
  const newBatch = { sids, loginsPromise }
  pendingBatchesByDb.set(db, newBatch)
  return newBatch
}

/**
 * Returns a login with its account and the profiles of the account; undefined when the login is unknown or has expired.
 * Does not check whether the account is blocked. `enterable` is true for profiles that the device may enter without a
 * PIN.
 */
export async function selectActiveLogin(
  db: Db,
  sid: string,
  nowMs: number,
): Promise<ActiveLogin | undefined> {
  const { sids, loginsPromise } = getOrCreatePendingBatch(db)
  sids.add(sid)
  const loadedLogin = (await loginsPromise).get(sid)
  if (!loadedLogin || loadedLogin.login.expires_at <= nowMs) return undefined
  const { login } = loadedLogin
  const isGroupActive = login.group_members !== null && isUnlockActive(login, nowMs)
  return {
    ...loadedLogin,
    login: isGroupActive ? login : { ...login, group_members: null },
    profiles: markEnterableProfiles(loadedLogin, nowMs),
  }
}

/** An unlock of a profile expires after this time without use (security.md, decision 5). */
export const UNLOCK_IDLE_MS = 12 * 3_600_000

/**
 * True while the unlock of the acting profile lasts. The group of the device (profiles that watch together) ends at the
 * same time. An unlock that would last longer than UNLOCK_IDLE_MS was stored while the clock was ahead, and counts as
 * ended.
 */
export function isUnlockActive({ unlocked_until }: Pick<LoginRow, 'unlocked_until'>, nowMs: number): boolean {
  const untilMs = unlocked_until ?? 0
  return untilMs > nowMs && !isInFuture(untilMs - UNLOCK_IDLE_MS, nowMs)
}

type DeviceProfiles<P extends LoadedProfile> = {
  account: Pick<AccountRow, 'exit_pin_hash'>
  login: Pick<LoginRow, 'active_profile_id' | 'unlocked_until' | 'unlock_generation' | 'kids_profile_id'>
  profiles: readonly P[]
}

/**
 * Returns the id of the restricted profile that was chosen on the device: a kids profile or a profile with limits.
 * Returns null if an unrestricted profile or no profile was chosen last. A restricted profile that was deleted
 * afterwards still counts as chosen. Otherwise its deletion would make the exit PIN unnecessary on this device.
 */
export function findChosenRestrictedId({
  login,
  profiles,
}: Omit<DeviceProfiles<LoadedProfile>, 'account'>): string | null {
  const chosenProfileId = login.kids_profile_id ?? login.active_profile_id
  const chosenProfile = profiles.find((profile) => profile.profile_id === chosenProfileId)
  if (!chosenProfile) return login.kids_profile_id
  return isRestrictedProfile(chosenProfile) ? chosenProfile.profile_id : null
}

/**
 * Marks the profiles that the device may enter without a PIN: profiles without a PIN, and the acting profile while it
 * is unlocked with its current PIN. If the account has an exit PIN and a restricted profile was chosen on the device,
 * every other profile without a PIN needs the exit PIN.
 */
export function markEnterableProfiles<P extends LoadedProfile>(
  { account, login, profiles }: DeviceProfiles<P>,
  nowMs: number,
): (P & { enterable: boolean })[] {
  const restrictedId = account.exit_pin_hash === null ? null : findChosenRestrictedId({ login, profiles })
  const isExitPinNeeded = (profile: P) => restrictedId !== null && profile.profile_id !== restrictedId
  const isUnlocked = (profile: P) =>
    login.active_profile_id === profile.profile_id &&
    login.unlock_generation === profile.pin_generation &&
    isUnlockActive(login, nowMs)
  return profiles.map((profile) => ({
    ...profile,
    enterable: profile.pin_hash === null ? !isExitPinNeeded(profile) : isUnlocked(profile),
  }))
}
