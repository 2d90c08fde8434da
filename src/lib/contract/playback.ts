/** The stream lookup (Spec §7) and what the player needs to start, under /proxy. */
import * as z from 'zod/mini'
import { MEDIA_QUALITIES } from '../rules/limits.ts'
import { integerQuery, mediaTypeSchema, slugSchema } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { episodeSchema, mediaDetailsSchema } from './media.ts'
import { titleProgressSchema } from './progress.ts'

/** The IMDb id of a title, or its id in the catalogue if it has none. */
const imdbId = z.string().check(z.regex(/^(?:tt\d{7,10}|[1-9]\d{0,14})$/))
const streamQuery = z.strictObject({
  quality: z._default(z.enum(MEDIA_QUALITIES), 'auto'),
  title: z.optional(z.string().check(z.maxLength(300))),
  year: z.optional(integerQuery(1870, 2200)),
})
/** Seconds from the start of the video. */
const timeSpan = z.object({ start: z.number(), end: z.number() })
export const streamSchema = z.object({
  /** Best source for the requested quality first. `size` is in bytes. */
  sources: z.array(
    z.object({ url: z.string(), mime_type: z.string(), quality: z.string(), size: z.nullable(z.number()) }),
  ),
  subtitles: z.array(
    z.object({
      lang: z.string(),
      label: z.string(),
      url: z.string(),
      /** Contains only the dialogue that is not in the main language of the video. */
      forced: z.optional(z.boolean()),
      /** For the deaf and hard of hearing. */
      sdh: z.optional(z.boolean()),
    }),
  ),
  intro: z.optional(timeSpan),
  /** Start of the credits in seconds. */
  credits_at: z.optional(z.number()),
})
export type StreamInfo = z.infer<typeof streamSchema>

export const getMovieStream = defineEndpoint({
  access: 'viewer',
  method: 'GET',
  base: '/proxy',
  path: '/torrent-streamer/stream/movie/{imdbId}',
  params: z.strictObject({ imdbId }),
  query: streamQuery,
  reply: streamSchema,
  summary: 'Returns the sources and subtitles of a movie',
})
export const getEpisodeStream = defineEndpoint({
  access: 'viewer',
  method: 'GET',
  base: '/proxy',
  path: '/torrent-streamer/stream/tv/{imdbId}/{season}/{episode}',
  params: z.strictObject({ imdbId, season: integerQuery(0, 10_000), episode: integerQuery(0, 100_000) }),
  query: streamQuery,
  reply: streamSchema,
  summary: 'Returns the sources and subtitles of an episode',
})

/** The query of the URL `/watch/`. Season and episode are given for a series only. */
export const playbackRequestSchema = z.strictObject({
  type: mediaTypeSchema,
  slug: slugSchema,
  season: z.optional(integerQuery(0, 10_000)),
  episode: z.optional(integerQuery(0, 100_000)),
})

/**
 * What the player needs to start, sent with the refreshed tokens in one response (decision 16). The fields equal the
 * replies of the separate endpoints: title by slug, progress in a title, episodes of a season, stream lookup.
 */
export const playbackStartSchema = z.object({
  /** The acting profile that the response belongs to; the player ignores it when another profile acts. */
  profile_id: z.string(),
  media: mediaDetailsSchema,
  history: titleProgressSchema,
  /** Episodes of the requested season. */
  episodes: z.optional(z.object({ results: z.array(episodeSchema) })),
  /** Absent when only the external resolver knows the sources, because the refresh must not wait for it. */
  stream: z.optional(streamSchema),
})
export type PlaybackStart = z.infer<typeof playbackStartSchema>
