/** Converts TMDB responses to the records of the import pipeline. */
import { MOVIE_GENRES, TV_GENRES } from '../../../src/lib/rules/genres.ts'
import { getDisplayedAgeRating, isSafeForKids } from '../../../src/lib/rules/kids-safety.ts'
import { TV_STATUSES } from '../../../src/lib/rules/limits.ts'
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
} from './record-fields.ts'
import type { TmdbMovie, TmdbPerson, TmdbSeason, TmdbSeries } from './response-schemas.ts'

const SECONDS_PER_MINUTE = 60
const MAX_RUNTIME_MINUTES = 10_000

/** Returns null if the movie has no title. */
export function toMovieRecord(movie: TmdbMovie): TitleRecord | null {
  const original = trimText(movie.original_title ?? movie.title, 500)
  if (!original) return null
  const release = validateDate(movie.release_date)
  const imdb = validateImdbId(movie.imdb_id ?? movie.external_ids?.imdb_id)
  const { genres, otherGenreNames } = splitTmdbGenres(movie, MOVIE_GENRES)
  const ratings = (movie.release_dates?.results ?? []).flatMap(({ iso_3166_1, release_dates }) =>
    (release_dates ?? []).flatMap(({ certification }) => toCertificates(iso_3166_1, certification)),
  )
  const ageRating = getDisplayedAgeRating('movie', ratings)
  return {
    ...createCommonFields(movie, {
      original,
      displayTitle: movie.title,
      alternatives: movie.alternative_titles?.titles,
    }),
    type: 'movie',
    ...(imdb && { imdb_id: imdb }),
    ...(release && { release_date: release }),
    ...createRuntimeField(movie.runtime),
    genres,
    ...(ageRating && { rated: ageRating }),
    safe_for_kids: isSafeForKids({ type: 'movie', ratings, genres, adult: movie.adult === true }),
    networks: [],
    keywords: [...otherGenreNames, ...toKeywords(movie.keywords?.keywords)],
    cast: toTmdbCast(movie.credits),
    crew: toTmdbCrew(movie.credits),
    seasons: [],
  }
}

/** Overviews of episodes in other languages, by `formatEpisodeKey`. */
export type EpisodeTexts = Map<string, { lang: string; overview: string }[]>
export const formatEpisodeKey = (season: number, episode: number) => `${season}:${episode}`

/** Returns null if the series has no title. */
export function toSeriesRecord(
  series: TmdbSeries,
  seasons: TmdbSeason[],
  episodeTexts: EpisodeTexts = new Map(),
): TitleRecord | null {
  const original = trimText(series.original_name ?? series.name, 500)
  if (!original) return null
  const release = validateDate(series.first_air_date)
  const imdb = validateImdbId(series.external_ids?.imdb_id)
  const { genres, otherGenreNames } = splitTmdbGenres(series, TV_GENRES)
  const ratings = (series.content_ratings?.results ?? []).flatMap(({ iso_3166_1, rating }) =>
    toCertificates(iso_3166_1, rating),
  )
  const ageRating = getDisplayedAgeRating('tv', ratings)
  const status = TV_STATUSES.find((status) => status === series.status)
  const credits = series.aggregate_credits ?? series.credits
  return {
    ...createCommonFields(series, {
      original,
      displayTitle: series.name,
      alternatives: series.alternative_titles?.results,
    }),
    type: 'tv',
    ...(imdb && { imdb_id: imdb }),
    ...createTvdbField(series.external_ids?.tvdb_id),
    ...(release && { release_date: release }),
    ...createRuntimeField(series.episode_run_time?.[0] ?? computeMedianRuntimeMinutes(seasons)),
    genres,
    ...(ageRating && { rated: ageRating }),
    ...(status && { status }),
    safe_for_kids: isSafeForKids({ type: 'tv', ratings, genres, adult: series.adult === true }),
    networks: mapNetworks(series),
    keywords: [...otherGenreNames, ...toKeywords(series.keywords?.results)],
    cast: toTmdbCast(credits),
    crew: toTmdbCrew(credits, series.created_by ?? []),
    seasons: seasons.map((season) => toSeasonRecord(season, episodeTexts)),
  }
}

interface TitleVariants {
  original: string
  displayTitle: string | null | undefined
  alternatives: Parameters<typeof selectTmdbNames>[1]['alternatives'] | null | undefined
}

