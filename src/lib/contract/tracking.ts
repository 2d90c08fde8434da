/** My List, history, likes, continue watching, notices (Spec §7, api.md §3 and §4). */
import * as z from 'zod/mini'
import { WATCH_STATES } from '../rules/limits.ts'
import { endpoint } from './endpoint.ts'
import { mediaCard } from './media.ts'
import { flag, id, idParam, listOf, mediaType, paging } from './parts.ts'

const watchState = z.enum(WATCH_STATES)
export type WatchState = z.infer<typeof watchState>
const title = z.strictObject({ id, type: mediaType, mediaId: id })
const entry = z.object({
  type: mediaType,
  media_id: z.string(),
  in_watchlist: z.boolean(),
  state: z.nullable(watchState),
  favorite: z.boolean(),
  added_at: z.nullable(z.string()),
})
export type WatchlistEntry = z.infer<typeof entry>
export const WATCHLIST_SORTS = [
  'added_at.desc',
  'added_at.asc',
  'title.asc',
  'title.desc',
  'year.desc',
  'year.asc',
] as const
const ONE = '/profile/{id}/watchlist/{type}/{mediaId}'

export const listWatchlist = endpoint({
  access: 'profile',
  method: 'GET',
  path: '/profile/{id}/watchlist',
  params: idParam,
  query: z.strictObject({
    ...paging(),
    type: z.optional(mediaType),
    state: z.optional(watchState),
    favorite: z.optional(flag),
    sort: z._default(z.enum(WATCHLIST_SORTS), 'added_at.desc'),
  }),
  reply: listOf(z.extend(entry, { media: mediaCard })),
  summary: 'My List',
})
export const getWatchlistEntry = endpoint({
  access: 'profile',
  method: 'GET',
  path: ONE,
  params: title,
  reply: entry,
  summary: 'Whether a title is in My List; always answers',
})
export const putWatchlistEntry = endpoint({
  access: 'profile',
  method: 'PUT',
  path: ONE,
  params: title,
  body: z.strictObject({
    in_watchlist: z.optional(z.boolean()),
    state: z.optional(watchState),
    favorite: z.optional(z.boolean()),
  }),
  reply: entry,
  summary: 'Adds a title to My List, or sets what it is given',
})
export const toggleWatchlistEntry = endpoint({
  access: 'profile',
  method: 'PUT',
  path: `${ONE}/toggle`,
  params: title,
  body: z.strictObject({ in_watchlist: z.optional(z.boolean()) }),
  reply: entry,
  summary: 'Adds or removes a title; with a wish, safe to repeat',
})
export const setWatchState = endpoint({
  access: 'profile',
  method: 'PUT',
  path: `${ONE}/state/{state}`,
  params: z.extend(title, { state: watchState }),
  reply: entry,
  summary: 'Sets planned, watching or completed',
})

export const putWatchlist = endpoint({
  access: 'profile',
  method: 'PUT',
  path: '/profile/{id}/watchlist',
  params: idParam,
  body: z.strictObject({
    entries: z
      .array(
        z.strictObject({
          type: mediaType,
          media_id: id,
          in_watchlist: z.optional(z.boolean()),
          state: z.optional(watchState),
          favorite: z.optional(z.boolean()),
          /** Puts an entry back where it was; never later than now. */
          added_at: z.optional(z.iso.datetime()),
        }),
      )
      .check(z.minLength(1), z.maxLength(100)),
  }),
  reply: z.object({ results: z.array(entry) }),
  summary: 'Changes several titles of My List at once, or none',
})

