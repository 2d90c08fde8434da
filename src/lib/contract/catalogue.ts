/** Movies, series, seasons and people. */

import * as z from 'zod/mini'
import { LIMITS } from '../rules/limits.ts'
import { GUIDE_FILTERS } from '../rules/maturity.ts'
import { AGE_RATINGS, NETWORKS, TITLE_LANGUAGES } from '../rules/title-options.ts'
import { MAX_RELEASE_YEAR, MIN_RELEASE_YEAR } from '../rules/title-ranges.ts'
import {
  booleanQuerySchema,
  createDecimalQuerySchema,
  createIntegerQuerySchema,
  createPagedReplySchema,
  createPagingQueryFields,
  createRepeatableParameterSchema,
  dateSchema,
  idParamsSchema,
  idSchema,
  maxCharacters,
  slugSchema,
} from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { actorSchema, episodeSchema, mediaCardSchema, mediaDetailsSchema, seasonSchema } from './media.ts'

export const MOVIE_SORTS = [
  'popularity.desc',
  'release_date.desc',
  'release_date.asc',
  'rating.desc',
  'rating.asc',
  'title.asc',
  'title.desc',
  'rating_votes.desc',
] as const
export const SERIES_SORTS = [...MOVIE_SORTS, 'newest_season.desc'] as const
const genreIdSchema = createIntegerQuerySchema(1, 100_000)
const releaseYearSchema = createIntegerQuerySchema(MIN_RELEASE_YEAR, MAX_RELEASE_YEAR)

const sharedTitleQueryFields = {
  ...createPagingQueryFields(),
  'include-genres': z.optional(createRepeatableParameterSchema(genreIdSchema)),
  'exclude-genres': z.optional(createRepeatableParameterSchema(genreIdSchema)),
  'genres-mode': z._default(z.enum(['any', 'all']), 'any'),
  'release-year': z.optional(createRepeatableParameterSchema(releaseYearSchema)),
  'start-release-year': z.optional(releaseYearSchema),
  /** True returns only titles whose release date is the viewer's date or earlier. */
  released: z.optional(booleanQuerySchema),
  language: z.optional(createRepeatableParameterSchema(z.enum(TITLE_LANGUAGES))),
  rated: z.optional(createRepeatableParameterSchema(z.enum(AGE_RATINGS))),
  rating: z.optional(createDecimalQuerySchema(0, 10)),
  'rating-votes': z.optional(createIntegerQuerySchema(0, 1_000_000_000)),
  /**
   * Highest accepted severities of the parental guide. Titles whose severity is unknown in one of the given categories
   * are left out.
   */
  guide: z.optional(createRepeatableParameterSchema(z.enum(GUIDE_FILTERS))),
  /**
   * Longest runtime in minutes, of a movie or of an episode of a series; titles without a known runtime are left out.
   */
  'max-runtime': z.optional(createIntegerQuerySchema(0, 1_440)),
  published: z.optional(booleanQuerySchema),
  kids: z.optional(booleanQuerySchema),
  featured: z.optional(booleanQuerySchema),
  search: z.optional(z.string().check(maxCharacters(200))),
  paginate: z._default(booleanQuerySchema, true),
  admin: z.optional(booleanQuerySchema),
  /** Excludes titles that the acting profile has finished. */
  'hide-seen': z.optional(booleanQuerySchema),
  /** Excludes titles that the acting profile, or a profile of its group, dislikes. */
  'hide-disliked': z.optional(booleanQuerySchema),
  /** True returns only titles that can be played on this installation. */
  available: z.optional(booleanQuerySchema),
}
export const movieQuerySchema = z.strictObject({
  ...sharedTitleQueryFields,
  sort: z._default(z.enum(MOVIE_SORTS), 'popularity.desc'),
  'start-release-date': z.optional(dateSchema),
  'high-quality': z.optional(booleanQuerySchema),
})
export const seriesQuerySchema = z.strictObject({
  ...sharedTitleQueryFields,
  sort: z._default(z.enum(SERIES_SORTS), 'popularity.desc'),
  network: z.optional(createRepeatableParameterSchema(z.enum(NETWORKS))),
})
const featuredQuerySchema = z.strictObject({
  limit: z._default(createIntegerQuerySchema(1, LIMITS.maxPageSize), LIMITS.featured),
  kids: z.optional(booleanQuerySchema),
  'include-genres': z.optional(createRepeatableParameterSchema(genreIdSchema)),
})
const slugParamsSchema = z.strictObject({ slug: slugSchema })
const cardPageSchema = createPagedReplySchema(mediaCardSchema)
/** A title of a person's filmography. `jobs` are the jobs of the person in that title, such as `Director`. */
const creditedCardSchema = z.extend(mediaCardSchema, { jobs: z.array(z.string()) })
export type CreditedCard = z.infer<typeof creditedCardSchema>
const creditedCardPageSchema = createPagedReplySchema(creditedCardSchema)
const cardListSchema = z.object({ results: z.array(mediaCardSchema) })
const publishBodySchema = z.strictObject({ published: z.boolean() })
const publishReplySchema = z.object({ id: z.string(), published: z.boolean() })

