/** Stream resolvers that administrators set up. Addresses can be set, but are never returned. */
import * as z from 'zod/mini'
import { CONNECTION_TEST_RESULTS } from './admin.ts'
import { idParamsSchema, idSchema, listVersionSchema, maxCharacters } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'

const originSchema = z.string().check(maxCharacters(200))
export const streamResolverSchema = z.object({
  id: z.string(),
  /** Scheme, host and port of the address. */
  origin: z.string(),
  /** `stremio`: the protocol of Stremio add-ons. `marquee`: the protocol that docs/media.md specifies. */
  protocol: z.enum(['stremio', 'marquee']),
  /** Origins of the media URLs that the resolver may return, in addition to its own origin. */
  media_origins: z.array(z.string()),
  /** True when the resolver may return HTTPS media URLs of every public host. */
  public_hosts: z.boolean(),
  /** Name of the environment variable that sets up this resolver; null for a resolver set up in the dashboard. */
  variable: z.nullable(z.string()),
})
export type StreamResolver = z.infer<typeof streamResolverSchema>
const resolversReplySchema = z.object({ results: z.array(streamResolverSchema), version: listVersionSchema })

export const listResolvers = defineEndpoint({
  access: 'admin',
  method: 'GET',
  path: '/admin/resolvers',
  reply: resolversReplySchema,
  summary: 'Lists the stream resolvers in the order in which they are asked',
})
export const changeResolvers = defineEndpoint({
  access: 'admin',
  scope: null,
  method: 'PUT',
  path: '/admin/resolvers',
  body: z.strictObject({
    version: z.optional(listVersionSchema),
    resolvers: z
      .array(
        z.strictObject({
          /** Id of an existing resolver; absent for a new one. */
          id: z.optional(idSchema),
          /**
           * URL of the resolver, or of the manifest of a Stremio add-on. When absent, an existing resolver keeps its
           * address.
           */
          address: z.optional(z.string().check(z.minLength(1), maxCharacters(2_000))),
          media_origins: z._default(z.array(originSchema).check(z.maxLength(20)), []),
          public_hosts: z._default(z.boolean(), false),
        }),
      )
      .check(z.maxLength(10)),
  }),
  reply: resolversReplySchema,
  errorStatuses: [409],
  summary: 'Replaces the stream resolvers of the dashboard and their order',
})
export const testResolver = defineEndpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/resolvers/{id}/test',
  params: idParamsSchema,
  reply: z.object({ result: z.enum(CONNECTION_TEST_RESULTS) }),
  summary: 'Sends a request to a stream resolver',
})
