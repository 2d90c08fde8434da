import * as z from 'zod/mini'
import { LIMITS } from '../rules/limits.ts'
import { GUIDE_FILTERS } from '../rules/maturity.ts'
import { booleanQuery, integerQuery, repeatedQuery } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { mediaCardSchema } from './media.ts'

const searchHit = z.union([
  z.object({ kind: z.enum(['movie', 'tv']), media: mediaCardSchema }),
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
export const searchCatalogue = defineEndpoint({
  access: 'viewer',
  scope: 'catalogue:read',
  method: 'GET',
  path: '/search',
  query: z.strictObject({
    q: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
    limit: z._default(integerQuery(1, LIMITS.listMax), LIMITS.search),
    type: z._default(z.enum(['all', 'movie', 'tv', 'actor']), 'all'),
    kids: z.optional(booleanQuery),
    /** Only titles that can be played here, and no people. */
    available: z.optional(booleanQuery),
    /** Only titles within these severities of the parental guide, and no people. */
    guide: z.optional(repeatedQuery(z.enum(GUIDE_FILTERS))),
  }),
  reply: z.object({
    query: z.string(),
    counts: z.object({ all: z.number(), movie: z.number(), tv: z.number(), actor: z.number() }),
    results: z.array(searchHit),
  }),
  summary: 'Searches movies, series and actors by name, in any language, tolerating misspellings',
})
