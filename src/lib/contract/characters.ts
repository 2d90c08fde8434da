/** Characters of titles. A child who cannot read finds a title by choosing the picture of a character. */
import * as z from 'zod/mini'
import { idParamsSchema } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { mediaCardSchema } from './media.ts'

export const listCharacters = defineEndpoint({
  access: 'profile',
  scope: 'tracking:read',
  method: 'GET',
  path: '/profile/{id}/recommend/characters',
  params: idParamsSchema,
  reply: z.object({
    /** Characters, sorted by the popularity of their titles. The titles in `media` are all different. */
    results: z.array(
      z.object({
        name: z.string(),
        /** A popular title with the character. The picture of this title represents the character. */
        media: mediaCardSchema,
        /** Number of popular titles with the character. */
        title_count: z.number(),
      }),
    ),
  }),
  summary: 'Lists main characters of popular titles that the profile may see',
})