const whole = z.int().check(z.minimum(0), z.maximum(100_000))
const seconds = z.number().check(z.minimum(0), z.maximum(1_000_000))
export const progress = z.object({
  type: mediaType,
  media_id: z.string(),
  season: z.optional(z.number()),
  episode: z.optional(z.number()),
  /** Seconds. */
  progress: z.number(),
  data: z.object({ video_duration: z.number() }),
  percentage: z.number(),
  finished: z.boolean(),
  updated_at: z.string(),
})
export type Progress = z.infer<typeof progress>
export const watched = z.object({ latest: z.nullable(progress), episodes: z.array(progress) })
const HISTORY = '/profile/{id}/history/{type}/{mediaId}'
export const getHistory = endpoint({
  access: 'profile',
  method: 'GET',
  path: HISTORY,
  params: title,
  reply: watched,
  summary: 'Progress in a title; of a series, every episode watched',
})
export const postHistory = endpoint({
  access: 'profile',
  method: 'POST',
  path: '/profile/{id}/history',
  params: idParam,
  body: z.strictObject({
    type: mediaType,
    media_id: id,
    season: z.optional(whole),
    episode: z.optional(whole),
    progress: seconds,
    data: z.strictObject({ video_duration: seconds }),
    /** When the position was true on the device; a late report never moves progress back. */
    at: z.optional(z.iso.datetime()),
  }),
  reply: progress,
  summary: 'Saves progress; safe to repeat',
})
export const resetHistory = endpoint({
  access: 'profile',
  method: 'DELETE',
  path: HISTORY,
  params: title,
  summary: 'Resets the progress of a title',
})
export const clearHistory = endpoint({
  access: 'profile',
  method: 'DELETE',
  path: '/profile/{id}/history',
  params: idParam,
  summary: 'Clears the history',
})
export const undoHistory = endpoint({
  access: 'profile',
  method: 'POST',
  path: '/profile/{id}/history/undo',
  params: idParam,
  summary: 'Brings back what was reset or cleared last, for ten minutes',
})

const feedback = z.object({ feedback: z.nullable(z.enum(['liked', 'disliked'])) })
export type Feedback = z.infer<typeof feedback>['feedback']
export const getFeedback = endpoint({
  access: 'profile',
  method: 'GET',
  path: '/profile/{id}/feedback/{type}/{mediaId}',
  params: title,
  reply: feedback,
  summary: 'Liked, disliked or neither',
})
export const putFeedback = endpoint({
  access: 'profile',
  method: 'PUT',
  path: '/profile/{id}/feedback/{type}/{mediaId}',
  params: title,
  body: z.strictObject({ feedback: z.nullable(z.enum(['like', 'dislike'])) }),
  reply: feedback,
  summary: 'Likes, dislikes, or takes it back',
})
export const listFeedback = endpoint({
  access: 'profile',
  method: 'GET',
  path: '/profile/{id}/feedback',
  params: idParam,
  query: z.strictObject({ ...paging(), feedback: z._default(z.enum(['liked', 'disliked']), 'disliked') }),
  reply: listOf(mediaCard),
  summary: 'Titles that were disliked (and are hidden from rows), or liked; the latest first',
})
export const putInteraction = endpoint({
  access: 'profile',
  method: 'PUT',
  path: '/profile/{id}/interaction/{type}/{mediaId}',
  params: title,
  body: z.strictObject({ event: z.enum(['impression', 'open', 'play', 'dismiss', 'undismiss']) }),
  summary: 'What was done with a card; dismiss takes it out of Continue Watching until the next play',
})

const continueCard = z.object({
  media: mediaCard,
  progress: z.nullable(progress),
  /** What plays next: the unfinished one, or the next episode. Absent for movies. */
  next_episode: z.nullable(
    z.object({
      season_number: z.number(),
      episode_number: z.number(),
      title: z.nullable(z.string()),
      still_path: z.nullable(z.string()),
      runtime: z.nullable(z.number()),
    }),
  ),
  updated_at: z.string(),
})
export type ContinueCard = z.infer<typeof continueCard>
export const continueWatching = endpoint({
  access: 'profile',
  method: 'GET',
  path: '/profile/{id}/continue-watching',
  params: idParam,
  query: z.strictObject({ ...paging() }),
  reply: listOf(continueCard),
  summary: 'One card per title in progress',
})
