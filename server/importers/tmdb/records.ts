/** Converts TMDB responses to the records of the import pipeline. */

import { MOVIE_GENRE_IDS, TV_GENRE_IDS } from '../../../src/lib/rules/genres.ts'
import { getDisplayedAgeRating, isSafeForKids } from '../../../src/lib/rules/kids-safety.ts'
import { TV_STATUSES } from '../../../src/lib/rules/limits.ts'
import { MAX_INT32 } from '../../../src/lib/rules/title-ranges.ts'
import type { PersonRecord, SeasonRecord, TitleRecord } from '../../queries/title-record.ts'
import { findLanguageOfScript, toProductLanguage } from '../languages.ts'
import {
  mapNetworks,
  selectCountries,
  selectImagePath,
  selectTmdbNames,
  selectTmdbTexts,
  selectTrailerUrl,
  splitTmdbGenres,
  toCertificates,
  toKeywords,
  toTmdbCast,
  toTmdbCrew,
  trimText,
  validateDate,
  validateImdbId,
  validateReleaseDate,
} from './record-fields.ts'
import type { TmdbMovie, TmdbPerson, TmdbSeason, TmdbSeries } from './response-schemas.ts'

const SECONDS_PER_MINUTE = 60
const MAX_RUNTIME_MINUTES = 10_000

/** Returns the record of a movie; null if the movie has no title. */
export function toMovieRecord(movie: TmdbMovie): TitleRecord | null {
  const originalTitle = trimText(movie.original_title, 500) ?? trimText(movie.title, 500)
  if (!originalTitle) return null
  const releaseDate = validateReleaseDate(movie.release_date)
  const imdbId = validateImdbId(movie.imdb_id ?? movie.external_ids?.imdb_id)
  const { genres, otherGenreNames } = splitTmdbGenres(movie, MOVIE_GENRE_IDS)
  const certificates = (movie.release_dates?.results ?? []).flatMap(({ iso_3166_1, release_dates }) =>
    (release_dates ?? []).flatMap(({ certification }) => toCertificates(iso_3166_1, certification)),
  )
  const ageRating = getDisplayedAgeRating('movie', certificates)
  return {
    ...createCommonFields(movie, {
      originalTitle,
      displayTitle: movie.title,
      alternatives: movie.alternative_titles?.titles,
    }),
    type: 'movie',
    ...(imdbId && { imdb_id: imdbId }),
    ...(releaseDate && { release_date: releaseDate }),
    ...createRuntimeField(movie.runtime),
    genres,
    ...(ageRating && { rated: ageRating }),
    safe_for_kids: isSafeForKids({
      certificates,
      genres,
      adult: movie.adult === true,
    }),
    networks: [],
    keywords: [...otherGenreNames, ...toKeywords(movie.keywords?.keywords)],
    cast: toTmdbCast(movie.credits),
    crew: toTmdbCrew(movie.credits),
    seasons: [],
  }
}

/** Overviews of episodes in other languages. The keys are made by `formatEpisodeKey`. */
export type EpisodeTexts = Map<string, { lang: string; overview: string }[]>
export const formatEpisodeKey = (season: number, episode: number) => `${season}:${episode}`

/** Returns the record of a series; null if the series has no title. */
export function toSeriesRecord(
  series: TmdbSeries,
  seasons: TmdbSeason[],
  episodeTexts: EpisodeTexts = new Map(),
): TitleRecord | null {
  const originalTitle = trimText(series.original_name, 500) ?? trimText(series.name, 500)
  if (!originalTitle) return null
  const releaseDate = validateReleaseDate(series.first_air_date)
  const imdbId = validateImdbId(series.external_ids?.imdb_id)
  const { genres, otherGenreNames } = splitTmdbGenres(series, TV_GENRE_IDS)
  const certificates = (series.content_ratings?.results ?? []).flatMap(({ iso_3166_1, rating }) =>
    toCertificates(iso_3166_1, rating),
  )
  const ageRating = getDisplayedAgeRating('tv', certificates)
  const status = TV_STATUSES.find((tvStatus) => tvStatus === series.status)
  const credits = series.aggregate_credits ?? series.credits
  return {
    ...createCommonFields(series, {
      originalTitle,
      displayTitle: series.name,
      alternatives: series.alternative_titles?.results,
    }),
    type: 'tv',
    ...(imdbId && { imdb_id: imdbId }),
    ...createTvdbField(series.external_ids?.tvdb_id),
    ...(releaseDate && { release_date: releaseDate }),
    ...createRuntimeField(series.episode_run_time?.[0] ?? computeMedianRuntimeMinutes(seasons)),
    genres,
    ...(ageRating && { rated: ageRating }),
    ...(status && { status }),
    safe_for_kids: isSafeForKids({ certificates, genres, adult: series.adult === true }),
    networks: mapNetworks(series),
    keywords: [...otherGenreNames, ...toKeywords(series.keywords?.results)],
    cast: toTmdbCast(credits),
    crew: toTmdbCrew(credits, series.created_by ?? []),
    seasons: seasons.map((season) => toSeasonRecord(season, episodeTexts)),
  }
}

interface TitleVariants {
  originalTitle: string
  displayTitle: string | null | undefined
  alternatives: Parameters<typeof selectTmdbNames>[1]['alternatives'] | null | undefined
}

