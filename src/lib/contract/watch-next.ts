/** Watch next: titles that a profile can watch now, with the time until each of them ends. */
import * as z from 'zod/mini'
import { idParamsSchema } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { mediaCardSchema } from './media.ts'
import { episodeToPlaySchema } from './progress.ts'
import { viewingTimeSchema } from './viewing-time.ts'

export const WATCH_NEXT_KINDS = ['continue', 'next_episode', 'new_season', 'planned'] as const

const watchNextItemSchema = z.object({
  /**
   * `continue`: started and not finished. `next_episode`: the episode after the last watched episode. `new_season`: the
   * next episode starts a season that was released after the last viewing. `planned`: any other title in the watchlist
   * that is released and not completed.
   */
  kind: z.enum(WATCH_NEXT_KINDS),
  media: mediaCardSchema,
  /** Null for movies. */
  episode: z.nullable(episodeToPlaySchema),
  /** Watched part in percent, 0 to 100. */
  percentage: z.number(),
  /** Seconds until the item ends if it starts or continues now; null when its runtime is not known. */
  remaining_seconds: z.nullable(z.number()),
  /** Whether the installation can play the movie or episode. Absent while the server does not know this. */
  available: z.optional(z.boolean()),
})
export type WatchNextItem = z.infer<typeof watchNextItemSchema>

export const listWatchNext = defineEndpoint({
  access: 'profile',
  scope: 'tracking:read',
  method: 'GET',
  path: '/profile/{id}/watch-next',
  params: idParamsSchema,
  reply: z.object({
    /**
     * At most 200 items: first the started titles, latest activity first, then the `planned` titles, last added first.
     * Each title occurs once.
     */
    results: z.array(watchNextItemSchema),
    /** True when the watchlist may contain more `planned` titles than `results`, which contains at most 100 of them. */
    has_more_planned: z.boolean(),
    viewing_time: viewingTimeSchema,
  }),
  summary:
    'Lists what the profile can watch now: unfinished titles, next episodes, new seasons and the watchlist',
})
