import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { toSortTitle } from '../../server/queries/title-columns.ts'
import { extractOverviewWords } from '../../server/recommend/overview-words.ts'
import type { TrainingTitle } from '../../server/recommend/types.ts'

/** Folder whose subfolder `data` contains the public data sets, which are not part of the product. */
export const SHARED_ROOT = process.env['MARQUEE_SHARED'] ?? join(import.meta.dirname, '../../../shared')

export const hasSharedData = (path: string): boolean => existsSync(join(SHARED_ROOT, 'data', path))

/**
 * Returns the non-empty lines of a file; `.gz` files are decompressed. A relative path starts at the `data` folder of
 * SHARED_ROOT.
 */
export function readSharedLines(path: string): string[] {
  const fileBytes = readFileSync(path.startsWith('/') ? path : join(SHARED_ROOT, 'data', path))
  const fileText = (path.endsWith('.gz') ? gunzipSync(fileBytes) : fileBytes).toString('utf8')
  return fileText.split(/\r?\n/).filter((line) => line !== '')
}

/** Returns the rows of a tab-separated file, without its header. */
export const readTsvRows = (path: string): string[][] =>
  readSharedLines(path)
    .slice(1)
    .map((line) => line.split('\t'))

/** Returns the rows of a comma-separated file, without its header; fields may be quoted. */
export const readCsvRows = (path: string): string[][] =>
  readSharedLines(path)
    .slice(1)
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((cellMatch) =>
        cellMatch[1] === undefined ? (cellMatch[2] ?? '') : cellMatch[1].replaceAll('""', '"'),
      ),
    )

export interface CatalogueMovie {
  readonly id: number
  readonly imdb_id?: string
  readonly title: string
  readonly release_date?: string
  readonly genre_ids?: number[]
  readonly vote_average?: number
  readonly vote_count?: number
  readonly popularity?: number
  readonly keywords?: string[]
  readonly cast?: { id: number; order: number }[]
  readonly crew?: { id: number; job: string }[]
  readonly original_language?: string
}

const KIDS_GENRE_IDS = new Set([10751, 10762, 16])

export function readMovies(): CatalogueMovie[] {
  return readSharedLines('catalogue/movies.jsonl.gz').map((line) => JSON.parse(line) as CatalogueMovie)
}

export function readOverviewTokens(): Map<number, string[]> {
  const rows = readSharedLines('catalogue/overviews_en_1500.jsonl.gz').map(
    (line) => JSON.parse(line) as { id: number; overview: string },
  )
  return new Map(rows.map((row) => [row.id, extractOverviewWords(row.overview)]))
}

/** Converts a movie of the catalogue to a title of the recommendation engine. */
export function toTrainingTitle(
  key: number,
  movie: CatalogueMovie,
  overviewTokens: readonly string[] = [],
): TrainingTitle {
  const crewMembers = movie.crew ?? []
  const genreIds = movie.genre_ids ?? []
  return {
    key,
    type: 'movie',
    name: toSortTitle(movie.title),
    genres: genreIds,
    keywords: movie.keywords ?? [],
    cast: (movie.cast ?? []).map((person) => person.id),
    directors: crewMembers.filter((member) => member.job === 'Director').map((member) => member.id),
    crew: crewMembers.filter((member) => member.job !== 'Director').map((member) => member.id),
    language: movie.original_language ?? null,
    year: movie.release_date ? Number(movie.release_date.slice(0, 4)) : null,
    rating: movie.vote_average ?? 0,
    votes: movie.vote_count ?? 0,
    popularity: movie.popularity ?? 0,
    overviewTokens,
    kids: genreIds.some((genre) => KIDS_GENRE_IDS.has(genre)),
  }
}
