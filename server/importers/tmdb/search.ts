/** Finds titles at TMDB by name, and by ids of IMDb and TheTVDB. */
import * as z from 'zod/mini'
import { type TmdbClient, TmdbError } from './client.ts'
import { tmdbFindSchema, tmdbSearchSchema } from './response-schemas.ts'

export interface TmdbSearchResult {
  id: number
  title: string
  originalTitle: string
  year: number | null
  overview: string | null
}

/**
 * Returns the first page of results, without adult titles. The title and the overview of a result are in `language`.
 * Throws `TmdbError` if TMDB cannot be used.
 */
export async function searchTmdb(
  client: TmdbClient,
  {
    type,
    search: searchText,
    year,
    language = 'en-US',
  }: { type: 'movie' | 'tv'; search: string; year?: number | null | undefined; language?: string },
): Promise<TmdbSearchResult[]> {
  const yearParameter = type === 'movie' ? 'year' : 'first_air_date_year'
  const body = await client.get(`/search/${type}`, {
    query: searchText,
    language,
    include_adult: 'false',
    ...(year && { [yearParameter]: String(year) }),
  })
  const searchParseResult = z.safeParse(tmdbSearchSchema, body)
  if (!searchParseResult.success)
    throw new TmdbError('TMDB sent a search result that is not as it documents it.')
  return searchParseResult.data.results
    .filter(({ adult }) => !adult)
    .map((result) => ({
      id: result.id,
      title: result.title ?? result.name ?? '',
      originalTitle: result.original_title ?? result.original_name ?? '',
      year: Number((result.release_date ?? result.first_air_date ?? '').slice(0, 4)) || null,
      overview: result.overview || null,
    }))
}

/** Returns the TMDB id of a title; null when TMDB has no title of this type with the IMDb id. */
export const findTmdbIdByImdbId = (
  client: TmdbClient,
  type: string,
  imdbId: string,
): Promise<number | null> => findTmdbId(client, type, `/find/${imdbId}`, 'imdb_id')

/** Returns the TMDB id of a title; null when TMDB has no title of this type with the TheTVDB id. */
export const findTmdbIdByTvdbId = (
  client: TmdbClient,
  type: string,
  tvdbId: number,
): Promise<number | null> => findTmdbId(client, type, `/find/${tvdbId}`, 'tvdb_id')

async function findTmdbId(
  client: TmdbClient,
  type: string,
  path: string,
  externalSource: 'imdb_id' | 'tvdb_id',
): Promise<number | null> {
  const body = await client.get(path, { external_source: externalSource })
  const findParseResult = z.safeParse(tmdbFindSchema, body ?? {})
  if (!findParseResult.success) return null
  const titleResults = type === 'movie' ? findParseResult.data.movie_results : findParseResult.data.tv_results
  return titleResults?.[0]?.id ?? null
}
