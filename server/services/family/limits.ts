/** Limits of profiles, which parents set: the highest age rating, and the highest severities of the parental guide. */
import type { ProfileLimits } from '../../../src/lib/contract/profile-limits.ts'
import { changePackedLimits, type GuideChanges, packGuideLimits } from '../../../src/lib/rules/maturity.ts'
import { Problem } from '../../core/problem.ts'
import { lockAndSelectProfiles, updateProfile } from '../../queries/profile.ts'
import type { ProfileCaller } from '../auth/caller.ts'
import type { RequestContext } from '../context.ts'
import { publishSharedEvent } from '../events/account-events.ts'
import { recordProfileAuditEvent } from '../profiles/profiles.ts'
import { type LimitsChange, toLimitColumns, toProfileLimits } from './limit-columns.ts'

export async function changeLimits(
  context: RequestContext<ProfileCaller>,
  { guide_changes: guideChanges, ...change }: LimitsChange & { guide_changes?: GuideChanges | undefined },
): Promise<ProfileLimits> {
  const { deps, caller } = context
  const { profile_id: profileId } = caller.profile
  const row = await deps.database.primary.transaction().execute(async (trx) => {
    const profiles = await lockAndSelectProfiles(trx, caller.account.account_id)
    const storedRow = profiles.find((profile) => profile.profile_id === profileId)
    if (!storedRow) throw new Problem('not_found')
    const guideLimits = change.guide ? packGuideLimits(change.guide) : storedRow.guide_limits
    const updatedRow = await updateProfile(trx, profileId, {
      ...toLimitColumns(change),
      ...(guideChanges && { guide_limits: changePackedLimits(guideLimits, guideChanges) }),
    })
    if (!updatedRow) throw new Problem('not_found')
    await recordProfileAuditEvent(trx, context, 'profile_limits', profileId)
    return updatedRow
  })
  publishSharedEvent({ deps, caller }, 'profiles')
  return toProfileLimits(row)
}
