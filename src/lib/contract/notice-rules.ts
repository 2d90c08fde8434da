/**
 * Notice rules: which releases of a title cause notices. The first view of the home page needs contract/notices.ts, but
 * not this module.
 */
import * as z from 'zod/mini'
import { NOTICE_RULES } from '../rules/notice-rules.ts'
import { idParamsSchema, titleParamsSchema } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { mediaCardSchema } from './media.ts'

const noticeRuleSchema = z.enum(NOTICE_RULES)
export const listMutedTitles = defineEndpoint({
  access: 'profile',
  scope: 'tracking:read',
  method: 'GET',
  path: '/profile/{id}/notifications/muted',
  params: idParamsSchema,
  reply: z.object({ results: z.array(mediaCardSchema) }),
  summary: 'Lists titles whose notices are muted, most recently muted first',
})
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
     * True when the call undoes an earlier change of the rule. The notices that the earlier change has muted are then
     * unseen again.
     */
    keep_unseen: z.optional(z.boolean()),
  }),
  reply: z.object({ rule: noticeRuleSchema }),
  summary:
    'Sets which releases of a title cause notices; `seasons` is for series and applies to future notices',
})
