/** The entries of the `marquee-export` format, version 1. */
import * as z from 'zod/mini'
import { countCharacters } from '../../../src/lib/rules/count-characters.ts'
import { WATCH_STATES } from '../../../src/lib/rules/limits.ts'
import { MAX_RATING, NAMED_LIST_LIMITS } from '../../../src/lib/rules/tracking-limits.ts'
import { MAX_NOTE_LENGTH, NOTE_PATTERN } from '../../../src/lib/rules/viewing-note.ts'

/** Limits the length of a text in characters (code points), as the API does. */
const maxCharacters = (maximum: number) => z.refine<string>((text) => countCharacters(text) <= maximum)

const secondsSchema = z.number().check(z.minimum(0))
const wholeNumberSchema = z.int().check(z.minimum(0))
const instantSchema = z.iso.datetime()
/** A timestamp, or only a date for an entry that was imported without a time; null if the date is unknown. */
export const timestampOrDateSchema = z.nullable(z.union([instantSchema, z.iso.date()]))
const titleFieldSchemas = {
  type: z.enum(['movie', 'tv']),
  title: z.string().check(z.minLength(1)),
  year: z.nullable(z.int()),
  imdb_id: z.nullable(z.string().check(z.regex(/^tt\d+$/))),
  tmdb_id: z.nullable(z.int().check(z.minimum(1))),
}
const listSchema = z.strictObject({
  ...titleFieldSchemas,
  state: z.nullable(z.enum(WATCH_STATES)),
  favorite: z.boolean(),
  added_at: timestampOrDateSchema,
})
const progressSchema = z.strictObject({
  ...titleFieldSchemas,
  season: z.nullable(wholeNumberSchema),
  episode: z.nullable(wholeNumberSchema),
  progress: secondsSchema,
  video_duration: secondsSchema,
  finished: z.boolean(),
  plays: wholeNumberSchema,
  updated_at: timestampOrDateSchema,
})
/** A viewing. If the number of the episode is unknown, `episode` is null and `episode_title` is set. */
const playSchema = z.strictObject({
  ...titleFieldSchemas,
  season: z.nullable(wholeNumberSchema),
  episode: z.nullable(wholeNumberSchema),
  episode_title: z.nullable(z.string().check(z.minLength(1))),
  watched_at: timestampOrDateSchema,
  /** True for a viewing that was marked by hand; absent otherwise. */
  marked: z.optional(z.literal(true)),
  /** Note of the profile about the viewing; absent if there is none. */
  note: z.optional(z.string().check(z.minLength(1), maxCharacters(MAX_NOTE_LENGTH), z.regex(NOTE_PATTERN))),
})
const feedbackSchema = z.strictObject({
  ...titleFieldSchemas,
  feedback: z.enum(['like', 'dislike']),
  updated_at: timestampOrDateSchema,
})
const ratingSchema = z.strictObject({
  ...titleFieldSchemas,
  rating: z.int().check(z.minimum(1), z.maximum(MAX_RATING)),
  updated_at: timestampOrDateSchema,
})

/** A list of the profile. `filter_type` and `filter_query` are set for a smart list. */
const namedListSchema = z.strictObject({
  name: z.string().check(z.minLength(1), maxCharacters(NAMED_LIST_LIMITS.nameLength)),
  description: z.string().check(maxCharacters(NAMED_LIST_LIMITS.descriptionLength)),
  shared: z.boolean(),
  on_home: z.boolean(),
  filter_type: z.nullable(z.enum(['movie', 'tv'])),
  filter_query: z.nullable(z.string().check(maxCharacters(2_000))),
})
/** A title of a named list. The entries are in the order of the list. */
const listTitleSchema = z.strictObject({
  ...titleFieldSchemas,
  name: z.string().check(z.minLength(1), maxCharacters(NAMED_LIST_LIMITS.nameLength)),
  added_at: timestampOrDateSchema,
})

export const EXPORT_ENTRY_SCHEMAS = {
  list: listSchema,
  progress: progressSchema,
  play: playSchema,
  feedback: feedbackSchema,
  rating: ratingSchema,
  named_list: namedListSchema,
  list_title: listTitleSchema,
} as const
export type ExportKind = keyof typeof EXPORT_ENTRY_SCHEMAS
/** The kinds of entries, in the order in which they are written to the file. */
export const EXPORT_KINDS = Object.keys(EXPORT_ENTRY_SCHEMAS) as ExportKind[]

/** `profile` is set only in the export of an account, which contains entries of several profiles. */
export type ExportEntry = { profile?: string } & (
  | ({ kind: 'list' } & z.infer<typeof listSchema>)
  | ({ kind: 'progress' } & z.infer<typeof progressSchema>)
  | ({ kind: 'play' } & z.infer<typeof playSchema>)
  | ({ kind: 'feedback' } & z.infer<typeof feedbackSchema>)
  | ({ kind: 'rating' } & z.infer<typeof ratingSchema>)
  | ({ kind: 'named_list' } & z.infer<typeof namedListSchema>)
  | ({ kind: 'list_title' } & z.infer<typeof listTitleSchema>)
)