function createCommonFields(
  media: TmdbMovie | TmdbSeries,
  { original, displayTitle, alternatives }: TitleVariants,
) {
  const language = toProductLanguage(media.original_language) ?? toTwoLetterCode(media.original_language)
  const poster = selectImagePath(media.poster_path, media.images?.posters)
  const backdrop = selectImagePath(media.backdrop_path, media.images?.backdrops)
  const trailer = selectTrailerUrl(media)
  const names = {
    displayTitle: displayTitle?.trim() || original,
    original,
    language,
    alternatives: alternatives ?? [],
  }
  return {
    tmdb_id: media.id,
    original_title: original,
    ...(language && { language }),
    countries: selectCountries(media),
    names: selectTmdbNames(media, names),
    rating: Math.min(10, Math.max(0, media.vote_average ?? 0)),
    rating_votes: Math.max(0, Math.round(media.vote_count ?? 0)),
    high_quality: false,
    texts: selectTmdbTexts(media),
    parental_guide: [],
    ...(poster && { poster_path: poster }),
    ...(backdrop && { backdrop_path: backdrop }),
    ...(trailer && { trailer }),
  }
}

const createTvdbField = (id: number | null | undefined): { tvdb_id?: number } =>
  id && Number.isInteger(id) && id > 0 ? { tvdb_id: id } : {}

/** Languages that the product does not support are kept too; `xx` is TMDB's code for "no language". */
const toTwoLetterCode = (code: string | null | undefined) =>
  code && code !== 'xx' && /^[a-z]{2}$/.test(code) ? code : undefined

/** Returns the runtime in seconds; absent if it is missing or implausible. */
function createRuntimeField(minutes: number | null | undefined): { runtime?: number } {
  return minutes && minutes > 0 && minutes <= MAX_RUNTIME_MINUTES
    ? { runtime: Math.round(minutes * SECONDS_PER_MINUTE) }
    : {}
}

/** Returns the median runtime of all regular episodes, for series without a runtime of their own. */
function computeMedianRuntimeMinutes(seasons: TmdbSeason[]): number | undefined {
  const minutes = seasons
    .flatMap((season) => (season.season_number > 0 ? (season.episodes ?? []) : []))
    .flatMap(({ runtime }) => (runtime ? [runtime] : []))
    .sort((a, b) => a - b)
  return minutes[minutes.length >> 1]
}

function toSeasonRecord(season: TmdbSeason, episodeTexts: EpisodeTexts): SeasonRecord {
  const name = trimText(season.name, 500)
  const air = validateDate(season.air_date)
  const episodes = new Map((season.episodes ?? []).map((episode) => [episode.episode_number, episode]))
  return {
    season_number: season.season_number,
    ...(name && { name }),
    ...(air && { air_date: air }),
    ...(season.poster_path && { poster_path: season.poster_path }),
    episodes: [...episodes.values()].map((episode) => {
      const title = trimText(episode.name, 500)
      const overview = trimText(episode.overview, 20_000)
      const date = validateDate(episode.air_date)
      const texts = toEpisodeTexts(
        episodeTexts.get(formatEpisodeKey(season.season_number, episode.episode_number)),
        overview,
      )
      return {
        episode_number: episode.episode_number,
        ...(title && { name: title }),
        ...(overview && { overview }),
        ...(texts.length > 0 && { texts }),
        ...(date && { air_date: date }),
        ...createRuntimeField(episode.runtime),
        ...(episode.still_path && { still_path: episode.still_path }),
      }
    }),
  }
}

/** Leaves out texts that equal the English text, because they are not translations. */
function toEpisodeTexts(texts: { lang: string; overview: string }[] = [], english: string | undefined) {
  return texts.flatMap(({ lang, overview }) => {
    const text = trimText(overview, 20_000)
    return text && text !== english ? [{ lang, overview: text }] : []
  })
}

/**
 * Returns null if the person has no name. Other names are kept if their script identifies the language, so that search finds
 * an actor in Arabic, for example.
 */
export function toPersonRecord(person: TmdbPerson): PersonRecord | null {
  const name = trimText(person.name, 200)
  if (!name) return null
  const names = (person.also_known_as ?? []).flatMap((alias) => {
    const text = trimText(alias, 200)
    const lang = text && findLanguageOfScript(text)
    return text && lang ? [{ lang, text }] : []
  })
  const imdb = validateImdbId(person.imdb_id ?? person.external_ids?.imdb_id)
  const [birthday, deathday] = [validateDate(person.birthday), validateDate(person.deathday)]
  const placeOfBirth = trimText(person.place_of_birth, 200)
  const biography = trimText(person.biography, 20_000)
  return {
    name,
    tmdb_id: person.id,
    ...(names.length > 0 && { names }),
    ...(imdb && { imdb_id: imdb }),
    ...(birthday && { birthday }),
    ...(deathday && { deathday }),
    ...(placeOfBirth && { place_of_birth: placeOfBirth }),
    ...(biography && { biography }),
    ...(person.profile_path && { profile_path: person.profile_path }),
  }
}
