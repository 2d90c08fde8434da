/**
 * Viewings: what a profile watched and when. Users add viewings by hand with `markSeen`; the player and
 * imports add viewings too.
 */
import * as z from 'zod/mini'
import { MAX_EPISODE_NUMBER } from '../rules/tracking-limits.ts'
import { MAX_NOTE_LENGTH, NOTE_PATTERN } from '../rules/viewing-note.ts'
import {
  adultProofFields,
  createIntegerQuerySchema,
  dateSchema,
  idParamsSchema,
  idSchema,
  maxCharacters,
  mediaTypeSchema,
  sentAtSchema,
} from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { mediaCardSchema } from './media.ts'

const MARK_SCOPES = ['title', 'season', 'episode', 'up_to'] as const
const MARK_DATE_KINDS = ['now', 'release', 'chosen'] as const
const MAX_VIEWINGS_PER_CALL = 100

const episodeNumberSchema = z.int().check(z.minimum(0), z.maximum(MAX_EPISODE_NUMBER))
/** The date of a viewing: `at` is a point in time, `day` a date without a time. */
const viewingDateFields = { at: z.optional(z.iso.datetime()), day: z.optional(z.iso.date()) }
const viewingScopeSchema = z.strictObject({
  type: mediaTypeSchema,
  media_id: idSchema,
  /**
   * `title` has neither season nor episode, `season` needs a season, and `episode` and `up_to` need both. `up_to`
   * contains the episode and the episodes before it: only specials for a special, else only regular episodes.
   */
  scope: z.enum(MARK_SCOPES),
  season: z.optional(episodeNumberSchema),
  episode: z.optional(episodeNumberSchema),
})
export type ViewingScope = z.infer<typeof viewingScopeSchema>

/**
 * Identifies a viewing. `season` and `episode` are absent for a movie. They are null when the import file did not
 * contain the numbers.
 */
const viewingRefSchema = z.strictObject({
  type: mediaTypeSchema,
  media_id: idSchema,
  season: z.optional(z.nullable(episodeNumberSchema)),
  episode: z.optional(z.nullable(episodeNumberSchema)),
  /** Name of the episode in an imported file, when its number is not known. */
  name: z.optional(z.string().check(maxCharacters(1_000))),
  /** Null when the time is not known. */
  watched_at: z.nullable(z.iso.datetime()),
})
export type ViewingRef = z.infer<typeof viewingRefSchema>

/** `viewings` is the number of viewings that were added, removed or changed; 0 when there was nothing to do. */
const editReplySchema = z.object({ key: z.string(), viewings: z.number() })
/**
 * Key of an edit, chosen by the client. A repeated call changes nothing. A different call with the same key is rejected
 * with 422 and the code `reused`. `undoViewingEdit` needs this key.
 */
const editKeySchema = idSchema
const VIEWINGS_PATH = '/profile/{id}/viewings'

export const markSeen = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  method: 'POST',
  path: VIEWINGS_PATH,
  params: idParamsSchema,
  body: z.strictObject({
    key: editKeySchema,
    scopes: z.array(viewingScopeSchema).check(z.minLength(1), z.maxLength(MAX_VIEWINGS_PER_CALL)),
    /**
     * `now` uses `at` or, when absent, the time of the server. `release` uses the release dates. `chosen` needs `day`
     * or `at`, and only `chosen` accepts `day`.
     */
    date: z._default(z.enum(MARK_DATE_KINDS), 'now'),
    ...viewingDateFields,
    sent_at: sentAtSchema,
    /**
     * True adds a viewing of every movie and episode in the scopes. False adds a viewing only of those that are unseen.
     */
    again: z._default(z.boolean(), false),
  }),
  reply: editReplySchema,
  summary: 'Marks titles, seasons or episodes as seen; unreleased episodes are left out',
})
export type MarkSeenBody = z.input<typeof markSeen.body>

