/** Titles that a profile has hidden with a dislike, as a parent sees them. */
import * as z from 'zod/mini'
import { adultProofFields, idParamsSchema, titleParamsSchema } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { mediaCardSchema } from './media.ts'

export const listHiddenTitles = defineEndpoint({
  access: 'profile:any',
  proof: 'main',
  method: 'GET',
  path: '/profile/{id}/hidden-titles',
  params: idParamsSchema,
  reply: z.object({ results: z.array(mediaCardSchema) }),
  summary:
    'Lists the titles that a profile has disliked, which rows do not show to it; latest first, at most 100',
})
export const setTitleHidden = defineEndpoint({
  access: 'profile:any',
  proof: 'main',
  method: 'PUT',
  path: '/profile/{id}/hidden-titles/{type}/{mediaId}',
  params: titleParamsSchema,
  body: z.strictObject({ hidden: z.boolean(), ...adultProofFields }),
  reply: z.object({ hidden: z.boolean() }),
  summary: 'Shows a title again that a profile has disliked, or hides it',
})
