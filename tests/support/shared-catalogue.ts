/**
 * Reads the shared catalogue (catalogue/movies.jsonl.gz, tv.jsonl.gz) as records of the import pipeline, for tests and
 * benchmarks that need real titles. The files contain no overviews, no episodes and no age ratings of movies, so movies
 * are never safe for kids.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { ImportReport } from '../../server/importers/import-report.ts'
import { importTitles } from '../../server/importers/import-titles.ts'
import type { TitleReadResult, TitleRecord } from '../../server/queries/title-record.ts'
import type { Deps } from '../../server/services/deps.ts'
import { MOVIE_GENRE_IDS, TV_GENRE_IDS } from '../../src/lib/rules/genres.ts'
import {
  type CountryCertificate,
  getDisplayedAgeRating,
  isSafeForKids,
} from '../../src/lib/rules/kids-safety.ts'

interface SharedTitle {
  id?: number
  imdb_id?: string
  title?: string
  name?: string
  original_title?: string
  original_name?: string
  original_language?: string
  release_date?: string
  first_air_date?: string
  year?: number
  genre_ids?: number[]
  genres_raw?: string[]
  age_certification?: string
  vote_average?: number
  vote_count?: number
  imdb_rating?: number
  imdb_votes?: number
  runtime?: number
  episode_run_time?: number
  seasons?: number
  poster_path?: string
  backdrop_path?: string
  keywords?: string[]
  cast?: { id: number; name: string; character?: string }[]
  crew?: { id: number; name: string; job: string }[]
}
type TranslationsById = Map<number, { lang: string; text: string }[]>

/** Maps genre names of JustWatch to genre ids of TMDB. */
const GENRE_IDS_BY_NAME: Record<string, number> = {
  drama: 18,
  comedy: 35,
  crime: 80,
  scifi: 10765,
  fantasy: 10765,
  action: 10759,
  documentation: 99,
  animation: 16,
  family: 10751,
  war: 10768,
  western: 37,
}

/**
 * Imports at most `limit` movies and at most `limit` series from the shared data in `folder`; all titles by default.
 * Returns the report of the pipeline.
 */
export function loadSharedCatalogue(
  deps: Deps,
  folder: string,
  { limit }: { limit?: number } = {},
): Promise<ImportReport> {
  return importTitles(deps, readSharedTitles(folder, limit), { source: 'shared', batchMs: 100 })
}

/**
 * Yields a record for each of the first `maxTitleCount` lines of the movies, and then of the series. For a line without
 * an id, yields the reason for skipping it instead.
 */
export function* readSharedTitles(
  folder: string,
  maxTitleCount = Number.POSITIVE_INFINITY,
): Generator<TitleReadResult> {
  const translationsById = readTranslations(folder)
  for (const [file, type] of [
    ['movies', 'movie'],
    ['tv', 'tv'],
  ] as const) {
    let lineNumber = 0
    for (const line of readGzipLines(join(folder, `catalogue/${file}.jsonl.gz`))) {
      lineNumber += 1
      if (lineNumber > maxTitleCount) break
      const row = JSON.parse(line) as SharedTitle
      const lineLocation = `${file}:${lineNumber}`
      if (row.imdb_id || row.id)
        yield { location: lineLocation, record: createTitleRecord(type, row, translationsById) }
      else yield { location: lineLocation, skip: 'has no id' }
    }
  }
}

/** Reads the translated titles of titles_by_language.csv.gz, by TMDB id. */
function readTranslations(folder: string): TranslationsById {
  const translationsById: TranslationsById = new Map()
  const path = join(folder, 'catalogue/titles_by_language.csv.gz')
  if (!existsSync(path)) return translationsById
  for (const line of readGzipLines(path).slice(1)) {
    const [, id, lang, quotedText, plainText] =
      /^(\d+),([a-z]+),(?:"((?:[^"]|"")*)"|([^,]*))/.exec(line) ?? []
    const translatedText = quotedText?.replaceAll('""', '"') ?? plainText
    if (!id || !lang || !translatedText) continue
    translationsById.set(Number(id), [
      ...(translationsById.get(Number(id)) ?? []),
      { lang, text: translatedText },
    ])
  }
  return translationsById
}

