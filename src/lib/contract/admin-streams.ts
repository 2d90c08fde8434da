/** Running streams, for administrators: who watches what, and how the server delivers it. */
import * as z from 'zod/mini'
import { idSchema } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { deliverySchema } from './playback.ts'

export const runningStreamSchema = z.object({
  id: z.string(),
  account: z.object({ id: z.string(), email: z.string() }),
  /** Name of the acting profile; null when no profile acts on the device. */
  profile: z.nullable(z.string()),
  title: z.object({ id: z.string(), type: z.enum(['movie', 'tv']), name: z.string() }),
  delivery: deliverySchema,
  /** Highest quality in which the server encodes the video, such as `720p`; null when it does not encode the video. */
  quality: z.nullable(z.string()),
  /** Name of the encoder; null when the server does not encode the video. */
  encoder: z.nullable(z.string()),
  started_at: z.string(),
  last_request_at: z.string(),
})
export type RunningStream = z.infer<typeof runningStreamSchema>

export const listStreams = defineEndpoint({
  access: 'admin',
  method: 'GET',
  path: '/admin/streams',
  reply: z.object({
    results: z.array(runningStreamSchema),
    ffmpeg: z.object({
      status: z.enum(['available', 'missing', 'outdated', 'off']),
      version: z.nullable(z.string()),
      /**
       * Maximum number of videos that all processes of the server encode at the same time. With `WORKERS`, each process
       * gets an equal share, at least one.
       */
      limit: z.number(),
    }),
  }),
  summary: 'Lists the running streams of all processes of the server, and the state of ffmpeg',
})
export const stopStream = defineEndpoint({
  access: 'admin',
  method: 'DELETE',
  path: '/admin/streams/{id}',
  params: z.strictObject({ id: idSchema }),
  summary: 'Stops a running stream; its device cannot watch the title for a minute',
})