export const listMovies = defineEndpoint({
  access: 'viewer',
  scope: 'catalogue:read',
  method: 'GET',
  path: '/movies',
  query: movieQuerySchema,
  reply: cardPageSchema,
  summary: 'Lists movies, filtered and sorted; an order by date leaves out movies without the date',
})
export const listFeaturedMovies = defineEndpoint({
  access: 'viewer',
  scope: 'catalogue:read',
  method: 'GET',
  path: '/movies/featured',
  query: featuredQuerySchema,
  reply: cardListSchema,
  summary: 'Lists movies that are popular now, without those that the acting profile dislikes',
})
export const getMovieBySlug = defineEndpoint({
  access: 'viewer',
  scope: 'catalogue:read',
  method: 'GET',
  path: '/movies/slug/{slug}',
  params: slugParamsSchema,
  reply: mediaDetailsSchema,
  summary: 'Returns a movie by its slug',
})
export const getMovie = defineEndpoint({
  access: 'viewer',
  scope: 'catalogue:read',
  method: 'GET',
  path: '/movies/{id}',
  params: idParamsSchema,
  reply: mediaDetailsSchema,
  summary: 'Returns a movie',
})
export const deleteMovie = defineEndpoint({
  access: 'admin',
  method: 'DELETE',
  path: '/movies/{id}',
  params: idParamsSchema,
  summary: 'Deletes a movie',
})
export const publishMovie = defineEndpoint({
  access: 'admin',
  method: 'PATCH',
  path: '/movies/{id}/publish',
  params: idParamsSchema,
  body: publishBodySchema,
  reply: publishReplySchema,
  summary: 'Publishes or hides a movie',
})
export const listSeries = defineEndpoint({
  access: 'viewer',
  scope: 'catalogue:read',
  method: 'GET',
  path: '/series',
  query: seriesQuerySchema,
  reply: cardPageSchema,
  summary: 'Lists series, filtered and sorted; an order by date leaves out series without the date',
})
export const listFeaturedSeries = defineEndpoint({
  access: 'viewer',
  scope: 'catalogue:read',
  method: 'GET',
  path: '/series/featured',
  query: featuredQuerySchema,
  reply: cardListSchema,
  summary: 'Lists series that are popular now, without those that the acting profile dislikes',
})
export const getSeriesBySlug = defineEndpoint({
  access: 'viewer',
  scope: 'catalogue:read',
  method: 'GET',
  path: '/series/slug/{slug}',
  params: slugParamsSchema,
  reply: mediaDetailsSchema,
  summary: 'Returns a series by its slug',
})
export const getSeries = defineEndpoint({
  access: 'viewer',
  scope: 'catalogue:read',
  method: 'GET',
  path: '/series/{id}',
  params: idParamsSchema,
  reply: mediaDetailsSchema,
  summary: 'Returns a series',
})
export const deleteSeries = defineEndpoint({
  access: 'admin',
  method: 'DELETE',
  path: '/series/{id}',
  params: idParamsSchema,
  summary: 'Deletes a series',
})
export const publishSeries = defineEndpoint({
  access: 'admin',
  method: 'PATCH',
  path: '/series/{id}/publish',
  params: idParamsSchema,
  body: publishBodySchema,
  reply: publishReplySchema,
  summary: 'Publishes or hides a series',
})
export const listSeasons = defineEndpoint({
  access: 'viewer',
  scope: 'catalogue:read',
  method: 'GET',
  path: '/series/{id}/seasons',
  params: idParamsSchema,
  reply: z.object({ results: z.array(seasonSchema) }),
  summary: 'Lists the seasons of a series',
})
export const listEpisodes = defineEndpoint({
  access: 'viewer',
  scope: 'catalogue:read',
  method: 'GET',
  path: '/seasons/{id}/episodes',
  params: idParamsSchema,
  reply: z.object({ results: z.array(episodeSchema) }),
  summary: 'Lists the episodes of a season',
})

const actorWithTitlesSchema = z.extend(actorSchema, {
  movies: z.array(creditedCardSchema),
  series: z.array(creditedCardSchema),
})
const actorTitlesQuerySchema = z.strictObject({ ...createPagingQueryFields() })
export const getActorBySlug = defineEndpoint({
  access: 'viewer',
  scope: 'catalogue:read',
  method: 'GET',
  path: '/actors/slug/{slug}',
  params: slugParamsSchema,
  reply: actorSchema,
  summary: 'Returns an actor, director, writer or other person by slug',
})
export const listActorMovies = defineEndpoint({
  access: 'viewer',
  scope: 'catalogue:read',
  method: 'GET',
  path: '/actors/slug/{slug}/movies',
  params: slugParamsSchema,
  query: actorTitlesQuerySchema,
  reply: creditedCardPageSchema,
  summary: 'Lists the movies of a person, newest first, with the jobs in each',
})
export const listActorSeries = defineEndpoint({
  access: 'viewer',
  scope: 'catalogue:read',
  method: 'GET',
  path: '/actors/slug/{slug}/series',
  params: slugParamsSchema,
  query: actorTitlesQuerySchema,
  reply: creditedCardPageSchema,
  summary: 'Lists the series of a person, newest first, with the jobs in each',
})
export const getActor = defineEndpoint({
  access: 'viewer',
  scope: 'catalogue:read',
  method: 'GET',
  path: '/actors/{id}',
  params: z.strictObject({ id: idSchema }),
  reply: actorWithTitlesSchema,
  summary: 'Returns a person with all movies and series',
})
