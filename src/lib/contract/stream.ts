/** The stream lookup (Spec §7), under /proxy. */
import * as z from 'zod/mini'
import { MEDIA_QUALITIES } from '../rules/limits.ts'
import { endpoint } from './endpoint.ts'
import { whole } from './parts.ts'

const imdbId = z.string().check(z.regex(/^tt\d{7,10}$/))
const query = z.strictObject({
  quality: z._default(z.enum(MEDIA_QUALITIES), 'auto'),
  title: z.optional(z.string().check(z.maxLength(300))),
  year: z.optional(whole(1870, 2200)),
})
const span = z.object({ start: z.number(), end: z.number() })
export const stream = z.object({
  /** Best first for the caller's preference. `size` in bytes. */
  sources: z.array(
    z.object({ url: z.string(), mime_type: z.string(), quality: z.string(), size: z.nullable(z.number()) }),
  ),
  subtitles: z.array(
    z.object({
      lang: z.string(),
      label: z.string(),
      url: z.string(),
      /** Only what is foreign to the film's own language. */
      forced: z.optional(z.boolean()),
      /** For the deaf and hard of hearing. */
      sdh: z.optional(z.boolean()),
    }),
  ),
  /** Seconds. */
  intro: z.optional(span),
  credits_at: z.optional(z.number()),
})
export type Stream = z.infer<typeof stream>

export const movieStream = endpoint({
  access: 'viewer',
  method: 'GET',
  base: '/proxy',
  path: '/torrent-streamer/stream/movie/{imdbId}',
  params: z.strictObject({ imdbId }),
  query,
  reply: stream,
  summary: 'Where a movie can be played from',
})
export const episodeStream = endpoint({
  access: 'viewer',
  method: 'GET',
  base: '/proxy',
  path: '/torrent-streamer/stream/tv/{imdbId}/{season}/{episode}',
  params: z.strictObject({ imdbId, season: whole(0, 10_000), episode: whole(0, 100_000) }),
  query,
  reply: stream,
  summary: 'Where an episode can be played from',
})
