/**
 * Schemas of the TMDB responses (https://developer.themoviedb.org/reference), with the fields that the import
 * uses. TMDB may omit a field or set it to null. A field of an unexpected type is read as absent, and an
 * unexpected element of an array is left out. A title is then still imported without that value. Only fields
 * that use none of the `nullish…` schemas, such as `id` and `adult`, must be as documented.
 */

import * as z from 'zod/mini'
import { MAX_INT32 } from '../../../src/lib/rules/title-ranges.ts'
import { removeControlCharacters } from '../visible-text.ts'

const omitIfInvalid = <T extends z.core.$ZodType>(schema: T) => z.catch(z.nullish(schema), undefined as never)
const nullishText = omitIfInvalid(z.pipe(z.string(), z.transform(removeControlCharacters)))
/** Path of an image below the base URL of the images of TMDB. */
const nullishImagePath = omitIfInvalid(z.string().check(z.regex(/^\/[\w-]{1,150}\.(?:jpe?g|png|webp|svg)$/i)))
const personIdSchema = z.int().check(z.gte(1), z.lte(MAX_INT32))
const partNumberSchema = z.int().check(z.gte(0), z.lte(MAX_INT32))
const nullishNumber = omitIfInvalid(z.number())
const nullishObject = <T extends z.core.$ZodLooseShape>(shape: T) => omitIfInvalid(z.object(shape))
const nullishArray = <T extends z.core.$ZodType>(elementSchema: T) =>
  omitIfInvalid(
    z.pipe(
      z.array(z.unknown()),
      z.transform((elements) =>
        elements.flatMap((element): z.output<T>[] => {
          const elementParseResult = z.safeParse(elementSchema, element)
          return elementParseResult.success ? [elementParseResult.data] : []
        }),
      ),
    ),
  )
const createResultsPageSchema = <T extends z.core.$ZodType>(elementSchema: T) =>
  nullishObject({ results: nullishArray(elementSchema) })

const genreSchema = z.object({ id: z.int(), name: nullishText })
const imageSchema = z.object({
  file_path: nullishImagePath,
  iso_639_1: nullishText,
  vote_average: nullishNumber,
})
const castMemberSchema = z.object({
  id: personIdSchema,
  name: nullishText,
  profile_path: nullishImagePath,
  order: nullishNumber,
  character: nullishText,
  roles: nullishArray(z.object({ character: nullishText })),
})
const crewMemberSchema = z.object({
  id: personIdSchema,
  name: nullishText,
  profile_path: nullishImagePath,
  job: nullishText,
  jobs: nullishArray(z.object({ job: nullishText })),
})
const creditsSchema = nullishObject({
  cast: nullishArray(castMemberSchema),
  crew: nullishArray(crewMemberSchema),
})
const alternativeTitleSchema = z.object({ iso_3166_1: nullishText, title: nullishText })
const keywordSchema = z.object({ name: nullishText })

const titleFieldSchemas = {
  id: z.int(),
  adult: z.nullish(z.boolean()),
  original_language: nullishText,
  overview: nullishText,
  tagline: nullishText,
  poster_path: nullishImagePath,
  backdrop_path: nullishImagePath,
  vote_average: nullishNumber,
  vote_count: nullishNumber,
  genres: nullishArray(genreSchema),
  external_ids: nullishObject({ imdb_id: nullishText, tvdb_id: nullishNumber }),
  credits: creditsSchema,
  images: nullishObject({ posters: nullishArray(imageSchema), backdrops: nullishArray(imageSchema) }),
  videos: createResultsPageSchema(
    z.object({
      site: nullishText,
      key: nullishText,
      type: nullishText,
      official: z.nullish(z.boolean()),
      iso_639_1: nullishText,
    }),
  ),
  translations: nullishObject({
    translations: nullishArray(
      z.object({
        iso_3166_1: nullishText,
        iso_639_1: nullishText,
        data: nullishObject({
          title: nullishText,
          name: nullishText,
          overview: nullishText,
          tagline: nullishText,
        }),
      }),
    ),
  }),
}

