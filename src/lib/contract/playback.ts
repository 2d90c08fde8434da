/** The stream lookup under /proxy, and the data with which the player starts. */

import * as z from 'zod/mini'
import { MEDIA_QUALITIES } from '../rules/limits.ts'
import { CAPABILITY_CODE_PATTERN } from '../rules/playback-capabilities.ts'
import { MAX_RELEASE_YEAR, MIN_RELEASE_YEAR } from '../rules/title-ranges.ts'
import { createIntegerQuerySchema, maxCharacters, mediaTypeSchema, slugSchema } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { episodeSchema, mediaDetailsSchema } from './media.ts'
import { titleProgressSchema } from './progress.ts'

/** The IMDb id of a title, or its id in the catalogue if the title has no IMDb id. */
const titleIdentifierSchema = z.string().check(z.regex(/^(?:tt\d{7,10}|[1-9]\d{0,14})$/))
const capabilityCodeSchema = z.string().check(z.regex(CAPABILITY_CODE_PATTERN))
const audioKindSchema = z.enum(['main', 'commentary', 'description'])
const audioLanguageSchema = z.string().check(z.regex(/^[a-z]{2,3}(-[A-Za-z\d]{2,8})?$/))
const streamQuerySchema = z.strictObject({
  quality: z._default(z.enum(MEDIA_QUALITIES), 'auto'),
  title: z.optional(z.string().check(maxCharacters(300))),
  year: z.optional(createIntegerQuerySchema(MIN_RELEASE_YEAR, MAX_RELEASE_YEAR)),
  /**
   * What the browser can decode (rules/playback-capabilities.ts). When absent, the server assumes only the formats that
   * every current browser can decode.
   */
  decoders: z.optional(capabilityCodeSchema),
  /** Id of the wanted audio track, from `audio_tracks`. */
  audio: z.optional(createIntegerQuerySchema(0, 1_000)),
  /** Preferred audio language, ISO 639-1. */
  audio_language: z.optional(audioLanguageSchema),
  /** Preferred kind of audio track in the preferred language: `description` describes the picture for blind viewers. */
  audio_kind: z.optional(audioKindSchema),
  /** Picture subtitle that the server draws into the video. The value is a `burn_in_id` from `subtitles`. */
  burnt_in_subtitle: z.optional(createIntegerQuerySchema(0, 1_000)),
})
const deliveryReasonSchema = z.enum([
  /** The browser can play the file without a conversion. */
  'playable',
  'container',
  'video_codec',
  'audio_codec',
  /** The chosen or preferred audio track is not the default track of the file. Browsers play only the default track. */
  'audio_track',
  /** The viewer chose a picture subtitle that the server draws into the video. */
  'burnt_in_subtitle',
  /** The source has a lower quality than the file, for slow connections and small screens. */
  'quality',
  /** The file needs a conversion. Its video cannot be copied, because the times of its keyframes are not known. */
  'no_index',
  /**
   * The header of the file contains no duration or a wrong duration. Without a conversion, browsers would show a wrong
   * duration.
   */
  'duration',
  /** The file could not be examined and is sent without a conversion. */
  'unknown',
])
export type DeliveryReason = z.infer<typeof deliveryReasonSchema>
export const deliverySchema = z.enum(['direct', 'remux', 'transcode'])
/** A part of the video. `start` and `end` are in seconds from the start of the video. */
const timeSpanSchema = z.object({ start: z.number(), end: z.number() })
export const streamSchema = z.object({
  /** Sources, sorted by how well they match the requested quality, best first. `size` is in bytes. */
  sources: z.array(
    z.object({
      url: z.string(),
      mime_type: z.string(),
      quality: z.string(),
      size: z.nullable(z.number()),
      /**
       * `direct` sends the file itself, `remux` copies its video into another container, and `transcode` encodes the
       * video. Absent for sources of a resolver.
       */
      delivery: z.optional(deliverySchema),
      reason: z.optional(deliveryReasonSchema),
    }),
  ),
  subtitles: z.array(
    z.object({
      lang: z.string(),
      label: z.string(),
      /**
       * Format of an embedded track: `ass` for styled text, which is also sent as WebVTT; `pgs` for picture
       * subtitles of a Blu-ray; `vobsub` for those of a DVD. Absent when the track exists only as WebVTT.
       */
      format: z.optional(z.enum(['ass', 'pgs', 'vobsub'])),
      /** URL of the track as WebVTT. Absent for pictures. */
      url: z.optional(z.string()),
      /**
       * URL of the folder that contains the original track, as `track.ass` with `fonts.json`, or as `track.sup`. The
       * URL ends with a slash. Present only for the formats `ass` and `pgs`.
       */
      original_url: z.optional(z.string()),
      /** Value of the query parameter `burnt_in_subtitle` that makes the server draw this track into the video. */
      burn_in_id: z.optional(z.number()),
      /** True when the track contains only the dialogue that is not in the main language of the video. */
      forced: z.optional(z.boolean()),
      /** True when the track is for the deaf and hard of hearing. */
      sdh: z.optional(z.boolean()),
    }),
  ),
  intro: z.optional(timeSpanSchema),
  /** Start of the credits in seconds. */
  credits_at: z.optional(z.number()),
  /**
   * Chapters of the file, at least two, sorted by their start in seconds. A chapter without a name has an empty title.
   */
  chapters: z.optional(z.array(z.object({ start: z.number(), title: z.string() }))),
  /** Thumbnails of the video at regular intervals, arranged in sheets. Absent until the server has made them. */
  thumbnails: z.optional(
    z.object({
      /** URL of the folder of the sheets, which are named `1.jpg`, `2.jpg` and so on. The URL ends with a slash. */
      url: z.string(),
      interval_seconds: z.number(),
      /** Number of thumbnails on all sheets. */
      count: z.number(),
      /** A sheet has `rows` rows with `columns` thumbnails each. */
      columns: z.number(),
      rows: z.number(),
      /** `width` and `height` are the size of a thumbnail in pixels. */
      width: z.number(),
      height: z.number(),
    }),
  ),
  /** All audio tracks of the file, even if it has only one. `selected` is true for the track that the sources play. */
  audio_tracks: z.optional(
    z.array(
      z.object({
        id: z.number(),
        lang: z.string(),
        label: z.string(),
        kind: audioKindSchema,
        channels: z.number(),
        selected: z.boolean(),
      }),
    ),
  ),
  /**
   * Numbers of the episodes that every source contains, all from the requested season. Present only if there are
   * several: some files contain more than one episode.
   */
  episodes: z.optional(z.array(z.number())),
  /**
   * Whether the server can convert the file, or why it does not. `missing`, `outdated`, `off`: ffmpeg is missing, too
   * old or turned off. `busy`: as many videos are being encoded as the server allows. `not_needed`: no source is
   * encoded. Absent when no source comes from the media folder.
   */
  conversion: z.optional(z.enum(['available', 'missing', 'outdated', 'off', 'busy', 'not_needed'])),
  /**
   * Present when `conversion` is `busy`. `profiles` contains the names of the profiles of this account that use a
   * conversion. `others` is the number of all other viewers that use a conversion.
   */
  busy_with: z.optional(z.object({ profiles: z.array(z.string()), others: z.number() })),
})
export type StreamInfo = z.infer<typeof streamSchema>

