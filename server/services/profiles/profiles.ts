/** Lists, creates, changes and deletes the profiles of an account (security.md, decision 5). */

import { randomInt } from 'node:crypto'
import type { Profile } from '../../../src/lib/contract/profiles.ts'
import { AVATAR_COUNT, MAX_PROFILES } from '../../../src/lib/rules/limits.ts'
import { validateProfileName } from '../../../src/lib/rules/profile-name.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import type { Db, DbTransaction } from '../../db/database.ts'
import { selectDeletedProfile } from '../../queries/bin.ts'
import { clearGroupsOfAccount } from '../../queries/login.ts'
import {
  type CallerProfile,
  insertProfile,
  isRestrictedProfile,
  lockAndSelectProfiles,
  moveProfileToBin,
  updateProfile,
} from '../../queries/profile.ts'
import type { Caller, ProfileCaller } from '../auth/caller.ts'
import { createMainProfileProofProblem, isMainProfileProven } from '../auth/proof.ts'
import { createDerivedId, createRandomId } from '../auth/secret.ts'
import type { RequestContext } from '../context.ts'
import { publishSharedEvent } from '../events/account-events.ts'
import { type LimitsChange, toLimitColumns } from '../family/limit-columns.ts'
import { recordCallerAction } from '../operations/audit.ts'
import { type PreferencesChange, toPreferenceColumns, toPreferences } from './preferences.ts'

interface ProfileChange {
  name?: string | undefined
  avatar?: number | undefined
  kids?: boolean | undefined
  preferences?: PreferencesChange | undefined
}

/** Returns a text that changes whenever the audience rule of the profile changes. */
const formatAudienceVersion = (row: CallerProfile): string =>
  [row.kids, row.max_age ?? 'all', row.guide_limits, row.accepts_unknown_guide, row.audience_version].join(
    '.',
  )

/**
 * Returns the profiles of the account, whether the account has an exit PIN, and the ids of the profiles that watch
 * together on this device.
 */
export const listProfiles = ({ account, acting: actingProfile, group: groupProfiles, profiles }: Caller) => ({
  results: profiles.map(toProfile),
  has_exit_pin: account.exit_pin_hash !== null,
  group:
    actingProfile && groupProfiles.length > 0
      ? [actingProfile, ...groupProfiles].map((profile) => profile.profile_id)
      : [],
})

export function toProfile(row: CallerProfile): Profile {
  return {
    profile_id: row.profile_id,
    name: row.name,
    avatar: row.avatar,
    locked: row.pin_hash !== null || !row.enterable,
    main: row.main === 1,
    kids: row.kids === 1,
    needs_exit_pin: row.pin_hash === null && !row.enterable,
    may_ask: row.may_ask === 1,
    spoken_labels: row.spoken_labels === 1,
    restricted: isRestrictedProfile(row),
    audience: formatAudienceVersion(row),
    unlocked: row.enterable,
    preferences: toPreferences(row),
  }
}

interface NewProfile extends ProfileChange {
  key?: string | undefined
  name: string
  limits?: LimitsChange | undefined
}

/**
 * Creates a profile with its limits. If an earlier call has created a profile with the same key, changes that profile
 * instead. Throws 403 for limits without the proof that `updateProfileLimits` needs. Throws 409 for too many profiles,
 * and for a key whose profile is in the bin. Throws 422 for invalid fields, and when the main profile would become a
 * kids profile.
 */
