/** Profiles of an account: who may make, change and delete them (api.md §3, security.md decision 5). */
import { randomInt } from 'node:crypto'
import type { Profile } from '../../src/lib/contract/profiles.ts'
import { genresOf } from '../../src/lib/rules/genres.ts'
import type { HomeRowWish } from '../../src/lib/rules/home-rows.ts'
import { LIMITS } from '../../src/lib/rules/limits.ts'
import { profileName } from '../../src/lib/rules/profile-name.ts'
import type { Deps } from '../deps.ts'
import type { Caller, ProfileCaller } from '../http/caller.ts'
import type { RequestInfo } from '../http/request.ts'
import { invalid, Problem } from '../problem.ts'
import {
  deleteProfile,
  insertProfile,
  lockedProfilesOfAccount,
  type ProfileRow,
  updateProfile,
} from '../queries/profile.ts'
import { audit } from './audit.ts'
import { provePassword } from './auth.ts'
import { tellAccount } from './live.ts'
import { randomId } from './secret.ts'

export interface By<C extends Caller = Caller> {
  deps: Deps
  caller: C
  request: RequestInfo
}
type Genres = { movie: number[]; tv: number[] }
interface Preferences {
  language?: Profile['preferences']['language'] | undefined
  content_genres?: Genres | undefined
  autoplay_next?: boolean | undefined
  autoplay_previews?: boolean | undefined
  hide_spoilers?: boolean | undefined
  home_rows?: HomeRowWish[] | undefined
  text_size?: number | undefined
  high_contrast?: boolean | undefined
  less_motion?: boolean | undefined
  captions?: boolean | undefined
  simple_home?: boolean | undefined
}
interface Change {
  name?: string | undefined
  avatar?: number | undefined
  kids?: boolean | undefined
  preferences?: Preferences | undefined
  password?: string | undefined
}

export function profileOf(row: ProfileRow & { enterable: boolean }): Profile {
  return {
    profile_id: row.profile_id,
    name: row.name,
    avatar: row.avatar,
    locked: row.pin_hash !== null,
    main: row.main === 1,
    kids: row.kids === 1,
    unlocked: row.enterable,
    preferences: {
      language: row.language as Profile['preferences']['language'],
      content_genres: JSON.parse(row.content_genres) as Genres,
      autoplay_next: row.autoplay_next === 1,
      autoplay_previews: row.autoplay_previews === 1,
      hide_spoilers: row.hide_spoilers === 1,
      home_rows: JSON.parse(row.home_rows) as HomeRowWish[],
      text_size: row.text_size as Profile['preferences']['text_size'],
      high_contrast: row.high_contrast === 1,
      less_motion: row.less_motion === 1,
      captions: row.captions === 1,
      simple_home: row.simple_home === 1,
    },
  }
}

/**
 * Proof that an adult is there: a device that acts as a kids profile needs the main profile open on it, or the account
 * password. A device that acts as any other profile needs none. Throws 403.
 */
export async function requireAdult(
  { deps, caller }: Omit<By, 'request'>,
  password: string | undefined,
): Promise<void> {
  if (password !== undefined) return provePassword(deps, caller.account, password)
  const last = caller.profiles.find((one) => one.profile_id === caller.login.active_profile_id)
  const kidsActive = caller.acting?.kids === 1 || last?.kids === 1
  const main = caller.profiles.find((one) => one.main)
  if (kidsActive && main && !main.enterable) {
    throw new Problem('forbidden', {
      message: 'The main profile or the password is needed.',
      errors: { password: ['needed'] },
    })
  }
}

export async function create(
  { deps, caller, request }: By,
  given: Change & { name: string },
): Promise<Profile> {
  await requireAdult({ deps, caller }, given.password)
  const row = {
    profile_id: randomId(),
    account_id: caller.account.account_id,
    name: checkedName(given.name),
    avatar: given.avatar ?? randomInt(1, LIMITS.avatars + 1),
    main: 0,
    kids: given.kids ? 1 : 0,
    pin_hash: null,
    created_at: deps.now(),
    language: caller.account.interface_language,
    content_genres: JSON.stringify({ movie: [], tv: [] }),
    autoplay_next: 1,
    autoplay_previews: 1,
    hide_spoilers: 0,
    home_rows: '[]',
    text_size: 100,
    high_contrast: 0,
    less_motion: 0,
    captions: 0,
    simple_home: 0,
    ...preferenceColumns(given.preferences, given.kids === true),
  }
  await deps.database.primary.transaction().execute(async (trx) => {
    const others = await lockedProfilesOfAccount(trx, row.account_id)
    if (others.length >= LIMITS.profiles) throw new Problem('conflict', { errors: { profile: ['too_many'] } })
    row.main = others.length === 0 ? 1 : 0
    if (row.main && row.kids) throw invalid('kids', 'main_cannot_be_kids')
    await insertProfile(trx, row)
    await note(trx, { deps, caller, request }, 'profile_create', row.profile_id)
  })
  tellAccount({ deps, caller: { account: caller.account } }, 'profiles')
  return profileOf({ ...row, enterable: true })
}