export type AudioKind = z.infer<typeof audioKindSchema>

export const getMovieStream = defineEndpoint({
  access: 'viewer',
  method: 'GET',
  base: '/proxy',
  path: '/torrent-streamer/stream/movie/{imdbId}',
  params: z.strictObject({ imdbId: titleIdentifierSchema }),
  query: streamQuerySchema,
  reply: streamSchema,
  errorStatuses: [502],
  summary: 'Returns the sources and subtitles of a movie',
})
export const getEpisodeStream = defineEndpoint({
  access: 'viewer',
  method: 'GET',
  base: '/proxy',
  path: '/torrent-streamer/stream/tv/{imdbId}/{season}/{episode}',
  params: z.strictObject({
    imdbId: titleIdentifierSchema,
    season: createIntegerQuerySchema(0, 10_000),
    episode: createIntegerQuerySchema(0, 100_000),
  }),
  query: streamQuerySchema,
  reply: streamSchema,
  errorStatuses: [502],
  summary: 'Returns the sources and subtitles of an episode',
})

/**
 * The title in the query of the URL `/watch/`, with season and episode for a series only. The other fields are those of
 * the stream query that depend on the browser and the profile.
 */
export const playbackRequestSchema = z.strictObject({
  type: mediaTypeSchema,
  slug: slugSchema,
  season: z.optional(z.int().check(z.minimum(0), z.maximum(10_000))),
  episode: z.optional(z.int().check(z.minimum(0), z.maximum(100_000))),
  decoders: z.optional(capabilityCodeSchema),
  audio_language: z.optional(audioLanguageSchema),
  audio_kind: z.optional(audioKindSchema),
})
export type PlaybackStartRequest = z.infer<typeof playbackRequestSchema>

/**
 * First data of the player, sent in the same response as the refreshed tokens (decision record 16). Each field except
 * `profile_id` is the reply of a separate endpoint: title by slug, progress in a title, episodes of a season, stream
 * lookup.
 */
export const playbackStartSchema = z.object({
  /** The acting profile that the response belongs to. The player ignores the response when another profile acts. */
  profile_id: z.string(),
  media: mediaDetailsSchema,
  history: titleProgressSchema,
  /** Episodes of the requested season; absent if the request names no existing season. */
  episodes: z.optional(z.object({ results: z.array(episodeSchema) })),
  /** Absent when only the external resolver knows the sources, because the refresh must not wait for the resolver. */
  stream: z.optional(streamSchema),
})
export type PlaybackStart = z.infer<typeof playbackStartSchema>
