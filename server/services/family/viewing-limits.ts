/** Viewing limits of profiles, and the family settings of an account. */
import type { FamilySettings, ViewingLimitFields } from '../../../src/lib/contract/viewing-time.ts'
import { isTimeZone } from '../../../src/lib/rules/local-time.ts'
import type { Weekend } from '../../../src/lib/rules/viewing-time.ts'
import { createFieldProblem } from '../../core/problem.ts'
import {
  selectFamilySetting,
  setMissingTimeZone,
  updateExitPin,
  updateFamilySetting,
} from '../../queries/family-setting.ts'
import { clearPairedProfiles } from '../../queries/remote-pairing.ts'
import {
  lockViewingTime,
  selectViewingRules,
  updateViewingLimits,
  type ViewingRules,
} from '../../queries/viewing-time.ts'
import type { Caller, ProfileCaller } from '../auth/caller.ts'
import type { ProfileContext, RequestContext } from '../context.ts'
import { publishSharedEvent } from '../events/account-events.ts'
import { recordCallerAction } from '../operations/audit.ts'
import { hashExitPin } from '../profiles/exit-pin.ts'
import { DEFAULT_TIME_ZONE, loadViewingTime } from './viewing-time.ts'

const DEFAULT_WEEKEND = 'sat_sun'

export async function loadViewingLimits(context: ProfileContext) {
  const { deps, caller } = context
  const rules = await selectViewingRules(deps.database.primary, caller.profile.profile_id)
  return { limits: toLimitFields(rules), today: await loadViewingTime(context) }
}

const toLimitFields = (rules: ViewingRules | undefined): ViewingLimitFields => ({
  school_day_minutes: rules?.school_day_minutes ?? null,
  weekend_minutes: rules?.weekend_minutes ?? null,
  quiet_start: rules?.quiet_start ?? null,
  quiet_end: rules?.quiet_end ?? null,
})

type ViewingLimitsChange = { [Field in keyof ViewingLimitFields]?: ViewingLimitFields[Field] | undefined }

/**
 * Returns the limits after the change. Throws 422 for quiet hours with only a start or only an end, or with an equal
 * start and end.
 */
function mergeViewingLimits(
  storedLimits: ViewingLimitFields,
  { school_day_minutes, weekend_minutes, quiet_start, quiet_end }: ViewingLimitsChange,
): ViewingLimitFields {
  const limits = {
    ...storedLimits,
    ...(school_day_minutes !== undefined && { school_day_minutes }),
    ...(weekend_minutes !== undefined && { weekend_minutes }),
    ...(quiet_start !== undefined && { quiet_start }),
    ...(quiet_end !== undefined && { quiet_end }),
  }
  if ((limits.quiet_start === null) !== (limits.quiet_end === null))
    throw createFieldProblem('quiet_end', 'needed')
  if (limits.quiet_start !== null && limits.quiet_start === limits.quiet_end)
    throw createFieldProblem('quiet_end', 'same_as_start')
  return limits
}

/**
 * Changes the given viewing limits of a profile. `time_zone` is stored only if the account has no time zone. Throws 422
 * if the quiet hours would have only a start or only an end, if their start equals their end, and for an unknown time
 * zone.
 */
export async function saveViewingLimits(
  context: RequestContext<ProfileCaller>,
  { time_zone, ...change }: ViewingLimitsChange & { time_zone?: string | undefined },
) {
  const { deps, caller } = context
  validateTimeZone(time_zone)
  const profileId = caller.profile.profile_id
  const limits = await deps.database.primary.transaction().execute(async (trx) => {
    await lockViewingTime(trx, profileId)
    const newLimits = mergeViewingLimits(toLimitFields(await selectViewingRules(trx, profileId)), change)
    await updateViewingLimits(trx, profileId, {
      ...newLimits,
      // New quiet hours apply immediately, although a parent has postponed the previous quiet hours.
      ...((change.quiet_start !== undefined || change.quiet_end !== undefined) && {
        quiet_off_from: null,
        quiet_off_until: null,
      }),
    })
    if (time_zone !== undefined)
      await setMissingTimeZone(trx, caller.account.account_id, {
        timeZone: time_zone,
        defaultWeekend: DEFAULT_WEEKEND,
      })
    await recordCallerAction(trx, context, { action: 'viewing_limits', profileId })
    return newLimits
  })
  publishSharedEvent({ deps, caller }, 'viewing_time')
  // Other devices of the account show whether a profile is restricted, which depends on whether it has limits. A change
  // of the minutes alone must not reload the profiles while a video plays.
  const hasLimits = [limits.school_day_minutes, limits.weekend_minutes, limits.quiet_start].some(
    (limit) => limit !== null,
  )
  if (hasLimits !== (caller.profile.has_viewing_limits === 1))
    publishSharedEvent({ deps, caller }, 'profiles')
  return loadViewingLimits(context)
}

function validateTimeZone(timeZone: string | undefined): void {
  if (timeZone !== undefined && !isTimeZone(timeZone)) throw createFieldProblem('time_zone', 'unknown')
}

export async function loadFamilySettings({ deps, caller }: RequestContext): Promise<FamilySettings> {
  const storedSettings = await selectFamilySetting(deps.database.primary, caller.account.account_id)
  return {
    time_zone: storedSettings?.time_zone ?? DEFAULT_TIME_ZONE,
    weekend: storedSettings?.weekend ?? DEFAULT_WEEKEND,
    has_exit_pin: caller.account.exit_pin_hash !== null,
  }
}

interface FamilySettingsChange {
  time_zone?: string | undefined
  weekend?: Weekend | undefined
}

/**
 * Changes the given family settings of the account: the time zone and the days of the weekend. Throws 422 for an
 * unknown time zone.
 */
export async function saveFamilySettings(
  context: RequestContext,
  { time_zone, weekend }: FamilySettingsChange,
): Promise<FamilySettings> {
  validateTimeZone(time_zone)
  const changedSettings = {
    ...(time_zone !== undefined && { time_zone }),
    ...(weekend !== undefined && { weekend }),
  }
  const { deps, caller } = context
  await deps.database.primary.transaction().execute(async (trx) => {
    await updateFamilySetting(trx, caller.account.account_id, {
      defaultWeekend: DEFAULT_WEEKEND,
      changes: changedSettings,
    })
    await recordCallerAction(trx, context, { action: 'family_settings' })
  })
  publishSharedEvent({ deps, caller }, 'viewing_time')
  return loadFamilySettings(context)
}

export async function saveExitPin(
  context: RequestContext<Caller>,
  pin: string | null,
): Promise<FamilySettings> {
  const { deps, caller } = context
  const { account } = caller
  const exit_pin_hash = pin === null ? null : await hashExitPin(deps, account.account_id, pin)
  await deps.database.primary.transaction().execute(async (trx) => {
    await updateExitPin(trx, account.account_id, exit_pin_hash)
    await clearPairedProfiles(trx, { accountId: account.account_id }, caller.login.sid)
    await recordCallerAction(trx, context, { action: pin === null ? 'exit_pin_remove' : 'exit_pin_set' })
  })
  publishSharedEvent({ deps, caller: { account } }, 'profiles')
  return loadFamilySettings({ ...context, caller: { ...caller, account: { ...account, exit_pin_hash } } })
}
