/** Reads the raw lines of data/demo/ for tests. Their format is described in data/demo/README.md. */
import { globSync, readFileSync } from 'node:fs'
import { DEMO_CATALOGUE_FOLDER } from '../../../server/importers/demo-importer.ts'
import type { GUIDE_SEVERITIES } from '../../../src/lib/rules/parental-guide.ts'
import type { AGE_RATINGS } from '../../../src/lib/rules/title-options.ts'

export interface DemoTitleLine {
  type: 'movie' | 'tv'
  imdb_id: string
  title: string
  titles: Record<string, string>
  language: string
  release_date?: string
  year?: number
  runtime?: number
  genres: number[]
  rated?: (typeof AGE_RATINGS)[number]
  overview: Record<string, string>
  cast: [string, string?][]
  crew: [string, string][]
  kids: boolean
  guide: Record<string, (typeof GUIDE_SEVERITIES)[number]>
  networks?: string[]
  status?: string
  seasons?: { n: number; date?: string; year?: number; episodes?: string[]; dates?: string[] }[]
}

export interface DemoPersonLine {
  name: string
  names?: Record<string, string>
  birthday?: string
  deathday?: string
  place?: string
  bio?: Record<string, string>
}

export function readDemoLines<T>(folderName: 'movies' | 'series' | 'people'): T[] {
  return globSync(`${DEMO_CATALOGUE_FOLDER}/${folderName}/*.jsonl`)
    .sort()
    .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as T)
}
