/** Fetches one title or person with all related data. */
import * as z from 'zod/mini'
import { FALLBACK_LOCALE, LOCALES } from '../../../src/lib/i18n/locales.ts'
import type { PersonRecord, TitleRecord, TitleRecordIds } from '../../queries/title-record.ts'
import type { TmdbItem } from './checkpoint.ts'
import { createUnexpectedResponseError, parseTmdbResponse, type TmdbClient } from './client.ts'
import { validateImdbId } from './record-fields.ts'
import {
  type EpisodeTexts,
  formatEpisodeKey,
  toMovieRecord,
  toPersonRecord,
  toSeriesRecord,
} from './records.ts'
import {
  appendedSeasonsSchema,
  type TmdbSeason,
  tmdbMovieSchema,
  tmdbPersonSchema,
  tmdbSeasonSchema,
  tmdbSeriesSchema,
} from './response-schemas.ts'

const COMMON_PARTS = 'external_ids,translations,keywords,images,videos,alternative_titles'
const MOVIE_QUERY = { append_to_response: `${COMMON_PARTS},credits,release_dates` }
const SERIES_QUERY = { append_to_response: `${COMMON_PARTS},aggregate_credits,content_ratings` }
const LANGUAGE_QUERY = { language: 'en-US', include_image_language: 'en,null' }

export type FetchResult<T> = { record: T } | { skip: string }
type TitleFetchResult = FetchResult<TitleRecord> | { adultTitle: TitleRecordIds }

const GONE_RESULT = { skip: 'TMDB no longer has it' }
const UNEXPECTED_RESPONSE_RESULT = { skip: 'the response is not as TMDB documents it' }
const NAMELESS_RESULT = { skip: 'has no name' }

/**
 * Returns the title record, the ids of a title that TMDB marks as adult, or why the title is skipped. Throws
 * `TmdbError` if TMDB cannot be used.
 */
export async function fetchTmdbTitle(client: TmdbClient, { kind, id }: TmdbItem): Promise<TitleFetchResult> {
  return kind === 'movie' ? fetchMovie(client, id) : fetchSeries(client, id)
}

async function fetchMovie(client: TmdbClient, id: number): Promise<TitleFetchResult> {
  const body = await client.get(`/movie/${id}`, { ...LANGUAGE_QUERY, ...MOVIE_QUERY })
  if (body === null) return GONE_RESULT
  const movieParseResult = z.safeParse(tmdbMovieSchema, body)
  if (!movieParseResult.success) return UNEXPECTED_RESPONSE_RESULT
  const { adult, imdb_id, external_ids } = movieParseResult.data
  if (adult) return createAdultResult('movie', id, imdb_id ?? external_ids?.imdb_id)
  const record = toMovieRecord(movieParseResult.data)
  return record ? { record } : NAMELESS_RESULT
}

async function fetchSeries(client: TmdbClient, id: number): Promise<TitleFetchResult> {
  const body = await client.get(`/tv/${id}`, { ...LANGUAGE_QUERY, ...SERIES_QUERY })
  if (body === null) return GONE_RESULT
  const seriesParseResult = z.safeParse(tmdbSeriesSchema, body)
  if (!seriesParseResult.success) return UNEXPECTED_RESPONSE_RESULT
  const { adult, external_ids } = seriesParseResult.data
  if (adult) return createAdultResult('tv', id, external_ids?.imdb_id)
  const seasons: TmdbSeason[] = []
  const { seasons: listedSeasons } = seriesParseResult.data
  // If a part of a series is not as documented, an error is thrown, so that the next import requests the series again.
  // Without the part, the import would delete what the catalogue already contains of it.
  if (!listedSeasons) throw createUnexpectedResponseError(`the seasons of /tv/${id}`)
  for (const { season_number } of listedSeasons) {
    const path = `/tv/${id}/season/${season_number}`
    const seasonBody = await client.get(path, { language: LANGUAGE_QUERY.language })
    if (seasonBody !== null) seasons.push(parseTmdbResponse(tmdbSeasonSchema, seasonBody, path))
  }
  const record = toSeriesRecord(seriesParseResult.data, seasons, await fetchEpisodeTexts(client, id, seasons))
  return record ? { record } : NAMELESS_RESULT
}

function createAdultResult(type: 'movie' | 'tv', tmdbId: number, imdbId: string | null | undefined) {
  return { adultTitle: { type, tmdb_id: tmdbId, imdb_id: validateImdbId(imdbId) } }
}

/** Number of seasons that one response may contain. TMDB appends at most 20 parts to a response. */
const MAX_APPENDED_SEASONS = 20

/**
 * Returns the overviews of the episodes in the other languages of the interface. For each language, sends one request
 * per MAX_APPENDED_SEASONS seasons. TMDB sends an empty text if it has no translation.
 */
async function fetchEpisodeTexts(
  client: TmdbClient,
  id: number,
  seasons: readonly TmdbSeason[],
): Promise<EpisodeTexts> {
  const textsByEpisodeKey: EpisodeTexts = new Map()
  const seasonPaths = seasons.map(({ season_number }) => `season/${season_number}`)
  for (const lang of LOCALES.filter((locale) => locale !== FALLBACK_LOCALE))
    for (let startIndex = 0; startIndex < seasonPaths.length; startIndex += MAX_APPENDED_SEASONS) {
      const appendedPaths = seasonPaths.slice(startIndex, startIndex + MAX_APPENDED_SEASONS)
      const query = { language: lang, append_to_response: appendedPaths.join(',') }
      const path = `/tv/${id}`
      const appendedSeasons = parseTmdbResponse(appendedSeasonsSchema, await client.get(path, query), path)
      for (const seasonPath of appendedPaths) {
        const seasonParseResult = z.safeParse(tmdbSeasonSchema, appendedSeasons?.[seasonPath])
        if (seasonParseResult.success) addEpisodeTexts(textsByEpisodeKey, seasonParseResult.data, lang)
      }
    }
  return textsByEpisodeKey
}

function addEpisodeTexts(textsByEpisodeKey: EpisodeTexts, season: TmdbSeason, lang: string): void {
  for (const { episode_number, overview } of season.episodes ?? []) {
    if (!overview) continue
    const episodeKey = formatEpisodeKey(season.season_number, episode_number)
    textsByEpisodeKey.set(episodeKey, [...(textsByEpisodeKey.get(episodeKey) ?? []), { lang, overview }])
  }
}

/** Returns the person record, or why the person is skipped. Throws `TmdbError` if TMDB cannot be used. */
export async function fetchTmdbPerson(client: TmdbClient, id: number): Promise<FetchResult<PersonRecord>> {
  const query = { language: LANGUAGE_QUERY.language, append_to_response: 'external_ids' }
  const body = await client.get(`/person/${id}`, query)
  if (body === null) return GONE_RESULT
  const personParseResult = z.safeParse(tmdbPersonSchema, body)
  if (!personParseResult.success) return UNEXPECTED_RESPONSE_RESULT
  const record = toPersonRecord(personParseResult.data)
  return record ? { record } : NAMELESS_RESULT
}
