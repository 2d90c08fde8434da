/** Progress in movies and episodes, and Continue Watching (Spec §7, api.md §3 and §4). On the wire it is `history`. */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { mediaCard } from './media.ts'
import { id, idParam, listOf, mediaType, paging, titleParams } from './parts.ts'

const episodeNumber = z.int().check(z.minimum(0), z.maximum(100_000))
const seconds = z.number().check(z.minimum(0), z.maximum(1_000_000))
export const progress = z.object({
  type: mediaType,
  media_id: z.string(),
  season: z.optional(z.number()),
  episode: z.optional(z.number()),
  /** Seconds. */
  progress: z.number(),
  /** Seconds. */
  data: z.object({ video_duration: z.number() }),
  percentage: z.number(),
  finished: z.boolean(),
  updated_at: z.string(),
})
export type Progress = z.infer<typeof progress>
/** `latest` is the progress with the newest report; `episodes` is empty for a movie. */
export const watched = z.object({ latest: z.nullable(progress), episodes: z.array(progress) })
const HISTORY_PATH = '/profile/{id}/history'
const TITLE_HISTORY_PATH = '/profile/{id}/history/{type}/{mediaId}'

export const getHistory = endpoint({
  access: 'profile',
  method: 'GET',
  path: TITLE_HISTORY_PATH,
  params: titleParams,
  reply: watched,
  summary: 'Returns the progress in a title; for a series, of every episode with progress',
})
export const postHistory = endpoint({
  access: 'profile',
  method: 'POST',
  path: HISTORY_PATH,
  params: idParam,
  body: z.strictObject({
    type: mediaType,
    media_id: id,
    season: z.optional(episodeNumber),
    episode: z.optional(episodeNumber),
    progress: seconds,
    data: z.strictObject({ video_duration: seconds }),
    /** When the device was at this position; a report that is older than the stored one is ignored. */
    at: z.optional(z.iso.datetime()),
  }),
  reply: progress,
  summary: 'Saves progress; idempotent',
})
export const resetHistory = endpoint({
  access: 'profile',
  method: 'DELETE',
  path: TITLE_HISTORY_PATH,
  params: titleParams,
  summary: 'Deletes the progress of a title',
})
export const clearHistory = endpoint({
  access: 'profile',
  method: 'DELETE',
  path: HISTORY_PATH,
  params: idParam,
  summary: 'Deletes all progress of a profile',
})
export const undoHistory = endpoint({
  access: 'profile',
  method: 'POST',
  path: `${HISTORY_PATH}/undo`,
  params: idParam,
  summary: 'Restores the progress that was deleted last, within ten minutes',
})

const continueCard = z.object({
  media: mediaCard,
  progress: z.nullable(progress),
  /** The episode that Play starts: the unfinished one, or the next one. Null for movies. */
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
  summary: 'Lists the titles in progress, one card per title',
})
