/** The small catalogue of the store tests: titles for adults, and titles that are safe for kids. */
import { sql } from 'kysely'
import { importTitles } from '../../server/importers/import-titles.ts'
import type { TitleRecord } from '../../server/queries/title-record.ts'
import type { Deps } from '../../server/services/deps.ts'

/** This number of movies fills more than one page of a list. */
const SAFE_MOVIE_COUNT = 40
const AIR_DATES = ['2020-01-10', '2020-01-17', '2020-01-24']

let lastImdbNumber = 8_000_000
function createTitle(type: 'movie' | 'tv', name: string, overrides: Partial<TitleRecord> = {}): TitleRecord {
  lastImdbNumber += 1
  return {
    type,
    imdb_id: `tt${lastImdbNumber}`,
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
    overview: `The story of part ${season_number}.${index + 1}.`,
    texts: [{ lang: 'fr', overview: `L’histoire de la partie ${season_number}.${index + 1}.` }],
    air_date,
    runtime: 1_800,
  })),
})
const safeFields: Partial<TitleRecord> = { safe_for_kids: true, genres: [16, 10751], rated: 'All' }
const adultFields: Partial<TitleRecord> = { genres: [80, 18], rated: '17+', popularity: 90 }
const createCast = (name: string, tmdb_id: number) => [{ person: { name, tmdb_id }, character: 'Lead' }]

const TITLE_RECORDS = [
  createTitle('movie', 'Night Harbour', { ...adultFields, cast: createCast('Ada Winter', 1) }),
  createTitle('movie', 'Cold Verdict', { ...adultFields, cast: createCast('Ada Winter', 1) }),
  createTitle('tv', 'Iron Ledger', { ...adultFields, seasons: [createSeason(1), createSeason(2)] }),
  createTitle('movie', 'Paper Kites', { ...safeFields, cast: createCast('Leo Brook', 2) }),
  createTitle('movie', 'Moon Balloon', safeFields),
  createTitle('tv', 'Garden Club', { ...safeFields, genres: [16, 10762], seasons: [createSeason(1)] }),
  ...Array.from({ length: SAFE_MOVIE_COUNT }, (_, index) =>
    createTitle('movie', `Little Story ${index + 1}`, { ...safeFields, popularity: 10 }),
  ),
]

export interface StoreTestTitle {
  type: 'movie' | 'tv'
  id: string
  slug: string
}

/** First title id. It is large, so that no other number in a request looks like a title id. */
const FIRST_TITLE_ID = 7_000_001

/** Imports the catalogue and returns its titles by name. */
export async function importStoreTestTitles(deps: Deps): Promise<Record<string, StoreTestTitle>> {
  await sql`insert into sqlite_sequence (name, seq) values ('title', ${FIRST_TITLE_ID - 1})`.execute(
    deps.database.primary,
  )
  await importRecords(deps, TITLE_RECORDS)
  const rows = await deps.database.primary
    .selectFrom('title')
    .select(['title_id', 'type', 'slug', 'original_title'])
    .execute()
  return Object.fromEntries(
    rows.map(({ title_id, type, slug, original_title }) => [
      original_title,
      { type: type as StoreTestTitle['type'], id: String(title_id), slug },
    ]),
  )
}

/** Imports titles that only some tests need. */
export const importFurtherTitles = (
  deps: Deps,
  titles: readonly ({ type: 'movie' | 'tv'; name: string } & Partial<TitleRecord>)[],
): Promise<void> =>
  importRecords(
    deps,
    titles.map(({ type, name, ...fields }) => createTitle(type, name, fields)),
  )

async function importRecords(deps: Deps, records: readonly TitleRecord[]): Promise<void> {
  const readResults = records.map((record) => ({ location: record.original_title, record }))
  await importTitles(deps, readResults, { source: 'test', batchMs: 100 })
  await deps.searchIndex.catchUp()
  await deps.searchIndex.whenIdle()
}
