/** Interactions of a profile with the card of a title. */
import * as z from 'zod/mini'
import { sentAtSchema, titleParamsSchema } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'

export const putInteraction = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  method: 'PUT',
  path: '/profile/{id}/interaction/{type}/{mediaId}',
  params: titleParamsSchema,
  body: z.strictObject({
    event: z.enum(['impression', 'open', 'play', 'dismiss', 'undismiss']),
    /** Time of a dismissal. It can be earlier than the request, because an offline device sends a dismissal later. */
    at: z.optional(z.iso.datetime()),
    sent_at: sentAtSchema,
  }),
  summary:
    'Records an interaction with a card; dismiss removes it from Continue Watching until the next play',
})