/** Response of `/find/{id}`, which finds a title by its id at IMDb or TheTVDB. */
export const tmdbFindSchema = z.object({
  movie_results: nullishArray(z.object({ id: z.int() })),
  tv_results: nullishArray(z.object({ id: z.int() })),
})
/** Response of `/search/movie` and `/search/tv`. */
export const tmdbSearchSchema = z.object({
  results: z.array(
    z.object({
      id: z.int(),
      adult: z.nullish(z.boolean()),
      title: nullishText,
      name: nullishText,
      original_title: nullishText,
      original_name: nullishText,
      release_date: nullishText,
      first_air_date: nullishText,
      overview: nullishText,
    }),
  ),
})
export const tmdbImagesSchema = z.object({ posters: nullishArray(imageSchema) })

export const tmdbMovieSchema = z.object({
  ...titleFieldSchemas,
  origin_country: nullishArray(nullishText),
  production_countries: nullishArray(z.object({ iso_3166_1: nullishText })),
  imdb_id: nullishText,
  title: nullishText,
  original_title: nullishText,
  release_date: nullishText,
  runtime: nullishNumber,
  keywords: nullishObject({ keywords: nullishArray(keywordSchema) }),
  alternative_titles: nullishObject({ titles: nullishArray(alternativeTitleSchema) }),
  release_dates: createResultsPageSchema(
    z.object({
      iso_3166_1: nullishText,
      release_dates: nullishArray(z.object({ certification: nullishText })),
    }),
  ),
})
export type TmdbMovie = z.infer<typeof tmdbMovieSchema>

export const tmdbSeriesSchema = z.object({
  ...titleFieldSchemas,
  origin_country: nullishArray(nullishText),
  production_countries: nullishArray(z.object({ iso_3166_1: nullishText })),
  name: nullishText,
  original_name: nullishText,
  first_air_date: nullishText,
  episode_run_time: nullishArray(z.number()),
  status: nullishText,
  created_by: nullishArray(
    z.object({ id: personIdSchema, name: nullishText, profile_path: nullishImagePath }),
  ),
  networks: nullishArray(z.object({ id: z.int(), name: nullishText })),
  seasons: nullishArray(z.object({ season_number: partNumberSchema })),
  aggregate_credits: creditsSchema,
  keywords: createResultsPageSchema(keywordSchema),
  alternative_titles: createResultsPageSchema(alternativeTitleSchema),
  content_ratings: createResultsPageSchema(z.object({ iso_3166_1: nullishText, rating: nullishText })),
})
export type TmdbSeries = z.infer<typeof tmdbSeriesSchema>

export const tmdbSeasonSchema = z.object({
  season_number: partNumberSchema,
  name: nullishText,
  air_date: nullishText,
  poster_path: nullishImagePath,
  episodes: nullishArray(
    z.object({
      episode_number: partNumberSchema,
      name: nullishText,
      overview: nullishText,
      air_date: nullishText,
      runtime: nullishNumber,
      still_path: nullishImagePath,
    }),
  ),
})
/**
 * The response to a request with `append_to_response=season/1,season/2,…`: one property `season/<number>` per season.
 */
export const appendedSeasonsSchema = z.nullable(z.record(z.string(), z.unknown()))
export type TmdbSeason = z.infer<typeof tmdbSeasonSchema>

export const tmdbPersonSchema = z.object({
  id: z.int(),
  name: nullishText,
  also_known_as: nullishArray(z.string()),
  biography: nullishText,
  birthday: nullishText,
  deathday: nullishText,
  place_of_birth: nullishText,
  profile_path: nullishImagePath,
  imdb_id: nullishText,
  external_ids: nullishObject({ imdb_id: nullishText }),
})
export type TmdbPerson = z.infer<typeof tmdbPersonSchema>

export const tmdbChangesSchema = z.object({
  results: z.array(z.object({ id: z.nullable(z.int()) })),
  page: z.int(),
  total_pages: z.int(),
})

/** A line of a daily id export. */
export const tmdbDailyIdSchema = z.object({
  id: z.int(),
  popularity: nullishNumber,
  adult: z.nullish(z.boolean()),
  video: z.nullish(z.boolean()),
})
