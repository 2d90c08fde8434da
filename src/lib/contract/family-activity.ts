/**
 * Activity of a profile, as a parent sees it: minutes per day, viewings and searches (decision record 40). Searches are
 * recorded only for kids profiles.
 */
import * as z from 'zod/mini'
import { idParamsSchema } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { mediaCardSchema } from './media.ts'

export const getProfileActivity = defineEndpoint({
  access: 'profile:any',
  proof: 'main',
  method: 'GET',
  path: '/profile/{id}/family-activity',
  params: idParamsSchema,
  reply: z.object({
    /** Today's date in the time zone of the account. */
    today: z.string(),
    /** Days with playing time in the last 90 days, oldest first. */
    days: z.array(z.object({ day: z.string(), minutes: z.number() })),
    /**
     * The movies and episodes that were watched in the last 90 days, at most 50, latest first. Titles that the parent
     * may not see are left out.
     */
    watched: z.array(
      z.object({
        media: mediaCardSchema,
        season: z.nullable(z.number()),
        episode: z.nullable(z.number()),
        percentage: z.number(),
        watched_at: z.string(),
      }),
    ),
    /** The latest searches of the last 90 days, at most 50, latest first. */
    searches: z.array(z.object({ query: z.string(), searched_at: z.string() })),
  }),
  summary: 'Returns what a profile watched and searched, and its minutes per day, in the last 90 days',
})
