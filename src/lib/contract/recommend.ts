/** Recommendations (Spec §7 and §9). */
import * as z from 'zod/mini'
import { LIMITS } from '../rules/limits.ts'
import { endpoint } from './endpoint.ts'
import { mediaCard } from './media.ts'
import { decimal, flag, id, idParam, many, mediaType, whole } from './parts.ts'

const reason = z.object({
  kind: z.enum(['liked', 'watched', 'in_list', 'genre', 'popular']),
  title: z.optional(z.string()),
  media_id: z.optional(z.string()),
  genre: z.optional(z.number()),
  /** Names the signal behind it, to be switched off; popularity has none. */
  signal: z.optional(z.string()),
})
export const recommendation = z.extend(mediaCard, { reasons: z.array(reason) })
export type Recommendation = z.infer<typeof recommendation>
const genres = z.optional(many(whole(1, 100_000)))
const common = {
  rating: z.optional(decimal(0, 10)),
  'rating-votes': z.optional(whole(0, 1_000_000_000)),
  kids: z.optional(flag),
  'include-rated': z.optional(flag),
  'exclude-rated': z.optional(flag),
}
const limit = (normal: number) => z._default(whole(1, LIMITS.listMax), normal)

export const topPicks = endpoint({
  access: 'profile',
  method: 'GET',
  path: '/profile/{id}/recommend',
  params: idParam,
  query: z.strictObject({
    limit: limit(LIMITS.topPicks),
    type: z.optional(mediaType),
    ...common,
    'genres-included': genres,
    'genres-excluded': genres,
  }),
  reply: z.object({ results: z.array(recommendation) }),
  summary: 'Top picks for a profile',
})
export const topGenres = endpoint({
  access: 'profile',
  method: 'GET',
  path: '/profile/{id}/recommend/top-genres',
  params: idParam,
  query: z.strictObject({
    'genres-limit': z._default(whole(1, 20), LIMITS.topGenres),
    'result-limit': limit(LIMITS.topGenresResults),
    ...common,
  }),
  reply: z.object({
    results: z.array(
      z.object({ genre: z.object({ id: z.number(), name: z.string() }), results: z.array(recommendation) }),
    ),
  }),
  summary: "Rows of a profile's favourite genres",
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
  reply: z.object({ results: z.array(z.object({ because: reason, results: z.array(recommendation) })) }),
  summary: 'Titles like those watched or liked last, a row each',
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
  summary: 'Titles like this one',
})

const signal = z.object({
  signal: z.string(),
  kind: z.enum(['liked', 'disliked', 'completed', 'watched', 'in_list', 'genre']),
  off: z.boolean(),
  media_id: z.optional(z.string()),
  title: z.optional(z.string()),
  genre: z.optional(z.number()),
})
export type Signal = z.infer<typeof signal>
export const listSignals = endpoint({
  access: 'profile',
  method: 'GET',
  path: '/profile/{id}/recommend/signals',
  params: idParam,
  reply: z.object({ results: z.array(signal) }),
  summary: 'What speaks for or against titles for a profile, and what of it is switched off',
})
export const switchSignal = endpoint({
  access: 'profile',
  method: 'PUT',
  path: '/profile/{id}/recommend/signals/{signal}',
  params: z.strictObject({ id, signal: z.string().check(z.maxLength(40)) }),
  body: z.strictObject({ off: z.boolean() }),
  summary: 'Not because of this: a signal stops counting, or counts again',
})
