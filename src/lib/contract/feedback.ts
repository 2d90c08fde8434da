/** Likes and dislikes of a profile. */
import * as z from 'zod/mini'
import {
  adultProofFields,
  createPagedReplySchema,
  createPagingQueryFields,
  idParamsSchema,
  repeatFields,
  titleParamsSchema,
} from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { mediaCardSchema } from './media.ts'

const feedbackSchema = z.object({ feedback: z.nullable(z.enum(['liked', 'disliked'])) })
export type Feedback = z.infer<typeof feedbackSchema>['feedback']
const TITLE_FEEDBACK_PATH = '/profile/{id}/feedback/{type}/{mediaId}'

export const getFeedback = defineEndpoint({
  access: 'profile',
  scope: 'tracking:read',
  method: 'GET',
  path: TITLE_FEEDBACK_PATH,
  params: titleParamsSchema,
  reply: feedbackSchema,
  summary: 'Returns whether the profile liked or disliked a title',
})
export const putFeedback = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  proof: 'adult',
  method: 'PUT',
  path: TITLE_FEEDBACK_PATH,
  params: titleParamsSchema,
  body: z.strictObject({
    feedback: z.nullable(z.enum(['like', 'dislike'])),
    ...repeatFields,
    ...adultProofFields,
  }),
  reply: feedbackSchema,
  summary:
    'Likes or dislikes a title; null removes the feedback. Only the removal of a dislike, which hides the title, needs the proof',
})
export const listFeedback = defineEndpoint({
  access: 'profile',
  scope: 'tracking:read',
  method: 'GET',
  path: '/profile/{id}/feedback',
  params: idParamsSchema,
  query: z.strictObject({
    ...createPagingQueryFields(),
    feedback: z._default(z.enum(['liked', 'disliked']), 'disliked'),
  }),
  reply: createPagedReplySchema(mediaCardSchema),
  summary: 'Lists disliked titles, which rows do not show, or liked titles; newest feedback first',
})
