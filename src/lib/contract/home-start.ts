/** First data of the home page. The reply to the session refresh contains this data, which saves a round trip. */
import * as z from 'zod/mini'
import { HOME_ROWS } from '../rules/home-rows.ts'
import { createPagedReplySchema } from './common-schemas.ts'
import { mediaCardSchema } from './media.ts'
import { continueCardSchema } from './progress.ts'

export const homeStartRequestSchema = z.strictObject({
  /** True requests the lists for kids profiles, like the query parameter `kids` of the separate endpoints. */
  kids: z.boolean(),
})
export type HomeStartRequest = z.infer<typeof homeStartRequestSchema>

/**
 * `featured` equals the reply of `listFeaturedMovies`, and `continue_watching` equals the reply of
 * `listContinueWatching`.
 */
export const homeStartSchema = z.object({
  /** The acting profile that the reply belongs to. The page ignores the reply when another profile acts. */
  profile_id: z.string(),
  /** The visible rows of the home page, in the order of the profile. */
  rows: z.array(z.enum(HOME_ROWS)),
  featured: z.object({ results: z.array(mediaCardSchema) }),
  continue_watching: createPagedReplySchema(continueCardSchema),
})
export type HomeStart = z.infer<typeof homeStartSchema>
