import * as z from 'zod/mini'
import { CREW_JOB_GROUPS } from '../rules/job-groups.ts'
import { LIMITS } from '../rules/limits.ts'
import { GUIDE_FILTERS } from '../rules/maturity.ts'
import {
  booleanQuerySchema,
  createIntegerQuerySchema,
  createRepeatableParameterSchema,
  maxCharacters,
} from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { mediaCardSchema } from './media.ts'

/**
 * Kinds of facets, which are filters recognised in the words of a query. The value of a facet is a genre id, a network
 * id, an ISO 639-1 language, an ISO 3166-1 country, a year, the first year of a decade, a media type or a name.
 */
const FACET_KINDS = ['genre', 'network', 'language', 'country', 'year', 'decade', 'type', 'person'] as const
const queryFacetSchema = z.object({
  kind: z.enum(FACET_KINDS),
  value: z.string(),
  /** The query without the words that were recognised as this facet. */
  query_without: z.string(),
})
export type QueryFacet = z.infer<typeof queryFacetSchema>

/** Why a title was found although its name does not contain the query. */
const searchReasonSchema = z.object({
  kind: z.enum([...FACET_KINDS, 'character', 'keyword', 'plot', 'episode']),
  /**
   * For a facet kind, the value of the facet. Otherwise a character name, a keyword, a part of the plot, or the number
   * of an episode (`8x3` for season 8, episode 3) or season (`8`).
   */
  value: z.string(),
  /** Job of the person, when `kind` is `person`. */
  job: z.optional(z.string()),
})
export type SearchReason = z.infer<typeof searchReasonSchema>

const searchHitSchema = z.union([
  z.object({
    kind: z.enum(['movie', 'tv']),
    media: mediaCardSchema,
    reason: z.optional(searchReasonSchema),
  }),
  z.object({
    kind: z.literal('actor'),
    actor: z.object({
      id: z.string(),
      slug: z.string(),
      name: z.string(),
      profile_path: z.nullable(z.string()),
      /**
       * The one or two main job groups of the person, the group with the most titles first. Absent in offline results.
       */
      jobs: z.optional(z.array(z.enum(CREW_JOB_GROUPS))),
    }),
  }),
])
export type SearchHit = z.infer<typeof searchHitSchema>
export const searchCatalogue = defineEndpoint({
  access: 'viewer',
  scope: 'catalogue:read',
  method: 'GET',
  path: '/search',
  query: z.strictObject({
    q: z.string().check(z.trim(), z.minLength(1), maxCharacters(200)),
    limit: z._default(createIntegerQuerySchema(1, LIMITS.maxPageSize), LIMITS.search),
    type: z._default(z.enum(['all', 'movie', 'tv', 'actor']), 'all'),
    kids: z.optional(booleanQuerySchema),
    /** True returns only titles that can be played on this installation, and no people. */
    available: z.optional(booleanQuerySchema),
    /**
     * Highest accepted severities of the parental guide. When given, the reply contains no titles above these
     * severities, and no people.
     */
    guide: z.optional(createRepeatableParameterSchema(z.enum(GUIDE_FILTERS))),
  }),
  reply: z.object({
    query: z.string(),
    counts: z.object({ all: z.number(), movie: z.number(), tv: z.number(), actor: z.number() }),
    /** Facets that were recognised in the query and used to find titles. Absent in offline results. */
    facets: z.optional(z.array(queryFacetSchema)),
    results: z.array(searchHitSchema),
    /** True while the search index is being built: titles may be missing from the results. Otherwise absent. */
    index_building: z.optional(z.boolean()),
  }),
  summary:
    'Searches movies, series and people by name, genre, network, keyword or plot, tolerating misspellings',
})