export async function createProfile(
  { deps, caller, request }: RequestContext<Caller>,
  { key, limits, ...input }: NewProfile,
  isPasswordProven: boolean,
): Promise<Profile> {
  const { account_id } = caller.account
  if (limits && !isPasswordProven && !isMainProfileProven(caller)) throw createMainProfileProofProblem()
  const profileId = key === undefined ? createRandomId() : createDerivedId([account_id, key])
  const chosenColumns = {
    name: requireValidName(input.name),
    ...(input.avatar !== undefined && { avatar: input.avatar }),
    kids: input.kids ? 1 : 0,
    ...toPreferenceColumns(input.preferences, input.kids === true),
    ...toLimitColumns(limits ?? {}),
  }
  const newRow = {
    profile_id: profileId,
    account_id,
    avatar: randomInt(1, AVATAR_COUNT + 1),
    main: 0,
    pin_hash: null,
    pin_generation: 0,
    created_at: deps.now(),
    language: caller.account.interface_language,
    content_genres: JSON.stringify({ movie: [], tv: [] }),
    autoplay_next: 1,
    autoplay_previews: 1,
    hide_spoilers: 0,
    home_rows: '[]',
    media_title_language: null,
    text_size: 100,
    high_contrast: 0,
    less_motion: 0,
    captions: 0,
    simple_home: 0,
    may_ask: 0,
    spoken_labels: 0,
    max_age: null,
    guide_limits: 0,
    accepts_unknown_guide: 0,
    denied_title_count: 0,
    audience_version: 0,
    ...chosenColumns,
  }
  const profile = await deps.database.primary.transaction().execute(async (trx) => {
    const existingProfiles = await lockAndSelectProfiles(trx, account_id)
    const alreadyCreatedProfile = existingProfiles.find(({ profile_id }) => profile_id === profileId)
    if (alreadyCreatedProfile) {
      if (alreadyCreatedProfile.main && chosenColumns.kids)
        throw createFieldProblem('kids', 'main_cannot_be_kids')
      const changedRow = await updateProfile(trx, profileId, chosenColumns)
      const isEnterable = caller.profiles.find(({ profile_id }) => profile_id === profileId)?.enterable
      return {
        ...alreadyCreatedProfile,
        ...changedRow,
        enterable: isEnterable ?? alreadyCreatedProfile.pin_hash === null,
      }
    }
    await requireRoomForProfile(trx, {
      accountId: account_id,
      profileId,
      profileCount: existingProfiles.length,
    })
    const row = { ...newRow, main: existingProfiles.length === 0 ? 1 : 0 }
    if (row.main && row.kids) throw createFieldProblem('kids', 'main_cannot_be_kids')
    await insertProfile(trx, row)
    await recordProfileAuditEvent(trx, { deps, caller, request }, 'profile_create', profileId)
    return { ...row, has_viewing_limits: 0, enterable: true }
  })
  publishSharedEvent({ deps, caller }, 'profiles')
  return toProfile(profile)
}

/** Throws 409 when the account has too many profiles, and when the profile with this id is in the bin. */
async function requireRoomForProfile(
  trx: Db,
  { accountId, profileId, profileCount }: { accountId: string; profileId: string; profileCount: number },
): Promise<void> {
  if (profileCount >= MAX_PROFILES) throw new Problem('conflict', { errors: { profile: ['too_many'] } })
  if (await selectDeletedProfile(trx, { accountId, profileId }))
    throw new Problem('conflict', { errors: { key: ['deleted'] } })
}

/**
 * Changes a profile. Throws 404 if the profile was deleted meanwhile, and 422 for a main profile that would become a
 * kids profile.
 */
export async function editProfile(
  { deps, caller, request }: RequestContext<ProfileCaller>,
  change: ProfileChange,
): Promise<Profile> {
  const { profile } = caller
  if (change.kids === true && profile.main) throw createFieldProblem('kids', 'main_cannot_be_kids')
  const changedColumns = {
    ...(change.name !== undefined && { name: requireValidName(change.name) }),
    ...(change.avatar !== undefined && { avatar: change.avatar }),
    ...(change.kids !== undefined && { kids: change.kids ? 1 : 0 }),
    ...toPreferenceColumns(change.preferences, change.kids ?? profile.kids === 1),
  }
  const updatedRow = await deps.database.primary.transaction().execute(async (trx) => {
    const row = await updateProfile(trx, profile.profile_id, changedColumns)
    if (!row) throw new Problem('not_found')
    if (change.kids !== undefined)
      await recordProfileAuditEvent(trx, { deps, caller, request }, 'profile_kids', profile.profile_id)
    return row
  })
  publishSharedEvent({ deps, caller }, 'profiles')
  return toProfile({ ...profile, ...updatedRow })
}

/**
 * Moves a profile to the bin. Throws 409 for the main profile, and 403 for a locked profile unless the account password
 * was given.
 */
export async function removeProfile(
  { deps, caller, request }: RequestContext<ProfileCaller>,
  isPasswordProven: boolean,
): Promise<void> {
  const { profile } = caller
  if (profile.main)
    throw new Problem('conflict', {
      message: 'The main profile cannot be deleted.',
      errors: { profile: ['main'] },
    })
  if (!profile.enterable && !isPasswordProven) throw new Problem('profile_locked')
  await deps.database.primary.transaction().execute(async (trx) => {
    await moveProfileToBin(trx, profile, deps.now())
    await clearGroupsOfAccount(trx, profile.account_id)
    await recordProfileAuditEvent(trx, { deps, caller, request }, 'profile_delete', profile.profile_id)
  })
  publishSharedEvent({ deps, caller }, 'profiles')
}

export const recordProfileAuditEvent = (
  trx: DbTransaction,
  context: RequestContext,
  action: string,
  profileId: string,
): Promise<void> => recordCallerAction(trx, context, { action, profileId })

function requireValidName(name: string): string {
  const nameResult = validateProfileName(name)
  if ('error' in nameResult) throw createFieldProblem('name', nameResult.error)
  return nameResult.name
}
