/** Limits of profiles, which parents set: the highest age rating, and the highest severities of the parental guide. */
import type { ProfileLimits } from '../../../src/lib/contract/family.ts'
import { type AgeLimit, packGuideLimits, unpackGuideLimits } from '../../../src/lib/rules/maturity.ts'
import { Problem } from '../../core/problem.ts'
import { type ProfileRow, updateProfile } from '../../queries/profile.ts'
import type { ProfileCaller } from '../auth/caller.ts'
import type { RequestContext } from '../context.ts'
import { publishSharedEvent } from '../events/account-events.ts'
import { recordProfileAudit } from '../profiles/profiles.ts'

export const toProfileLimits = (
  row: Pick<ProfileRow, 'max_age' | 'guide_limits' | 'accepts_unknown_guide'>,
): ProfileLimits => ({
  max_age: row.max_age as AgeLimit | null,
  guide: unpackGuideLimits(row.guide_limits),
  accepts_unknown_guide: row.accepts_unknown_guide === 1,
})

type LimitsChange = { [Field in keyof ProfileLimits]?: ProfileLimits[Field] | undefined }

export async function changeLimits(
  context: RequestContext<ProfileCaller>,
  change: LimitsChange,
): Promise<ProfileLimits> {
  const { deps, caller } = context
  const { profile_id: profileId } = caller.profile
  const changedColumns = {
    ...(change.max_age !== undefined && { max_age: change.max_age }),
    ...(change.guide !== undefined && { guide_limits: packGuideLimits(change.guide) }),
    ...(change.accepts_unknown_guide !== undefined && {
      accepts_unknown_guide: change.accepts_unknown_guide ? 1 : 0,
    }),
  }
  const row = await deps.database.primary.transaction().execute(async (trx) => {
    const updatedRow = await updateProfile(trx, profileId, changedColumns)
    if (!updatedRow) throw new Problem('not_found')
    await recordProfileAudit(trx, context, 'profile_limits', profileId)
    return updatedRow
  })
  publishSharedEvent({ deps, caller }, 'profiles')
  return toProfileLimits(row)
}