export async function update({ deps, caller, request }: By<ProfileCaller>, given: Change): Promise<Profile> {
  const { profile } = caller
  if (given.kids !== undefined || given.password !== undefined) {
    if (given.kids === true && profile.main) throw invalid('kids', 'main_cannot_be_kids')
    if (given.kids === false && profile.kids) await requireAdult({ deps, caller }, given.password)
  }
  const set = {
    ...(given.name !== undefined && { name: checkedName(given.name) }),
    ...(given.avatar !== undefined && { avatar: given.avatar }),
    ...(given.kids !== undefined && { kids: given.kids ? 1 : 0 }),
    ...preferenceColumns(given.preferences, given.kids ?? profile.kids === 1),
  }
  const now = await deps.database.primary.transaction().execute(async (trx) => {
    const row = await updateProfile(trx, profile.profile_id, set)
    if (given.kids !== undefined)
      await note(trx, { deps, caller, request }, 'profile_kids', profile.profile_id)
    return row
  })
  tellAccount({ deps, caller: { account: caller.account } }, 'profiles')
  return profileOf({ ...profile, ...now })
}

export async function remove(
  { deps, caller, request }: By<ProfileCaller>,
  password: string | undefined,
): Promise<void> {
  const { profile } = caller
  if (profile.main)
    throw new Problem('conflict', {
      message: 'The main profile cannot be deleted.',
      errors: { profile: ['main'] },
    })
  if (!profile.enterable && password === undefined) throw new Problem('profile_locked')
  await requireAdult({ deps, caller }, password)
  await deps.database.primary.transaction().execute(async (trx) => {
    await deleteProfile(trx, profile.profile_id)
    await note(trx, { deps, caller, request }, 'profile_delete', profile.profile_id)
  })
  tellAccount({ deps, caller: { account: caller.account } }, 'profiles')
}

type Trx = Parameters<typeof audit>[0]
export function note(
  trx: Trx,
  { deps, caller, request }: By,
  action: string,
  profileId: string,
): Promise<void> {
  const { account, login } = caller
  return audit(
    trx,
    { now: deps.now(), request },
    {
      action,
      profileId,
      accountId: account.account_id,
      sid: login.sid,
      deviceName: login.device_name,
    },
  )
}

function checkedName(given: string): string {
  const result = profileName(given)
  if ('error' in result) throw invalid('name', result.error)
  return result.name
}

const FLAGS = [
  'autoplay_next',
  'autoplay_previews',
  'hide_spoilers',
  'high_contrast',
  'less_motion',
  'captions',
  'simple_home',
] as const

function preferenceColumns(given: Preferences | undefined, kids: boolean) {
  if (!given) return {}
  if (given.content_genres) checkGenres(given.content_genres, kids)
  const { home_rows: rows } = given
  if (rows && new Set(rows.map((one) => one.row)).size < rows.length)
    throw invalid('preferences.home_rows', 'twice')
  return {
    ...(given.language !== undefined && { language: given.language }),
    ...(given.content_genres !== undefined && { content_genres: JSON.stringify(given.content_genres) }),
    ...(given.text_size !== undefined && { text_size: given.text_size }),
    ...(rows !== undefined && { home_rows: JSON.stringify(rows) }),
    ...Object.fromEntries(
      FLAGS.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name] ? 1 : 0]])),
    ),
  }
}

/** Known genres only; a choice is empty or at least two (Spec §5; kids profiles have few to choose from). */
function checkGenres(genres: Genres, kids: boolean): void {
  for (const type of ['movie', 'tv'] as const) {
    const chosen = new Set(genres[type])
    const known = genresOf(type, kids)
    if ([...chosen].some((id) => !known.includes(id)))
      throw invalid(`preferences.content_genres.${type}`, 'unknown_genre')
    if (chosen.size === 1) throw invalid(`preferences.content_genres.${type}`, 'too_few')
  }
}