function createCommonFields(
  media: TmdbMovie | TmdbSeries,
  { originalTitle, displayTitle, alternatives }: TitleVariants,
) {
  const language = toProductLanguage(media.original_language) ?? toTwoLetterLanguage(media.original_language)
  const posterPath = selectImagePath(media.poster_path, media.images?.posters)
  const backdropPath = selectImagePath(media.backdrop_path, media.images?.backdrops)
  const trailerUrl = selectTrailerUrl(media)
  const nameVariants = {
    displayTitle: trimText(displayTitle, 500) ?? originalTitle,
    originalTitle,
    language,
    alternatives: alternatives ?? [],
  }
  return {
    tmdb_id: media.id,
    original_title: originalTitle,
    ...(language && { language }),
    countries: selectCountries(media),
    names: selectTmdbNames(media, nameVariants),
    rating: Math.min(10, Math.max(0, media.vote_average ?? 0)),
    rating_votes: Math.min(MAX_INT32, Math.max(0, Math.round(media.vote_count ?? 0))),
    high_quality: false,
    texts: selectTmdbTexts(media),
    parental_guide: [],
    ...(posterPath && { poster_path: posterPath }),
    ...(backdropPath && { backdrop_path: backdropPath }),
    ...(trailerUrl && { trailer: trailerUrl }),
  }
}

const createTvdbField = (id: number | null | undefined): { tvdb_id?: number } =>
  id && Number.isInteger(id) && id > 0 && id <= MAX_INT32 ? { tvdb_id: id } : {}

/**
 * Returns a two-letter language code of TMDB, also for a language that the product does not support. Returns undefined
 * for `xx`, which is TMDB's code for "no language", and for other codes.
 */
const toTwoLetterLanguage = (code: string | null | undefined) =>
  code && code !== 'xx' && /^[a-z]{2}$/.test(code) ? code : undefined

/** Returns an object with the runtime in seconds; an empty object if the runtime is missing or implausible. */
function createRuntimeField(runtimeMinutes: number | null | undefined): { runtime?: number } {
  return runtimeMinutes && runtimeMinutes > 0 && runtimeMinutes <= MAX_RUNTIME_MINUTES
    ? { runtime: Math.round(runtimeMinutes * SECONDS_PER_MINUTE) }
    : {}
}

/**
 * Returns the median runtime of the episodes outside season 0, for a series whose response states no runtime. Returns
 * undefined if no episode has a runtime.
 */
function computeMedianRuntimeMinutes(seasons: TmdbSeason[]): number | undefined {
  const runtimesMinutes = seasons
    .flatMap((season) => (season.season_number > 0 ? (season.episodes ?? []) : []))
    .flatMap(({ runtime }) => (runtime ? [runtime] : []))
    .sort((a, b) => a - b)
  return runtimesMinutes[runtimesMinutes.length >> 1]
}

function toSeasonRecord(season: TmdbSeason, episodeTexts: EpisodeTexts): SeasonRecord {
  const seasonName = trimText(season.name, 500)
  const seasonAirDate = validateDate(season.air_date)
  const episodesByNumber = new Map(
    (season.episodes ?? []).map((episode) => [episode.episode_number, episode]),
  )
  return {
    season_number: season.season_number,
    ...(seasonName && { name: seasonName }),
    ...(seasonAirDate && { air_date: seasonAirDate }),
    ...(season.poster_path && { poster_path: season.poster_path }),
    episodes: [...episodesByNumber.values()].map((episode) => {
      const title = trimText(episode.name, 500)
      const overview = trimText(episode.overview, 20_000)
      const episodeAirDate = validateDate(episode.air_date)
      const texts = toEpisodeTexts(
        episodeTexts.get(formatEpisodeKey(season.season_number, episode.episode_number)),
        overview,
      )
      return {
        episode_number: episode.episode_number,
        ...(title && { name: title }),
        ...(overview && { overview }),
        ...(texts.length > 0 && { texts }),
        ...(episodeAirDate && { air_date: episodeAirDate }),
        ...createRuntimeField(episode.runtime),
        ...(episode.still_path && { still_path: episode.still_path }),
      }
    }),
  }
}

/**
 * Returns the overviews of an episode in other languages. Leaves out texts that equal the English text, because they
 * are not translations.
 */
function toEpisodeTexts(
  texts: { lang: string; overview: string }[] = [],
  englishOverview: string | undefined,
) {
  return texts.flatMap(({ lang, overview }) => {
    const trimmedOverview = trimText(overview, 20_000)
    return trimmedOverview && trimmedOverview !== englishOverview ? [{ lang, overview: trimmedOverview }] : []
  })
}

/**
 * Returns the record of a person; null if the person has no name. Other names are kept if their script identifies the
 * language, so that search finds an actor by the name in Arabic, for example.
 */
export function toPersonRecord(person: TmdbPerson): PersonRecord | null {
  const personName = trimText(person.name, 200)
  if (!personName) return null
  const names = person.also_known_as?.flatMap((alias) => {
    const aliasText = trimText(alias, 200)
    const lang = aliasText && findLanguageOfScript(aliasText)
    return aliasText && lang ? [{ lang, text: aliasText }] : []
  })
  const imdbId = validateImdbId(person.imdb_id ?? person.external_ids?.imdb_id)
  const [birthday, deathday] = [validateDate(person.birthday), validateDate(person.deathday)]
  const placeOfBirth = trimText(person.place_of_birth, 200)
  const biography = trimText(person.biography, 20_000)
  return {
    name: personName,
    tmdb_id: person.id,
    ...(names && { names }),
    ...(imdbId && { imdb_id: imdbId }),
    ...(birthday && { birthday }),
    ...(deathday && { deathday }),
    ...(placeOfBirth && { place_of_birth: placeOfBirth }),
    ...(biography && { biography }),
    ...(person.profile_path && { profile_path: person.profile_path }),
  }
}
