/**
 * Notices of new episodes, high-quality movies, titles that became available, and watch requests. On the wire they are
 * notifications.
 */
import * as z from 'zod/mini'
import { idParamsSchema, idSchema } from './common-schemas.ts'
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
