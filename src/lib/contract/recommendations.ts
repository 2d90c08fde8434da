/** Recommended titles of a profile, and the signals on which they are based. */
import * as z from 'zod/mini'
import { DEFAULT_PAGE_SIZES, LIMITS } from '../rules/limits.ts'
import {
  adultProofFields,
  booleanQuerySchema,
  createDecimalQuerySchema,
  createIntegerQuerySchema,
  createRepeatableParameterSchema,
  idParamsSchema,
  idSchema,
  maxCharacters,
  mediaTypeSchema,
} from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { mediaCardSchema } from './media.ts'

const recommendationReasonSchema = z.object({
  kind: z.enum(['liked', 'watched', 'in_list', 'genre', 'popular']),
  title: z.optional(z.string()),
  media_id: z.optional(z.string()),
  genre: z.optional(z.number()),
  /** Id of the signal that caused the recommendation. The user can disable this signal. Absent for `popular`. */
  signal: z.optional(z.string()),
})
export const recommendationSchema = z.extend(mediaCardSchema, {
  reasons: z.array(recommendationReasonSchema),
})
export type Recommendation = z.infer<typeof recommendationSchema>
const genreIdsSchema = z.optional(createRepeatableParameterSchema(createIntegerQuerySchema(1, 100_000)))
const recommendationFilterFields = {
  rating: z.optional(createDecimalQuerySchema(0, 10)),
  'rating-votes': z.optional(createIntegerQuerySchema(0, 1_000_000_000)),
  kids: z.optional(booleanQuerySchema),
  'include-rated': z.optional(booleanQuerySchema),
  'exclude-rated': z.optional(booleanQuerySchema),
}
const createLimitSchema = (defaultLimit: number) =>
  z._default(createIntegerQuerySchema(1, LIMITS.maxPageSize), defaultLimit)

export const listTopPicks = defineEndpoint({
  access: 'profile',
  scope: 'tracking:read',
  method: 'GET',
  path: '/profile/{id}/recommend',
  params: idParamsSchema,
  query: z.strictObject({
    limit: createLimitSchema(DEFAULT_PAGE_SIZES.topPicks),
    type: z.optional(mediaTypeSchema),
    ...recommendationFilterFields,
    'genres-included': genreIdsSchema,
    'genres-excluded': genreIdsSchema,
  }),
  reply: z.object({ results: z.array(recommendationSchema) }),
  summary: 'Lists the top picks for a profile',
})
export const listTopGenreRows = defineEndpoint({
  access: 'profile',
  scope: 'tracking:read',
  method: 'GET',
  path: '/profile/{id}/recommend/top-genres',
  params: idParamsSchema,
  query: z.strictObject({
    'genres-limit': z._default(createIntegerQuerySchema(1, 20), DEFAULT_PAGE_SIZES.topGenres),
    'result-limit': createLimitSchema(LIMITS.titlesPerTopGenre),
    ...recommendationFilterFields,
  }),
  reply: z.object({
    results: z.array(
      z.object({
        genre: z.object({ id: z.number(), name: z.string() }),
        results: z.array(recommendationSchema),
      }),
    ),
  }),
  summary: 'Lists recommendations by favourite genre, one row per genre',
})
export const listBecauseRows = defineEndpoint({
  access: 'profile',
  scope: 'tracking:read',
  method: 'GET',
  path: '/profile/{id}/recommend/because',
  params: idParamsSchema,
  query: z.strictObject({
    rows: z._default(createIntegerQuerySchema(1, 5), DEFAULT_PAGE_SIZES.becauseRows),
    'result-limit': createLimitSchema(LIMITS.similarTitlesPerRow),
    kids: z.optional(booleanQuerySchema),
  }),
  reply: z.object({
    results: z.array(
      z.object({ because: recommendationReasonSchema, results: z.array(recommendationSchema) }),
    ),
  }),
  summary: 'Lists titles similar to recently watched or liked titles, one row per title',
})
export const listSimilarTitles = defineEndpoint({
  access: 'viewer',
  scope: 'catalogue:read',
  method: 'GET',
  path: '/recommend/similar/{id}',
  params: idParamsSchema,
  query: z.strictObject({
    limit: createLimitSchema(LIMITS.similarTitles),
    type: z.optional(mediaTypeSchema),
    kids: z.optional(booleanQuerySchema),
  }),
  reply: z.object({ results: z.array(recommendationSchema) }),
  summary: 'Lists titles similar to a title',
})

const signalSchema = z.object({
  signal: z.string(),
  kind: z.enum(['liked', 'disliked', 'completed', 'watched', 'in_list', 'genre']),
  /** Whether the signal is disabled. */
  off: z.boolean(),
  media_id: z.optional(z.string()),
  title: z.optional(z.string()),
  genre: z.optional(z.number()),
})
export type RecommendationSignal = z.infer<typeof signalSchema>
export const listSignals = defineEndpoint({
  access: 'profile',
  scope: 'tracking:read',
  method: 'GET',
  path: '/profile/{id}/recommend/signals',
  params: idParamsSchema,
  reply: z.object({ results: z.array(signalSchema) }),
  summary: 'Lists the signals that recommendations are based on, including disabled signals',
})
export const putSignal = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  proof: 'adult',
  method: 'PUT',
  path: '/profile/{id}/recommend/signals/{signal}',
  params: z.strictObject({ id: idSchema, signal: z.string().check(maxCharacters(40)) }),
  body: z.strictObject({ off: z.boolean(), ...adultProofFields }),
  summary: 'Disables or re-enables a recommendation signal',
})