function readGzipLines(path: string): string[] {
  return gunzipSync(readFileSync(path)).toString().trim().split('\n')
}

function createTitleRecord(
  type: TitleRecord['type'],
  row: SharedTitle,
  translationsById: TranslationsById,
): TitleRecord {
  const title = row.title ?? row.name ?? ''
  const originalTitle = row.original_title ?? row.original_name ?? title
  const language = /^[a-z]{2}$/.test(row.original_language ?? '') ? row.original_language : undefined
  const releaseDate = row.release_date ?? row.first_air_date ?? ''
  const year = row.year ?? (Number(releaseDate.slice(0, 4)) || undefined)
  const genres = listGenreIds(type, row)
  const certificates: CountryCertificate[] = row.age_certification
    ? [{ country: 'US', certificate: row.age_certification }]
    : []
  const displayedAgeRating = getDisplayedAgeRating(type, certificates)
  const runtimeMinutes = row.runtime ?? row.episode_run_time
  return {
    type,
    ...(row.imdb_id && { imdb_id: row.imdb_id }),
    ...(row.id && { tmdb_id: row.id }),
    original_title: originalTitle,
    ...(language && { language }),
    names: createTitleNames(
      { title, original: originalTitle, language },
      translationsById.get(type === 'movie' ? (row.id ?? 0) : 0) ?? [],
    ),
    ...(/^\d{4}-\d\d-\d\d$/.test(releaseDate) && { release_date: releaseDate }),
    ...(year && { year }),
    ...(runtimeMinutes && { runtime: Math.round(runtimeMinutes * 60) }),
    genres,
    ...(displayedAgeRating && { rated: displayedAgeRating }),
    rating: row.vote_average ?? row.imdb_rating ?? 0,
    rating_votes: Math.round(row.vote_count ?? row.imdb_votes ?? 0),
    safe_for_kids: isSafeForKids({ certificates, genres, adult: false }),
    high_quality: false,
    networks: [],
    texts: [],
    keywords: (row.keywords ?? [])
      .filter((keyword) => keyword.trim() !== '')
      .map((keyword) => keyword.slice(0, 100)),
    cast: (row.cast ?? []).map(({ id, name, character }) => ({
      person: { name, tmdb_id: id },
      ...(character?.trim() && { character: character.slice(0, 500) }),
    })),
    crew: (row.crew ?? []).map(({ id, name, job }) => ({ person: { name, tmdb_id: id }, job })),
    parental_guide: [],
    ...(row.poster_path && { poster_path: row.poster_path }),
    ...(row.backdrop_path && { backdrop_path: row.backdrop_path }),
    seasons: Array.from({ length: row.seasons ?? 0 }, (_, index) => ({
      season_number: index + 1,
      episodes: [],
    })),
  }
}

function createTitleNames(
  {
    title,
    original: originalTitle,
    language,
  }: { title: string; original: string; language: string | undefined },
  translations: { lang: string; text: string }[],
): TitleRecord['names'] {
  const names: TitleRecord['names'] = [{ lang: 'en', text: title, role: 'main' }]
  if (originalTitle !== title && language && language !== 'en') {
    names.push({ lang: language, text: originalTitle, role: 'original' })
  }
  const seenLanguages = new Set(names.map((name) => name.lang))
  for (const { lang, text } of translations) {
    names.push({ lang, text, role: seenLanguages.has(lang) ? 'aka' : 'main' })
    seenLanguages.add(lang)
  }
  return names
}

function listGenreIds(type: TitleRecord['type'], row: SharedTitle): number[] {
  const allowedGenreIds: readonly number[] = type === 'movie' ? MOVIE_GENRE_IDS : TV_GENRE_IDS
  const genreIds = row.genre_ids ?? (row.genres_raw ?? []).flatMap((name) => GENRE_IDS_BY_NAME[name] ?? [])
  return [...new Set(genreIds)].filter((id) => allowedGenreIds.includes(id))
}
