import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Title } from '../../server/recommend/types.ts'
import { overviewWords } from '../../server/recommend/words.ts'

/** Where the public data sets lie; they are never part of the product. */
export const shared = process.env['MARQUEE_SHARED'] ?? join(import.meta.dirname, '../../../shared')

export const present = (path: string): boolean => existsSync(join(shared, 'data', path))

/** Lines of a file under the shared data, gunzipped when its name says so, without the last empty one. */
export function lines(path: string): string[] {
  const bytes = readFileSync(path.startsWith('/') ? path : join(shared, 'data', path))
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  return text.split(/\r?\n/).filter((line) => line !== '')
}

/** Rows of a tab-separated file with a header. */
export const table = (path: string): string[][] =>
  lines(path)
    .slice(1)
    .map((line) => line.split('\t'))

/** Rows of a comma-separated file with a header; fields may be quoted. */
export const csv = (path: string): string[][] =>
  lines(path)
    .slice(1)
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((m) =>
        m[1] === undefined ? (m[2] ?? '') : m[1].replaceAll('""', '"'),
      ),
    )

export interface Film {
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

const kidsGenres = new Set([10751, 10762, 16])

export function films(): Film[] {
  return lines('catalogue/movies.jsonl.gz').map((line) => JSON.parse(line) as Film)
}

export function overviews(): Map<number, string[]> {
  const rows = lines('catalogue/overviews_en_1500.jsonl.gz').map(
    (line) => JSON.parse(line) as { id: number; overview: string },
  )
  return new Map(rows.map((row) => [row.id, overviewWords(row.overview)]))
}

/** A film of the catalogue as the engine takes it. */
export function toTitle(key: number, film: Film, overview: readonly string[] = []): Title {
  const crew = film.crew ?? []
  const genres = film.genre_ids ?? []
  return {
    key,
    type: 'movie',
    genres,
    keywords: film.keywords ?? [],
    cast: (film.cast ?? []).map((one) => one.id),
    directors: crew.filter((one) => one.job === 'Director').map((one) => one.id),
    crew: crew.filter((one) => one.job !== 'Director').map((one) => one.id),
    language: film.original_language ?? null,
    year: film.release_date ? Number(film.release_date.slice(0, 4)) : null,
    rating: film.vote_average ?? 0,
    votes: film.vote_count ?? 0,
    popularity: film.popularity ?? 0,
    overviewTokens: overview,
    kids: genres.some((genre) => kidsGenres.has(genre)),
  }
}
