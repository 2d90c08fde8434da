import * as z from 'zod/mini'
import { LIMITS } from '../rules/limits.ts'
import { endpoint } from './endpoint.ts'
import { mediaCard } from './media.ts'
import { flag, whole } from './parts.ts'

const searchHit = z.union([
  z.object({ kind: z.enum(['movie', 'tv']), media: mediaCard }),
  z.object({
    kind: z.literal('actor'),
    actor: z.object({
      id: z.string(),
      slug: z.string(),
      name: z.string(),
      profile_path: z.nullable(z.string()),
    }),
  }),
])
export type SearchHit = z.infer<typeof searchHit>
export const search = endpoint({
  access: 'viewer',
  method: 'GET',
  path: '/search',
  query: z.strictObject({
    q: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
    limit: z._default(whole(1, LIMITS.listMax), LIMITS.search),
    type: z._default(z.enum(['all', 'movie', 'tv', 'actor']), 'all'),
    kids: z.optional(flag),
  }),
  reply: z.object({
    query: z.string(),
    counts: z.object({ all: z.number(), movie: z.number(), tv: z.number(), actor: z.number() }),
    results: z.array(searchHit),
  }),
  summary: 'Searches movies, series and actors by name, in any language, tolerating misspellings',
})
