/** Recommendations (Spec §7 and §9). */
import * as z from 'zod/mini'
import { LIMITS } from '../rules/limits.ts'
import { endpoint } from './endpoint.ts'
import { mediaCard } from './media.ts'
import { decimal, flag, id, idParam, many, mediaType, whole } from './parts.ts'

const reasonSchema = z.object({
  kind: z.enum(['liked', 'watched', 'in_list', 'genre', 'popular']),
  title: z.optional(z.string()),
  media_id: z.optional(z.string()),
  genre: z.optional(z.number()),
  /** Id of the signal that caused the recommendation, with which it can be disabled; absent for popularity. */
  signal: z.optional(z.string()),
})
export const recommendation = z.extend(mediaCard, { reasons: z.array(reasonSchema) })
export type Recommendation = z.infer<typeof recommendation>
const genreIds = z.optional(many(whole(1, 100_000)))
const recommendFilters = {
  rating: z.optional(decimal(0, 10)),
  'rating-votes': z.optional(whole(0, 1_000_000_000)),
  kids: z.optional(flag),
  'include-rated': z.optional(flag),
  'exclude-rated': z.optional(flag),
}
const limit = (defaultLimit: number) => z._default(whole(1, LIMITS.listMax), defaultLimit)

export const topPicks = endpoint({
  access: 'profile',
  method: 'GET',
  path: '/profile/{id}/recommend',
  params: idParam,
  query: z.strictObject({
    limit: limit(LIMITS.topPicks),
    type: z.optional(mediaType),
    ...recommendFilters,
    'genres-included': genreIds,
    'genres-excluded': genreIds,
  }),
  reply: z.object({ results: z.array(recommendation) }),
  summary: 'Lists the top picks for a profile',
})
export const topGenres = endpoint({
  access: 'profile',
  method: 'GET',
  path: '/profile/{id}/recommend/top-genres',
  params: idParam,
  query: z.strictObject({
    'genres-limit': z._default(whole(1, 20), LIMITS.topGenres),
    'result-limit': limit(LIMITS.topGenresResults),
    ...recommendFilters,
  }),
  reply: z.object({
    results: z.array(
      z.object({ genre: z.object({ id: z.number(), name: z.string() }), results: z.array(recommendation) }),
    ),
  }),
  summary: 'Lists recommendations by favourite genre, one row per genre',
})
export const because = endpoint({
  access: 'profile',
  method: 'GET',
  path: '/profile/{id}/recommend/because',
  params: idParam,
  query: z.strictObject({
    rows: z._default(whole(1, 5), LIMITS.becauseRows),
    'result-limit': limit(LIMITS.similarDetail),
    kids: z.optional(flag),
  }),
  reply: z.object({
    results: z.array(z.object({ because: reasonSchema, results: z.array(recommendation) })),
  }),
  summary: 'Lists titles similar to recently watched or liked titles, one row per title',
})
export const similar = endpoint({
  access: 'viewer',
  method: 'GET',
  path: '/recommend/similar/{id}',
  params: idParam,
  query: z.strictObject({
    limit: limit(LIMITS.similar),
    type: z.optional(mediaType),
    kids: z.optional(flag),
  }),
  reply: z.object({ results: z.array(recommendation) }),
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
export type Signal = z.infer<typeof signalSchema>
export const listSignals = endpoint({
  access: 'profile',
  method: 'GET',
  path: '/profile/{id}/recommend/signals',
  params: idParam,
  reply: z.object({ results: z.array(signalSchema) }),
  summary: 'Lists the signals that recommendations are based on, including disabled signals',
})
export const switchSignal = endpoint({
  access: 'profile',
  method: 'PUT',
  path: '/profile/{id}/recommend/signals/{signal}',
  params: z.strictObject({ id, signal: z.string().check(z.maxLength(40)) }),
  body: z.strictObject({ off: z.boolean() }),
  summary: 'Disables or re-enables a recommendation signal',
})