export const listViewings = defineEndpoint({
  access: 'profile',
  scope: 'tracking:read',
  method: 'GET',
  path: VIEWINGS_PATH,
  params: idParamsSchema,
  query: z.strictObject({
    type: z.optional(mediaTypeSchema),
    media_id: z.optional(idSchema),
    /** The reply contains viewings from `from` (inclusive) until `until` (exclusive). */
    from: z.optional(z.iso.datetime()),
    until: z.optional(z.iso.datetime()),
    /**
     * The same period in days. Viewings of which only the date is known (`date_only`) are compared with these days.
     * Their time is noon in UTC, which may be on another day for the viewer. Without these days, such viewings are
     * compared with `from` and `until`.
     */
    from_day: z.optional(dateSchema),
    until_day: z.optional(dateSchema),
    /** Value of `next` in the reply with the previous page. */
    cursor: z.optional(z.string().check(maxCharacters(2_000))),
    limit: z._default(createIntegerQuerySchema(1, 100), 40),
  }),
  reply: z.object({
    results: z.array(
      z.object({
        media: mediaCardSchema,
        season: z.nullable(z.number()),
        episode: z.nullable(z.number()),
        /** Title of the episode in the catalogue. */
        episode_title: z.nullable(z.string()),
        /** Name of the episode in an imported file. It is empty when the number of the episode is known. */
        name: z.string(),
        watched_at: z.nullable(z.string()),
        /** True if only the date is known. `watched_at` is then noon of that day in UTC. */
        date_only: z.boolean(),
        /** True if the viewing was marked by hand. */
        marked: z.boolean(),
        /** Note of the profile about the viewing. Null without a note, and while another profile acts. */
        note: z.nullable(z.string()),
        /** The rating that the profile gave the title, from 1 to 10; null without a rating. */
        rating: z.nullable(z.number()),
      }),
    ),
    next: z.nullable(z.string()),
    /** Time of the oldest viewing with a known time; null when no viewing has a known time. */
    oldest: z.nullable(z.string()),
  }),
  summary: 'Lists viewings, newest first; viewings without a time come last',
})

export const removeViewings = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  proof: 'adult',
  method: 'DELETE',
  path: VIEWINGS_PATH,
  params: idParamsSchema,
  body: z.strictObject({
    key: editKeySchema,
    viewings: z.optional(z.array(viewingRefSchema).check(z.maxLength(MAX_VIEWINGS_PER_CALL))),
    /** Removes all viewings in these scopes, and the progress of the movies and episodes in these scopes. */
    scopes: z.optional(z.array(viewingScopeSchema).check(z.maxLength(MAX_VIEWINGS_PER_CALL))),
    ...adultProofFields,
  }),
  reply: editReplySchema,
  summary: 'Removes viewings from the history',
})

export const changeViewingDate = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  proof: 'adult',
  method: 'PUT',
  path: VIEWINGS_PATH,
  params: idParamsSchema,
  body: z.strictObject({
    key: editKeySchema,
    viewing: viewingRefSchema,
    ...viewingDateFields,
    ...adultProofFields,
  }),
  reply: editReplySchema,
  summary: 'Changes the date of a viewing',
})

export const changeViewingNote = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  method: 'PUT',
  path: `${VIEWINGS_PATH}/note`,
  params: idParamsSchema,
  body: z.strictObject({
    key: editKeySchema,
    viewing: viewingRefSchema,
    /**
     * Plain text without control characters other than line feeds. Surrounding white space is removed. Null, and a
     * text without visible characters, remove the note.
     */
    note: z.nullable(z.string().check(maxCharacters(MAX_NOTE_LENGTH), z.regex(NOTE_PATTERN))),
  }),
  reply: editReplySchema,
  summary: 'Adds, changes or removes the note to a viewing',
})

export const undoViewingEdit = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  proof: 'adult',
  method: 'POST',
  path: `${VIEWINGS_PATH}/{key}/undo`,
  params: z.extend(idParamsSchema, { key: editKeySchema }),
  body: z.strictObject(adultProofFields),
  errorStatuses: [409],
  summary:
    'Undoes a change of viewings within a day, completely or not at all: 409 when something changed since. A mark and a note need no proof',
})
