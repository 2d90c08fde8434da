/** The normalised format of titles and people. Every importer converts its source to these records. */

import * as z from 'zod'
import { TV_STATUSES } from '../../src/lib/rules/limits.ts'
import { GUIDE_CATEGORIES, GUIDE_SEVERITIES } from '../../src/lib/rules/parental-guide.ts'
import { AGE_RATINGS } from '../../src/lib/rules/title-options.ts'
import { MAX_INT32, MAX_RELEASE_YEAR, MIN_RELEASE_YEAR } from '../../src/lib/rules/title-ranges.ts'

/** Rejects texts with NUL characters, which PostgreSQL cannot store. */
const noNulCheck = z.refine((value) => typeof value === 'string' && !value.includes('\0'))
const createTextSchema = (maxLength: number) =>
  z.string().check(z.trim(), z.minLength(1), z.maxLength(maxLength), noNulCheck)
const langSchema = z.string().check(z.regex(/^[a-z]{2,3}$/))
const dateSchema = z.string().check(z.regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/))
const imdbTitleIdSchema = z.string().check(z.regex(/^tt\d{7,10}$/))
const imdbNameIdSchema = z.string().check(z.regex(/^nm\d{7,10}$/))
const secondsSchema = z.int().check(z.gte(0), z.lte(1_000_000))

export const personRecordSchema = z.strictObject({
  name: createTextSchema(200),
  names: z.optional(z.array(z.strictObject({ lang: langSchema, text: createTextSchema(200) }))),
  imdb_id: z.optional(imdbNameIdSchema),
  tmdb_id: z.optional(z.int().check(z.gte(1), z.lte(MAX_INT32))),
  birthday: z.optional(dateSchema),
  deathday: z.optional(dateSchema),
  place_of_birth: z.optional(createTextSchema(200)),
  biography: z.optional(createTextSchema(20_000)),
  /** Place of birth and biography in languages other than English. */
  texts: z.optional(
    z.array(
      z.strictObject({
        lang: langSchema,
        place_of_birth: z.optional(createTextSchema(200)),
        biography: z.optional(createTextSchema(20_000)),
      }),
    ),
  ),
  profile_path: z.optional(createTextSchema(200)),
})
export type PersonRecord = z.infer<typeof personRecordSchema>

const episodeRecordSchema = z.strictObject({
  episode_number: z.int().check(z.gte(0), z.lte(MAX_INT32)),
  name: z.optional(createTextSchema(500)),
  overview: z.optional(createTextSchema(20_000)),
  /** The overview in languages other than English. */
  texts: z.optional(z.array(z.strictObject({ lang: langSchema, overview: createTextSchema(20_000) }))),
  air_date: z.optional(dateSchema),
  runtime: z.optional(secondsSchema),
  still_path: z.optional(createTextSchema(200)),
  imdb_id: z.optional(imdbTitleIdSchema),
})
const seasonRecordSchema = z.strictObject({
  season_number: z.int().check(z.gte(0), z.lte(MAX_INT32)),
  name: z.optional(createTextSchema(500)),
  air_date: z.optional(dateSchema),
  poster_path: z.optional(createTextSchema(200)),
  episodes: z.array(episodeRecordSchema),
})
export type SeasonRecord = z.infer<typeof seasonRecordSchema>

export const titleRecordSchema = z.strictObject({
  type: z.enum(['movie', 'tv']),
  imdb_id: z.optional(imdbTitleIdSchema),
  tmdb_id: z.optional(z.int().check(z.gte(1), z.lte(MAX_INT32))),
  tvdb_id: z.optional(z.int().check(z.gte(1), z.lte(MAX_INT32))),
  original_title: createTextSchema(500),
  language: z.optional(langSchema),
  /** Countries that produced the title, as ISO 3166-1 codes. */
  countries: z.optional(z.array(z.string().check(z.regex(/^[A-Z]{2}$/)))),
  /** `main` is the displayed name in the language, `original` the original title, `aka` any other name. */
  names: z.array(
    z.strictObject({
      lang: langSchema,
      text: createTextSchema(500),
      role: z.enum(['main', 'original', 'aka']),
    }),
  ),
  release_date: z.optional(dateSchema),
  year: z.optional(z.int().check(z.gte(MIN_RELEASE_YEAR), z.lte(MAX_RELEASE_YEAR))),
  /** Runtime in seconds. For series, the runtime of one episode. */
  runtime: z.optional(secondsSchema),
  genres: z.array(z.int()),
  rated: z.optional(z.enum(AGE_RATINGS)),
  rating: z.number().check(z.gte(0), z.lte(10)),
  rating_votes: z.int().check(z.gte(0), z.lte(MAX_INT32)),
  popularity: z.optional(z.number()),
  safe_for_kids: z.boolean(),
  high_quality: z.boolean(),
  status: z.optional(z.enum(TV_STATUSES)),
  networks: z.array(createTextSchema(80)),
  texts: z.array(
    z.strictObject({
      lang: langSchema,
      overview: z.optional(createTextSchema(20_000)),
      tagline: z.optional(createTextSchema(1_000)),
    }),
  ),
  keywords: z.array(createTextSchema(100)),
  cast: z.array(z.strictObject({ person: personRecordSchema, character: z.optional(createTextSchema(500)) })),
  crew: z.array(z.strictObject({ person: personRecordSchema, job: createTextSchema(100) })),
  parental_guide: z.array(
    z.strictObject({
      category: z.enum(GUIDE_CATEGORIES),
      severity: z.enum(GUIDE_SEVERITIES),
      votes: z.int(),
    }),
  ),
  poster_path: z.optional(createTextSchema(200)),
  backdrop_path: z.optional(createTextSchema(200)),
  trailer: z.optional(createTextSchema(300)),
  seasons: z.array(seasonRecordSchema),
})
export type TitleRecord = z.infer<typeof titleRecordSchema>
/** The ids by which an imported title is found in the catalogue. */
export type TitleRecordIds = Pick<TitleRecord, 'type' | 'imdb_id' | 'tmdb_id'>

/**
 * Result of reading an entry of a source: a record, the ids of a title that the source marks as adult, or the reason
 * why the entry is skipped. `location` is the position of the entry in the source.
 */
export type TitleReadResult =
  | {
      location: string
      record: TitleRecord
      /** True when an administrator requested this title. A requested title is restored if it is in the bin. */
      isRequested?: boolean
    }
  | { location: string; adultTitle: TitleRecordIds }
  | { location: string; skip: string }
