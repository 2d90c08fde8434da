/** Ratings of a profile: half stars from 1 to 10, in addition to like and dislike. */
import * as z from 'zod/mini'
import { MAX_RATING } from '../rules/tracking-limits.ts'
import { repeatFields, titleParamsSchema } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'

const ratingReplySchema = z.object({ rating: z.nullable(z.number()) })
const TITLE_RATING_PATH = '/profile/{id}/ratings/{type}/{mediaId}'

export const getRating = defineEndpoint({
  access: 'profile',
  scope: 'tracking:read',
  method: 'GET',
  path: TITLE_RATING_PATH,
  params: titleParamsSchema,
  reply: ratingReplySchema,
  summary: 'Returns the rating that the profile gave a title, from 1 to 10; null when there is none',
})
export const putRating = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  method: 'PUT',
  path: TITLE_RATING_PATH,
  params: titleParamsSchema,
  body: z.strictObject({
    rating: z.nullable(z.int().check(z.minimum(1), z.maximum(MAX_RATING))),
    ...repeatFields,
  }),
  reply: ratingReplySchema,
  summary: 'Rates a title from 1 to 10; null removes the rating',
})
