/**
 * Notices of new episodes, high-quality movies, titles that became available, and watch requests. On the wire they are
 * notifications.
 */
import * as z from 'zod/mini'
import { NOTICE_RULES } from '../rules/notice-rules.ts'
import { idParamsSchema, idSchema, titleParamsSchema } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { mediaCardSchema } from './media.ts'

const noticeSchema = z.object({
  notification_id: z.string(),
  /** `request`: a child of the account asks to watch the title. */
  kind: z.enum(['episode', 'high_quality', 'available', 'request']),
  media: mediaCardSchema,
  season: z.optional(z.number()),
  episode: z.optional(z.number()),
  quality: z.optional(z.string()),
  created_at: z.string(),
  seen: z.boolean(),
})
export type Notice = z.infer<typeof noticeSchema>
const noticeListSchema = z.object({ results: z.array(noticeSchema), unseen: z.number() })
export const listMovieNotices = defineEndpoint({
  access: 'profile',
  scope: 'tracking:read',
  method: 'GET',
  path: '/profile/{id}/notifications/movies',
  params: idParamsSchema,
  reply: noticeListSchema,
  summary: 'Lists notices of movies that became available, or available in high quality',
})
export const listEpisodeNotices = defineEndpoint({
  access: 'profile',
  scope: 'tracking:read',
  method: 'GET',
  path: '/profile/{id}/notifications/episodes',
  params: idParamsSchema,
  reply: noticeListSchema,
  summary: 'Lists notices of new episodes of followed series, and of series that became available',
})
export const putNoticesSeen = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  method: 'PUT',
  path: '/profile/{id}/notifications/seen',
  params: idParamsSchema,
  body: z.strictObject({ notification_ids: z.optional(z.array(idSchema).check(z.maxLength(200))) }),
  reply: z.object({ unseen: z.number() }),
  summary: 'Marks notices as seen; without ids, all notices',
})
export const listMutedTitles = defineEndpoint({
  access: 'profile',
  scope: 'tracking:read',
  method: 'GET',
  path: '/profile/{id}/notifications/muted',
  params: idParamsSchema,
  reply: z.object({ results: z.array(mediaCardSchema) }),
  summary: 'Lists titles whose notices are muted, most recently muted first',
})
const noticeRuleSchema = z.enum(NOTICE_RULES)
export const muteTitle = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  method: 'PUT',
  path: '/profile/{id}/notifications/muted/{type}/{mediaId}',
  params: titleParamsSchema,
  body: z.strictObject({ muted: z.boolean() }),
  reply: z.object({ muted: z.boolean(), previous_rule: noticeRuleSchema }),
  summary: 'Mutes or unmutes the notices of a title; unmuting applies to future notices',
})

export const listNoticeRules = defineEndpoint({
  access: 'profile',
  scope: 'tracking:read',
  method: 'GET',
  path: '/profile/{id}/notifications/rules',
  params: idParamsSchema,
  reply: z.object({ results: z.array(z.object({ media: mediaCardSchema, rule: noticeRuleSchema })) }),
  summary: 'Lists titles with another rule than `all`, most recently changed first',
})
export const setNoticeRule = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  method: 'PUT',
  path: '/profile/{id}/notifications/rules/{type}/{mediaId}',
  params: titleParamsSchema,
  body: z.strictObject({
    rule: noticeRuleSchema,
    /**
     * True when the call undoes an earlier change of the rule. Notices that were unseen before the earlier change are
     * then unseen again.
     */
    keep_unseen: z.optional(z.boolean()),
  }),
  reply: z.object({ rule: noticeRuleSchema }),
  summary:
    'Sets which releases of a title cause notices; `seasons` is for series and applies to future notices',
})
