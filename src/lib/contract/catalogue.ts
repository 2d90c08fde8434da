/** Movies, series, seasons and actors (Spec §7). */
import * as z from 'zod/mini'
import { AGE_RATINGS, LANGUAGES, LIMITS, NETWORKS } from '../rules/limits.ts'
import { endpoint } from './endpoint.ts'
import { actor, episode, mediaCard, mediaDetails, season } from './media.ts'
import { date, decimal, flag, id, idParam, listOf, many, paging, slug, whole } from './parts.ts'

export const SORTS = [
  'popularity.desc',
  'release_date.desc',
  'release_date.asc',
  'rating.desc',
  'rating.asc',
  'title.asc',
  'title.desc',
  'rating_votes.desc',
] as const
export const SERIES_SORTS = [...SORTS, 'newest_season.desc'] as const
const genreId = whole(1, 100_000)
const releaseYear = whole(1870, 2200)

const listQuery = {
  ...paging(),
  'include-genres': z.optional(many(genreId)),
  'exclude-genres': z.optional(many(genreId)),
  'genres-mode': z._default(z.enum(['any', 'all']), 'any'),
  'release-year': z.optional(many(releaseYear)),
  'start-release-year': z.optional(releaseYear),
  language: z.optional(many(z.enum(LANGUAGES))),
  rated: z.optional(many(z.enum(AGE_RATINGS))),
  rating: z.optional(decimal(0, 10)),
  'rating-votes': z.optional(whole(0, 1_000_000_000)),
  published: z.optional(flag),
  kids: z.optional(flag),
  featured: z.optional(flag),
  search: z.optional(z.string().check(z.maxLength(200))),
  paginate: z._default(flag, true),
  admin: z.optional(flag),
  /** Excludes titles that the acting profile has finished. */
  'hide-seen': z.optional(flag),
}
export const movieFilters = z.strictObject({
  ...listQuery,
  sort: z._default(z.enum(SORTS), 'popularity.desc'),
  'start-release-date': z.optional(date),
  'high-quality': z.optional(flag),
})
export const seriesFilters = z.strictObject({
  ...listQuery,
  sort: z._default(z.enum(SERIES_SORTS), 'popularity.desc'),
  network: z.optional(many(z.enum(NETWORKS))),
})
const featuredQuery = z.strictObject({
  limit: z._default(whole(1, LIMITS.listMax), LIMITS.featured),
  kids: z.optional(flag),
  'include-genres': z.optional(many(genreId)),
})
const slugParam = z.strictObject({ slug })
const cardPage = listOf(mediaCard)
const cardList = z.object({ results: z.array(mediaCard) })
const publishBody = z.strictObject({ published: z.boolean() })
const publishReply = z.object({ id: z.string(), published: z.boolean() })

export const listMovies = endpoint({
  access: 'viewer',
  method: 'GET',
  path: '/movies',
  query: movieFilters,
  reply: cardPage,
  summary: 'Lists movies, filtered and sorted',
})
export const featuredMovies = endpoint({
  access: 'viewer',
  method: 'GET',
  path: '/movies/featured',
  query: featuredQuery,
  reply: cardList,
  summary: 'Lists movies that are popular now',
})
export const movieBySlug = endpoint({
  access: 'viewer',
  method: 'GET',
  path: '/movies/slug/{slug}',
  params: slugParam,
  reply: mediaDetails,
  summary: 'Returns a movie by its slug',
})
export const getMovie = endpoint({
  access: 'viewer',
  method: 'GET',
  path: '/movies/{id}',
  params: idParam,
  reply: mediaDetails,
  summary: 'Returns a movie',
})
export const deleteMovie = endpoint({
  access: 'admin',
  method: 'DELETE',
  path: '/movies/{id}',
  params: idParam,
  summary: 'Deletes a movie',
})
export const publishMovie = endpoint({
  access: 'admin',
  method: 'PATCH',
  path: '/movies/{id}/publish',
  params: idParam,
  body: publishBody,
  reply: publishReply,
  summary: 'Publishes or hides a movie',
})
export const listSeries = endpoint({
  access: 'viewer',
  method: 'GET',
  path: '/series',
  query: seriesFilters,
  reply: cardPage,
  summary: 'Lists series, filtered and sorted',
})
export const featuredSeries = endpoint({
  access: 'viewer',
  method: 'GET',
  path: '/series/featured',
  query: featuredQuery,
  reply: cardList,
  summary: 'Lists series that are popular now',
})
export const seriesBySlug = endpoint({
  access: 'viewer',
  method: 'GET',
  path: '/series/slug/{slug}',
  params: slugParam,
  reply: mediaDetails,
  summary: 'Returns a series by its slug',
})
export const getSeries = endpoint({
  access: 'viewer',
  method: 'GET',
  path: '/series/{id}',
  params: idParam,
  reply: mediaDetails,
  summary: 'Returns a series',
})
export const deleteSeries = endpoint({
  access: 'admin',
  method: 'DELETE',
  path: '/series/{id}',
  params: idParam,
  summary: 'Deletes a series',
})
export const publishSeries = endpoint({
  access: 'admin',
  method: 'PATCH',
  path: '/series/{id}/publish',
  params: idParam,
  body: publishBody,
  reply: publishReply,
  summary: 'Publishes or hides a series',
})
export const listSeasons = endpoint({
  access: 'viewer',
  method: 'GET',
  path: '/series/{id}/seasons',
  params: idParam,
  reply: z.object({ results: z.array(season) }),
  summary: 'Lists the seasons of a series',
})
export const listEpisodes = endpoint({
  access: 'viewer',
  method: 'GET',
  path: '/seasons/{id}/episodes',
  params: idParam,
  reply: z.object({ results: z.array(episode) }),
  summary: 'Lists the episodes of a season',
})

const actorWithTitles = z.extend(actor, { movies: z.array(mediaCard), series: z.array(mediaCard) })
const actorTitlesQuery = z.strictObject({ ...paging(LIMITS.listMax) })
export const actorBySlug = endpoint({
  access: 'viewer',
  method: 'GET',
  path: '/actors/slug/{slug}',
  params: slugParam,
  reply: actor,
  summary: 'Returns an actor by slug',
})
export const actorMovies = endpoint({
  access: 'viewer',
  method: 'GET',
  path: '/actors/slug/{slug}/movies',
  params: slugParam,
  query: actorTitlesQuery,
  reply: cardPage,
  summary: 'Lists the movies of an actor, newest first',
})
export const actorSeries = endpoint({
  access: 'viewer',
  method: 'GET',
  path: '/actors/slug/{slug}/series',
  params: slugParam,
  query: actorTitlesQuery,
  reply: cardPage,
  summary: 'Lists the series of an actor, newest first',
})
export const getActor = endpoint({
  access: 'viewer',
  method: 'GET',
  path: '/actors/{id}',
  params: z.strictObject({ id }),
  reply: actorWithTitles,
  summary: 'Returns an actor with all movies and series',
})
