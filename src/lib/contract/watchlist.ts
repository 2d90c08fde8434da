/** The watchlist of a profile, which the interface calls My List. */
import * as z from 'zod/mini'
import { WATCH_STATES } from '../rules/limits.ts'
import { MAX_RATING } from '../rules/tracking-limits.ts'
import {
  booleanQuerySchema,
  createIntegerQuerySchema,
  createPagedReplySchema,
  createPagingQueryFields,
  idParamsSchema,
  idSchema,
  mediaTypeSchema,
  repeatFields,
  titleParamsSchema,
} from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { mediaCardSchema } from './media.ts'

const watchStateSchema = z.enum(WATCH_STATES)
export type WatchState = z.infer<typeof watchStateSchema>
const watchlistEntrySchema = z.object({
  type: mediaTypeSchema,
  media_id: z.string(),
  in_watchlist: z.boolean(),
  state: z.nullable(watchStateSchema),
  favorite: z.boolean(),
  added_at: z.nullable(z.string()),
})
export type WatchlistEntry = z.infer<typeof watchlistEntrySchema>
export const WATCHLIST_SORTS = [
  'added_at.desc',
  'added_at.asc',
  'title.asc',
  'title.desc',
  'year.desc',
  'year.asc',
  'rating.desc',
  'rating.asc',
] as const
/**
 * Restores an earlier entry. The value is the time at which the title was added, which determines its position in the
 * list. The value is null if the earlier entry had no time. A time in the future is stored as the current time. A
 * change to the state `completed` marks the title as seen, unless the change contains this field.
 */
const restoredAddedAtSchema = z.optional(z.nullable(z.iso.datetime()))
const WATCHLIST_PATH = '/profile/{id}/watchlist'
const WATCHLIST_ENTRY_PATH = '/profile/{id}/watchlist/{type}/{mediaId}'

export const listWatchlist = defineEndpoint({
  access: 'profile',
  scope: 'tracking:read',
  method: 'GET',
  path: WATCHLIST_PATH,
  params: idParamsSchema,
  query: z.strictObject({
    ...createPagingQueryFields(),
    type: z.optional(mediaTypeSchema),
    state: z.optional(watchStateSchema),
    favorite: z.optional(booleanQuerySchema),
    /** True returns only titles that the profile rated. False returns only titles that the profile did not rate. */
    rated: z.optional(booleanQuerySchema),
    'min-rating': z.optional(createIntegerQuerySchema(1, MAX_RATING)),
    sort: z._default(z.enum(WATCHLIST_SORTS), 'added_at.desc'),
  }),
  reply: createPagedReplySchema(
    z.extend(watchlistEntrySchema, {
      media: z.extend(mediaCardSchema, {
        /** The rating of the profile, from 1 to 10; null without a rating. */
        own_rating: z.nullable(z.number()),
      }),
    }),
  ),
  summary: 'Lists the entries of the watchlist (My List)',
})
export const getWatchlistEntry = defineEndpoint({
  access: 'profile',
  scope: 'tracking:read',
  method: 'GET',
  path: WATCHLIST_ENTRY_PATH,
  params: titleParamsSchema,
  reply: watchlistEntrySchema,
  summary: 'Returns the watchlist entry of a title; replies with in_watchlist=false when there is none',
})
export const putWatchlistEntry = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  method: 'PUT',
  path: WATCHLIST_ENTRY_PATH,
  params: titleParamsSchema,
  body: z.strictObject({
    in_watchlist: z.optional(z.boolean()),
    state: z.optional(watchStateSchema),
    favorite: z.optional(z.boolean()),
    added_at: restoredAddedAtSchema,
    ...repeatFields,
  }),
  reply: watchlistEntrySchema,
  summary: 'Adds a title to the watchlist, or changes the given fields of its entry',
})
export const toggleWatchlistEntry = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  method: 'PUT',
  path: `${WATCHLIST_ENTRY_PATH}/toggle`,
  params: titleParamsSchema,
  body: z.strictObject({ in_watchlist: z.optional(z.boolean()) }),
  reply: watchlistEntrySchema,
  summary: 'Toggles a title in the watchlist; with in_watchlist given, sets that value and is idempotent',
})
export const setWatchState = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  method: 'PUT',
  path: `${WATCHLIST_ENTRY_PATH}/state/{state}`,
  params: z.extend(titleParamsSchema, { state: watchStateSchema }),
  reply: watchlistEntrySchema,
  summary: 'Sets the state of an entry: planned, watching or completed',
})

export const putWatchlistEntries = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  method: 'PUT',
  path: WATCHLIST_PATH,
  params: idParamsSchema,
  body: z.strictObject({
    entries: z
      .array(
        z.strictObject({
          type: mediaTypeSchema,
          media_id: idSchema,
          in_watchlist: z.optional(z.boolean()),
          state: z.optional(watchStateSchema),
          favorite: z.optional(z.boolean()),
          added_at: restoredAddedAtSchema,
        }),
      )
      .check(z.minLength(1), z.maxLength(100)),
    ...repeatFields,
  }),
  reply: z.object({ results: z.array(watchlistEntrySchema) }),
  summary: 'Changes up to 100 watchlist entries in one transaction',
})
