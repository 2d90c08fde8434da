/** Notices of recent episodes and high-quality movies (Spec §7, api.md §4). */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { mediaCard } from './media.ts'
import { id, idParam, mediaType } from './parts.ts'

const notice = z.object({
  notification_id: z.string(),
  kind: z.enum(['episode', 'high_quality']),
  media: mediaCard,
  season: z.optional(z.number()),
  episode: z.optional(z.number()),
  quality: z.optional(z.string()),
  created_at: z.string(),
  seen: z.boolean(),
})
export type Notice = z.infer<typeof notice>
const notices = z.object({ results: z.array(notice), unseen: z.number() })
export const movieNotices = endpoint({
  access: 'profile',
  method: 'GET',
  path: '/profile/{id}/notifications/movies',
  params: idParam,
  reply: notices,
  summary: 'High-quality movies that arrived',
})
export const episodeNotices = endpoint({
  access: 'profile',
  method: 'GET',
  path: '/profile/{id}/notifications/episodes',
  params: idParam,
  reply: notices,
  summary: 'Recent episodes of followed series',
})
export const seeNotices = endpoint({
  access: 'profile',
  method: 'PUT',
  path: '/profile/{id}/notifications/seen',
  params: idParam,
  body: z.strictObject({ notification_ids: z.optional(z.array(id).check(z.maxLength(200))) }),
  reply: z.object({ unseen: z.number() }),
  summary: 'Marks notices seen; without ids, all of them',
})
export const listMuted = endpoint({
  access: 'profile',
  method: 'GET',
  path: '/profile/{id}/notifications/muted',
  params: idParam,
  reply: z.object({ results: z.array(mediaCard) }),
  summary: 'Titles that the profile wants no notices of, muted last first',
})
export const muteTitle = endpoint({
  access: 'profile',
  method: 'PUT',
  path: '/profile/{id}/notifications/muted/{type}/{mediaId}',
  params: z.strictObject({ id, type: mediaType, mediaId: id }),
  body: z.strictObject({ muted: z.boolean() }),
  reply: z.object({ muted: z.boolean() }),
  summary: 'No more notices of a title, or notices again of what comes from now on',
})
