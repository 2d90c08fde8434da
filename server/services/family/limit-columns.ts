/** Converts the limits of a profile between the API and the columns of the table `profile`. */
import type { ProfileLimits } from '../../../src/lib/contract/profile-limits.ts'
import { type AgeLimit, packGuideLimits, unpackGuideLimits } from '../../../src/lib/rules/maturity.ts'
import type { ProfileRow } from '../../queries/profile.ts'

export const toProfileLimits = (
  row: Pick<ProfileRow, 'max_age' | 'guide_limits' | 'accepts_unknown_guide'>,
): ProfileLimits => ({
  max_age: row.max_age as AgeLimit | null,
  guide: unpackGuideLimits(row.guide_limits),
  accepts_unknown_guide: row.accepts_unknown_guide === 1,
})

export type LimitsChange = { [Field in keyof ProfileLimits]?: ProfileLimits[Field] | undefined }

/** Returns the columns of the limits that a change contains. */
export const toLimitColumns = (change: LimitsChange) => ({
  ...(change.max_age !== undefined && { max_age: change.max_age }),
  ...(change.guide !== undefined && { guide_limits: packGuideLimits(change.guide) }),
  ...(change.accepts_unknown_guide !== undefined && {
    accepts_unknown_guide: change.accepts_unknown_guide ? 1 : 0,
  }),
})
