/** Fetches one title or person with all related data. */
import * as z from 'zod/mini'
import { FALLBACK_LOCALE, LOCALES } from '../../../src/lib/i18n/locales.ts'
import type { PersonRecord, TitleRecord } from '../../queries/title-record.ts'
import type { TmdbItem } from './checkpoint.ts'
import type { TmdbClient } from './client.ts'
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

type FetchResult<T> = { record: T } | { skip: string }

const GONE = { skip: 'TMDB no longer has it' }
const UNEXPECTED_RESPONSE = { skip: 'the response is not as TMDB documents it' }
const NAMELESS = { skip: 'has no name' }
const ADULT = { skip: 'is for adults' }

/** Returns the title record, or why the title is skipped. Throws `TmdbError` if TMDB cannot be used. */
export async function fetchTmdbTitle(
  client: TmdbClient,
  { kind, id }: TmdbItem,
): Promise<FetchResult<TitleRecord>> {
  return kind === 'movie' ? fetchMovie(client, id) : fetchSeries(client, id)
}

async function fetchMovie(client: TmdbClient, id: number): Promise<FetchResult<TitleRecord>> {
  const body = await client.get(`/movie/${id}`, { ...LANGUAGE_QUERY, ...MOVIE_QUERY })
  if (body === null) return GONE
  const movie = z.safeParse(tmdbMovieSchema, body)
  if (!movie.success) return UNEXPECTED_RESPONSE
  if (movie.data.adult) return ADULT
  const record = toMovieRecord(movie.data)
  return record ? { record } : NAMELESS
}

async function fetchSeries(client: TmdbClient, id: number): Promise<FetchResult<TitleRecord>> {
  const body = await client.get(`/tv/${id}`, { ...LANGUAGE_QUERY, ...SERIES_QUERY })
  if (body === null) return GONE
  const series = z.safeParse(tmdbSeriesSchema, body)
  if (!series.success) return UNEXPECTED_RESPONSE
  if (series.data.adult) return ADULT
  const seasons: TmdbSeason[] = []
  for (const { season_number } of series.data.seasons ?? []) {
    const seasonBody = await client.get(`/tv/${id}/season/${season_number}`, {
      language: LANGUAGE_QUERY.language,
    })
    if (seasonBody === null) continue
    const season = z.safeParse(tmdbSeasonSchema, seasonBody)
    if (!season.success) continue
    seasons.push(season.data)
  }
  const record = toSeriesRecord(series.data, seasons, await fetchEpisodeTexts(client, id, seasons))
  return record ? { record } : NAMELESS
}

/** TMDB appends at most this many parts to a response. */
const MAX_APPENDED_SEASONS = 20

/**
 * Returns the overviews of the episodes in the other languages of the interface, with one request for each language and twenty
 * seasons. Where TMDB has no translation, it sends an empty text.
 */
async function fetchEpisodeTexts(
  client: TmdbClient,
  id: number,
  seasons: readonly TmdbSeason[],
): Promise<EpisodeTexts> {
  const texts: EpisodeTexts = new Map()
  const parts = seasons.map(({ season_number }) => `season/${season_number}`)
  for (const lang of LOCALES.filter((locale) => locale !== FALLBACK_LOCALE))
    for (let start = 0; start < parts.length; start += MAX_APPENDED_SEASONS) {
      const appended = parts.slice(start, start + MAX_APPENDED_SEASONS)
      const query = { language: lang, append_to_response: appended.join(',') }
      const body = z.safeParse(appendedSeasonsSchema, await client.get(`/tv/${id}`, query))
      for (const part of body.success ? appended : []) {
        const season = z.safeParse(tmdbSeasonSchema, body.data?.[part])
        if (season.success) addEpisodeTexts(texts, season.data, lang)
      }
    }
  return texts
}

function addEpisodeTexts(texts: EpisodeTexts, season: TmdbSeason, lang: string): void {
  for (const { episode_number, overview } of season.episodes ?? []) {
    if (!overview) continue
    const key = formatEpisodeKey(season.season_number, episode_number)
    texts.set(key, [...(texts.get(key) ?? []), { lang, overview }])
  }
}

/** Returns the person record, or why the person is skipped. Throws `TmdbError` if TMDB cannot be used. */
export async function fetchTmdbPerson(client: TmdbClient, id: number): Promise<FetchResult<PersonRecord>> {
  const query = { language: LANGUAGE_QUERY.language, append_to_response: 'external_ids' }
  const body = await client.get(`/person/${id}`, query)
  if (body === null) return GONE
  const person = z.safeParse(tmdbPersonSchema, body)
  if (!person.success) return UNEXPECTED_RESPONSE
  const record = toPersonRecord(person.data)
  return record ? { record } : NAMELESS
}
