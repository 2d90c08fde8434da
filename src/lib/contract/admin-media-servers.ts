/**
 * Jellyfin and Plex servers whose videos this server streams. Addresses and tokens can be set, but are never returned.
 */
import * as z from 'zod/mini'
import { MEDIA_SERVER_KINDS, MEDIA_SERVER_PROBLEMS } from '../rules/media-server-problems.ts'
import { jobSchema } from './admin.ts'
import {
  createPagedReplySchema,
  createPagingQueryFields,
  idParamsSchema,
  idSchema,
  listVersionSchema,
  maxCharacters,
  mediaTypeSchema,
} from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'

/**
 * Why an item of a media server has no title in the catalogue.
 * - `no_ids`      the media server knows no IMDb, TMDB or TVDB id of the item
 * - `unknown_id`  the catalogue has no title with the ids of the item
 * - `id_conflict` the ids of the item belong to different titles
 * - `no_number`   the episode has no number
 * - `no_episode`  the series in the catalogue has no episode with this number
 */
export const UNMATCHED_ITEM_REASONS = [
  'no_ids',
  'unknown_id',
  'id_conflict',
  'no_number',
  'no_episode',
] as const
export type UnmatchedItemReason = (typeof UNMATCHED_ITEM_REASONS)[number]
export const MEDIA_SERVER_ITEM_STATES = ['matched', 'unmatched'] as const

const mediaServerSchema = z.object({
  id: z.string(),
  kind: z.enum(MEDIA_SERVER_KINDS),
  /** Scheme, host and port of the address. */
  origin: z.string(),
  /** True when the playback positions of viewers are sent to the media server. */
  report_progress: z.boolean(),
  matched: z.number(),
  unmatched: z.number(),
  /** Time of the last successful request; null if no request has succeeded yet. */
  contacted_at: z.nullable(z.string()),
  /** `problem`: why the last request failed. `failed_at`: when it failed. Both are null after a successful request. */
  problem: z.nullable(z.enum(MEDIA_SERVER_PROBLEMS)),
  failed_at: z.nullable(z.string()),
})
export type MediaServer = z.infer<typeof mediaServerSchema>
const mediaServersReplySchema = z.object({ results: z.array(mediaServerSchema), version: listVersionSchema })

const mediaServerItemSchema = z.object({
  id: z.string(),
  server_id: z.string(),
  /** Origin of the server. */
  server: z.string(),
  type: mediaTypeSchema,
  name: z.string(),
  series_name: z.nullable(z.string()),
  year: z.nullable(z.number()),
  season: z.nullable(z.number()),
  episodes: z.array(z.number()),
  imdb_id: z.nullable(z.string()),
  tmdb_id: z.nullable(z.number()),
  tvdb_id: z.nullable(z.number()),
  state: z.enum(MEDIA_SERVER_ITEM_STATES),
  reason: z.nullable(z.enum(UNMATCHED_ITEM_REASONS)),
  title: z.nullable(
    z.object({
      id: z.string(),
      type: mediaTypeSchema,
      slug: z.string(),
      title: z.string(),
      year: z.nullable(z.number()),
    }),
  ),
})
export type MediaServerItem = z.infer<typeof mediaServerItemSchema>

export const listMediaServers = defineEndpoint({
  access: 'admin',
  method: 'GET',
  path: '/admin/media-servers',
  reply: mediaServersReplySchema,
  summary: 'Lists the media servers in the order in which they are asked, with their last contact',
})
export const changeMediaServers = defineEndpoint({
  access: 'admin',
  scope: null,
  method: 'PUT',
  path: '/admin/media-servers',
  body: z.strictObject({
    version: z.optional(listVersionSchema),
    servers: z
      .array(
        z.strictObject({
          /** Id of an existing server; absent for a new one. */
          id: z.optional(idSchema),
          /** Needed for a new server. */
          kind: z.optional(z.enum(MEDIA_SERVER_KINDS)),
          /** When `address` or `token` is absent, an existing server keeps the stored value of that field. */
          address: z.optional(z.string().check(z.minLength(1), maxCharacters(2_000))),
          token: z.optional(z.string().check(z.regex(/^[\x21\x23-\x7e]{1,500}$/))),
          report_progress: z._default(z.boolean(), false),
        }),
      )
      .check(z.maxLength(5)),
  }),
  reply: mediaServersReplySchema,
  errorStatuses: [409],
  summary: 'Replaces the media servers and their order',
})
export const testMediaServer = defineEndpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/media-servers/{id}/test',
  params: idParamsSchema,
  reply: z.object({
    result: z.enum(['ok', ...MEDIA_SERVER_PROBLEMS]),
    /** Name and version of the server; null when the server cannot be used. */
    name: z.nullable(z.string()),
    version: z.nullable(z.string()),
  }),
  summary: 'Tests address, token and version of a media server',
})
export const listMediaServerItems = defineEndpoint({
  access: 'admin',
  method: 'GET',
  path: '/admin/media-server-items',
  query: z.strictObject({
    ...createPagingQueryFields(),
    server: z.optional(idSchema),
    state: z.optional(z.enum(MEDIA_SERVER_ITEM_STATES)),
    reason: z.optional(z.enum(UNMATCHED_ITEM_REASONS)),
    search: z.optional(z.string().check(maxCharacters(200))),
  }),
  reply: createPagedReplySchema(mediaServerItemSchema),
  summary: 'Lists the movies and episodes of the media servers, sorted by name',
})
export const syncMediaServers = defineEndpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/media-server-items/sync',
  status: 202,
  reply: jobSchema,
  errorStatuses: [409],
  summary: 'Reads the libraries of the media servers now',
})
