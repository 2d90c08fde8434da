/**
 * Decisions of parents about the profiles of an account: limits, and titles that are always or never visible. Also
 * groups of profiles that watch together.
 */
import * as z from 'zod/mini'
import { MAX_PROFILES } from '../rules/limits.ts'
import {
  adultProofFields,
  idParamsSchema,
  idSchema,
  instantSchema,
  passwordSchema,
  titleParamsSchema,
} from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { mediaCardSchema } from './media.ts'
import { guideChangesSchema, guideLimitsSchema, maxAgeSchema, profileLimitsSchema } from './profile-limits.ts'
import { pinSchema } from './profiles.ts'

const titleRuleSchema = z.enum(['allow', 'deny'])
export type TitleRule = z.infer<typeof titleRuleSchema>

export const getProfileLimits = defineEndpoint({
  access: 'profile:any',
  proof: 'main',
  method: 'GET',
  path: '/profile/{id}/limits',
  params: idParamsSchema,
  reply: profileLimitsSchema,
  summary: 'Returns the limits of a profile',
})
export const updateProfileLimits = defineEndpoint({
  access: 'profile:any',
  proof: 'main',
  method: 'PUT',
  path: '/profile/{id}/limits',
  params: idParamsSchema,
  body: z.strictObject({
    max_age: z.optional(maxAgeSchema),
    guide: z.optional(guideLimitsSchema),
    /**
     * Changes of single categories, applied after `guide`. Categories that are not named keep their limits, which
     * another device may have set.
     */
    guide_changes: z.optional(guideChangesSchema),
    accepts_unknown_guide: z.optional(z.boolean()),
    ...adultProofFields,
  }),
  reply: profileLimitsSchema,
  summary:
    'Changes the limits of a profile; `guide` replaces the limits of all categories, `guide_changes` only those it names',
})
export const listTitleRules = defineEndpoint({
  access: 'profile:any',
  proof: 'main',
  method: 'GET',
  path: '/profile/{id}/title-rules',
  params: idParamsSchema,
  reply: z.object({
    results: z.array(
      z.object({
        rule: titleRuleSchema,
        media: mediaCardSchema,
        created_at: instantSchema,
        expires_at: z.nullable(instantSchema),
      }),
    ),
  }),
  summary: 'Lists the titles that a profile may always or never see, latest first',
})
export const setTitleRule = defineEndpoint({
  access: 'profile:any',
  proof: 'main',
  method: 'PUT',
  path: '/profile/{id}/title-rules/{type}/{mediaId}',
  params: titleParamsSchema,
  body: z.strictObject({
    rule: z.nullable(titleRuleSchema),
    /** Time at which the rule ends, which must be in the future. Absent for a rule without an end. */
    expires_at: z.optional(z.iso.datetime()),
    ...adultProofFields,
  }),
  reply: z.object({ rule: z.nullable(titleRuleSchema) }),
  summary: 'Always or never shows a title to a profile, whatever its limits say; null removes the rule',
})
export const listRulesOfTitle = defineEndpoint({
  access: 'viewer',
  proof: 'main',
  method: 'GET',
  path: '/family/titles/{mediaId}',
  params: z.strictObject({ mediaId: idSchema }),
  reply: z.object({
    results: z.array(
      z.object({ profile_id: z.string(), rule: z.nullable(titleRuleSchema), visible: z.boolean() }),
    ),
  }),
  summary: 'Lists which profiles of the account may see a title, and why',
})
export const startGroup = defineEndpoint({
  access: 'profile',
  method: 'POST',
  path: '/profile/{id}/group',
  params: idParamsSchema,
  body: z.strictObject({
    members: z
      .array(
        z.strictObject({
          profile_id: idSchema,
          pin: z.optional(pinSchema),
          password: z.optional(passwordSchema),
        }),
      )
      .check(z.minLength(1), z.maxLength(MAX_PROFILES - 1)),
  }),
  reply: z.object({ group: z.array(z.string()) }),
  errorStatuses: [409],
  summary:
    'Lets other profiles of the account watch together with the acting profile on this device; a locked one needs its PIN',
})
export const endGroup = defineEndpoint({
  access: 'profile',
  method: 'DELETE',
  path: '/profile/{id}/group',
  params: idParamsSchema,
  summary: 'Ends the group that watches on this device; the profile stays',
})
