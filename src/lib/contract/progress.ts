/** Progress in movies and episodes, and Continue Watching. On the wire, progress is `history`. */
import * as z from 'zod/mini'
import {
  adultProofFields,
  createPagedReplySchema,
  createPagingQueryFields,
  idParamsSchema,
  idSchema,
  mediaTypeSchema,
  sentAtSchema,
  titleParamsSchema,
} from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { mediaCardSchema } from './media.ts'
import { playedTimeSchema, viewingTimeSchema } from './viewing-time.ts'

const episodeNumberSchema = z.int().check(z.minimum(0), z.maximum(100_000))
const secondsSchema = z.number().check(z.minimum(0), z.maximum(1_000_000))
export const progressSchema = z.object({
  type: mediaTypeSchema,
  media_id: z.string(),
  season: z.optional(z.number()),
  episode: z.optional(z.number()),
  /** Position in seconds. */
  progress: z.number(),
  /** `video_duration` is in seconds. */
  data: z.object({ video_duration: z.number() }),
  percentage: z.number(),
  finished: z.boolean(),
  /** Number of times that the movie or episode was finished. Absent in replies that an earlier version cached. */
  plays: z.optional(z.number()),
  updated_at: z.string(),
})
export type PlaybackProgress = z.infer<typeof progressSchema>
/** `latest` is the most recently reported progress in the title. `episodes` is empty for a movie. */
export const titleProgressSchema = z.object({
  /**
   * The episode that the Play button starts: the unfinished episode, else the next episode, else the first episode
   * of a series that was not started. Null for a movie, and if there is no such episode.
   */
  next_episode: z.nullable(z.object({ season_number: z.number(), episode_number: z.number() })),
  latest: z.nullable(progressSchema),
  episodes: z.array(progressSchema),
  /** True if the movie, or each released regular episode of the series, is finished. */
  seen: z.boolean(),
})
export type TitleProgress = z.infer<typeof titleProgressSchema>

const HISTORY_PATH = '/profile/{id}/history'
const TITLE_HISTORY_PATH = '/profile/{id}/history/{type}/{mediaId}'

export const getTitleProgress = defineEndpoint({
  access: 'profile',
  scope: 'tracking:read',
  method: 'GET',
  path: TITLE_HISTORY_PATH,
  params: titleParamsSchema,
  reply: titleProgressSchema,
  summary: 'Returns the progress in a title; for a series, of every episode with progress',
})
export const postProgress = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  method: 'POST',
  path: HISTORY_PATH,
  params: idParamsSchema,
  body: z.strictObject({
    type: mediaTypeSchema,
    media_id: idSchema,
    season: z.optional(episodeNumberSchema),
    episode: z.optional(episodeNumberSchema),
    progress: secondsSchema,
    data: z.strictObject({ video_duration: secondsSchema }),
    /** Start of the credits in the played video, in seconds. From this position on, the video counts as finished. */
    credits_at: z.optional(secondsSchema),
    /** Time at which the device was at this position. A report that is older than the stored report is ignored. */
    at: z.optional(z.iso.datetime()),
    sent_at: sentAtSchema,
    /** Playing time of each player. Reports that were merged while offline contain the times of several players. */
    played: z.optional(z.array(playedTimeSchema).check(z.maxLength(20))),
  }),
  /** `viewing_time` is absent for profiles whose playing time is not counted. */
  reply: z.extend(progressSchema, { viewing_time: z.optional(viewingTimeSchema) }),
  summary: 'Saves progress; idempotent',
})
const progressRemovalBodySchema = z.strictObject({
  ...adultProofFields,
  /**
   * True when an earlier attempt of this request got no response. If that attempt has deleted the progress, the server
   * repeats its reply to the attempt.
   */
  repeated: z.optional(z.boolean()),
})
/**
 * `removed_at` identifies the deletion in a later call of `restoreDeletedProgress`. Null when there was no progress.
 */
const progressRemovalReplySchema = z.object({ removed_at: z.nullable(z.string()) })
export const deleteTitleProgress = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  proof: 'adult',
  method: 'DELETE',
  path: TITLE_HISTORY_PATH,
  params: titleParamsSchema,
  body: progressRemovalBodySchema,
  reply: progressRemovalReplySchema,
  summary: 'Deletes the progress of a title',
})
export const deleteAllProgress = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  proof: 'adult',
  method: 'DELETE',
  path: HISTORY_PATH,
  params: idParamsSchema,
  body: progressRemovalBodySchema,
  reply: progressRemovalReplySchema,
  summary: 'Deletes all progress of a profile',
})
export const restoreDeletedProgress = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  proof: 'adult',
  method: 'POST',
  path: `${HISTORY_PATH}/undo`,
  params: idParamsSchema,
  body: z.strictObject({
    ...adultProofFields,
    /** `removed_at` in the reply to the deletion; null is rejected with 404. If absent, the last deletion is undone. */
    removed_at: z.optional(z.nullable(z.iso.datetime())),
  }),
  summary: 'Restores the progress that a deletion within the last day has deleted',
})

export const episodeToPlaySchema = z.object({
  season_number: z.number(),
  episode_number: z.number(),
  title: z.nullable(z.string()),
  still_path: z.nullable(z.string()),
  /** Runtime in seconds. */
  runtime: z.nullable(z.number()),
})
export const continueCardSchema = z.object({
  media: mediaCardSchema,
  progress: z.nullable(progressSchema),
  /** The episode that the Play button starts: the unfinished episode, else the next episode. Null for movies. */
  next_episode: z.nullable(episodeToPlaySchema),
  updated_at: z.string(),
})
export type ContinueCard = z.infer<typeof continueCardSchema>
export const listContinueWatching = defineEndpoint({
  access: 'profile',
  scope: 'tracking:read',
  method: 'GET',
  path: '/profile/{id}/continue-watching',
  params: idParamsSchema,
  query: z.strictObject({ ...createPagingQueryFields() }),
  reply: createPagedReplySchema(continueCardSchema),
  summary: 'Lists the titles in progress, one card per title',
})
