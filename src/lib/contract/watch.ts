/** What the player asks for together with its session, so that the picture waits for one answer (decision 0019). */
import * as z from 'zod/mini'
import { episode, mediaDetails } from './media.ts'
import { mediaType, slug, whole } from './parts.ts'
import { stream } from './stream.ts'
import { watched } from './tracking.ts'

/** As in the address of /watch/; of a series, the episode. */
export const watchWanted = z.strictObject({
  type: mediaType,
  slug,
  season: z.optional(whole(0, 10_000)),
  episode: z.optional(whole(0, 100_000)),
})
export type WatchWanted = z.output<typeof watchWanted>

/** What the calls of the same names answer: title by slug, history of a title, episodes of a season, stream lookup. */
export const watchStart = z.object({
  /** Who was taken to be watching: another one's answers are nobody's here. */
  profile_id: z.string(),
  media: mediaDetails,
  history: watched,
  /** Of the season that was named. */
  episodes: z.optional(z.object({ results: z.array(episode) })),
  /** Absent where only the operator's resolver can tell: nobody waits for their session meanwhile. */
  stream: z.optional(stream),
})
export type WatchStart = z.infer<typeof watchStart>
