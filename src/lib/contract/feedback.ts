/** Likes and dislikes of a profile (Spec §7, api.md §3). */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { mediaCard } from './media.ts'
import { idParam, listOf, paging, titleParams } from './parts.ts'

const feedback = z.object({ feedback: z.nullable(z.enum(['liked', 'disliked'])) })
export type Feedback = z.infer<typeof feedback>['feedback']
const TITLE_FEEDBACK_PATH = '/profile/{id}/feedback/{type}/{mediaId}'

export const getFeedback = endpoint({
  access: 'profile',
  method: 'GET',
  path: TITLE_FEEDBACK_PATH,
  params: titleParams,
  reply: feedback,
  summary: 'Returns whether the profile liked or disliked a title',
})
export const putFeedback = endpoint({
  access: 'profile',
  method: 'PUT',
  path: TITLE_FEEDBACK_PATH,
  params: titleParams,
  body: z.strictObject({ feedback: z.nullable(z.enum(['like', 'dislike'])) }),
  reply: feedback,
  summary: 'Likes or dislikes a title; null removes the feedback',
})
export const listFeedback = endpoint({
  access: 'profile',
  method: 'GET',
  path: '/profile/{id}/feedback',
  params: idParam,
  query: z.strictObject({ ...paging(), feedback: z._default(z.enum(['liked', 'disliked']), 'disliked') }),
  reply: listOf(mediaCard),
  summary: 'Lists disliked titles, which rows do not show, or liked titles; newest feedback first',
})
