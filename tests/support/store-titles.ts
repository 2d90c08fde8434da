/** The small catalogue of the store tests: titles for adults, and titles that are safe for kids. */
import { sql } from 'kysely'
import { importTitles } from '../../server/importers/import-titles.ts'
import type { TitleRecord } from '../../server/queries/title-record.ts'
import type { Deps } from '../../server/services/deps.ts'

/** More than one page of a list of movies. */
const SAFE_MOVIE_COUNT = 40
const AIR_DATES = ['2020-01-10', '2020-01-17', '2020-01-24']

let imdbNumber = 8_000_000
function createTitle(type: 'movie' | 'tv', name: string, overrides: Partial<TitleRecord> = {}): TitleRecord {
  imdbNumber += 1
  return {
    type,
    imdb_id: `tt${imdbNumber}`,
    original_title: name,
    language: 'en',
    names: [{ lang: 'en', text: name, role: 'main' }],
    release_date: '2020-01-10',
    year: 2020,
    runtime: 6_000,
    genres: [18],
    rating: 7,
    rating_votes: 20_000,
    popularity: 50,
    safe_for_kids: false,
    high_quality: type === 'movie',
    networks: [],
    texts: [{ lang: 'en', overview: `The story of ${name}.` }],
    keywords: [],
    cast: [],
    crew: [],
    parental_guide: [],
    poster_path: '/poster.jpg',
    backdrop_path: '/backdrop.jpg',
    seasons: [],
    ...overrides,
  }
}

const createSeason = (season_number: number) => ({
  season_number,
  episodes: AIR_DATES.map((air_date, index) => ({
    episode_number: index + 1,
    name: `Part ${season_number}.${index + 1}`,
    air_date,
    runtime: 1_800,
  })),
})
const safe: Partial<TitleRecord> = { safe_for_kids: true, genres: [16, 10751], rated: 'All' }
const adult: Partial<TitleRecord> = { genres: [80, 18], rated: '17+', popularity: 90 }
const castOf = (name: string, tmdb_id: number) => [{ person: { name, tmdb_id }, character: 'Lead' }]

const RECORDS = [
  createTitle('movie', 'Night Harbour', { ...adult, cast: castOf('Ada Winter', 1) }),
  createTitle('movie', 'Cold Verdict', { ...adult, cast: castOf('Ada Winter', 1) }),
  createTitle('tv', 'Iron Ledger', { ...adult, seasons: [createSeason(1), createSeason(2)] }),
  createTitle('movie', 'Paper Kites', { ...safe, cast: castOf('Leo Brook', 2) }),
  createTitle('movie', 'Moon Balloon', safe),
  createTitle('tv', 'Garden Club', { ...safe, genres: [16, 10762], seasons: [createSeason(1)] }),
  ...Array.from({ length: SAFE_MOVIE_COUNT }, (_, index) =>
    createTitle('movie', `Little Story ${index + 1}`, { ...safe, popularity: 10 }),
  ),
]

export interface TestTitle {
  type: 'movie' | 'tv'
  id: string
  slug: string
}

/** Ids are large, so that they occur in a request only as the id of a title. */
const FIRST_ID = 7_000_001

/** Imports the catalogue and returns its titles by name. */
export async function importStoreTitles(deps: Deps): Promise<Record<string, TestTitle>> {
  await sql`insert into sqlite_sequence (name, seq) values ('title', ${FIRST_ID - 1})`.execute(
    deps.database.primary,
  )
  const reads = RECORDS.map((record) => ({ at: record.original_title, record }))
  await importTitles(deps, reads, { source: 'test', batchMs: 100 })
  await deps.searchIndex.catchUp()
  await deps.searchIndex.whenIdle()
  const rows = await deps.database.primary
    .selectFrom('title')
    .select(['title_id', 'type', 'slug', 'original_title'])
    .execute()
  return Object.fromEntries(
    rows.map(({ title_id, type, slug, original_title }) => [
      original_title,
      { type: type as TestTitle['type'], id: String(title_id), slug },
    ]),
  )
}
