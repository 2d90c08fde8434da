import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Title } from '../../server/recommend/types.ts'
import { overviewWords } from '../../server/recommend/words.ts'

/** Folder of the public data sets, which are not part of the product. */
export const shared = process.env['MARQUEE_SHARED'] ?? join(import.meta.dirname, '../../../shared')

export const present = (path: string): boolean => existsSync(join(shared, 'data', path))

/** Non-empty lines of a file in the shared data folder; `.gz` files are decompressed. */
export function lines(path: string): string[] {
  const bytes = readFileSync(path.startsWith('/') ? path : join(shared, 'data', path))
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  return text.split(/\r?\n/).filter((line) => line !== '')
}

/** Rows of a tab-separated file, without its header. */
export const table = (path: string): string[][] =>
  lines(path)
    .slice(1)
    .map((line) => line.split('\t'))

/** Rows of a comma-separated file, without its header; fields may be quoted. */
export const csv = (path: string): string[][] =>
  lines(path)
    .slice(1)
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((match) =>
        match[1] === undefined ? (match[2] ?? '') : match[1].replaceAll('""', '"'),
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

const KIDS_GENRE_IDS = new Set([10751, 10762, 16])

export function films(): Film[] {
  return lines('catalogue/movies.jsonl.gz').map((line) => JSON.parse(line) as Film)
}

export function overviews(): Map<number, string[]> {
  const rows = lines('catalogue/overviews_en_1500.jsonl.gz').map(
    (line) => JSON.parse(line) as { id: number; overview: string },
  )
  return new Map(rows.map((row) => [row.id, overviewWords(row.overview)]))
}

/** Converts a film of the catalogue to a title of the recommendation engine. */
export function toTitle(key: number, film: Film, overview: readonly string[] = []): Title {
  const crew = film.crew ?? []
  const genres = film.genre_ids ?? []
  return {
    key,
    type: 'movie',
    genres,
    keywords: film.keywords ?? [],
    cast: (film.cast ?? []).map((person) => person.id),
    directors: crew.filter((member) => member.job === 'Director').map((member) => member.id),
    crew: crew.filter((member) => member.job !== 'Director').map((member) => member.id),
    language: film.original_language ?? null,
    year: film.release_date ? Number(film.release_date.slice(0, 4)) : null,
    rating: film.vote_average ?? 0,
    votes: film.vote_count ?? 0,
    popularity: film.popularity ?? 0,
    overviewTokens: overview,
    kids: genres.some((genre) => KIDS_GENRE_IDS.has(genre)),
  }
}
