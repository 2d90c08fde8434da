/** Limits of a profile: the age rating and the parental guide of the titles that it may see. */
import * as z from 'zod/mini'
import { AGE_LIMITS, GUIDE_LEVELS, type GuideChanges, type GuideLimits } from '../rules/maturity.ts'

export const maxAgeSchema = z.nullable(z.literal([...AGE_LIMITS]))
const guideLevelSchema = z.enum(GUIDE_LEVELS)
const buildGuideSchema = <Level extends z.ZodMiniType>(levelSchema: Level) =>
  z.strictObject({
    sex: z.optional(levelSchema),
    violence: z.optional(levelSchema),
    profanity: z.optional(levelSchema),
    substances: z.optional(levelSchema),
    fright: z.optional(levelSchema),
  })

/** Highest accepted severity per category of the parental guide. An absent category has no limit. */
export const guideLimitsSchema = buildGuideSchema(guideLevelSchema) satisfies z.ZodMiniType<GuideLimits>

/**
 * Changed categories of the parental guide: the new highest severity, or null for no limit. Absent categories keep
 * their limits.
 */
export const guideChangesSchema = buildGuideSchema(
  z.nullable(guideLevelSchema),
) satisfies z.ZodMiniType<GuideChanges>

export const profileLimitsFields = {
  /** Highest age in years that the age rating of a visible title may require; null without a limit. */
  max_age: maxAgeSchema,
  guide: guideLimitsSchema,
  /** True when the profile may see titles whose severity is unknown in a category with a limit. */
  accepts_unknown_guide: z.boolean(),
}
export const profileLimitsSchema = z.object(profileLimitsFields)
export type ProfileLimits = z.infer<typeof profileLimitsSchema>
