import { DatabaseSync } from 'node:sqlite'
import { vi } from 'vitest'
import type { Database } from '../../../server/db/database.ts'
import {
  type SearchDb,
  searchIndex,
  searchIndexSchema,
  upsertSearchDocs,
} from '../../../server/search/engine.ts'
import type { FacetValue, SearchDoc, SearchKind, SearchRequest } from '../../../server/search/types.ts'
import { openEmptyDatabase, usesPostgres } from '../../support/databases.ts'

// The timeouts are long, because PostgreSQL can take several seconds to start on a busy machine.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 })

// All PostgreSQL indexes of a test file share this database. Opening an index therefore empties the index tables first.
let postgresDatabase: Promise<Database> | undefined

const INDEX_TABLES =
  'search_meta, search_doc_a, search_doc_b, search_key_a, search_key_b, search_word_a, search_word_b'

export async function openSqliteIndex(): Promise<SearchDb> {
  const db = new DatabaseSync(':memory:')
  for (const statement of searchIndexSchema('sqlite')) db.exec(statement)
  return db
}

export async function openPostgresIndex(): Promise<SearchDb> {
  postgresDatabase ??= openEmptyDatabase()
  const { searchDatabase } = await postgresDatabase
  if (!('transaction' in searchDatabase)) throw new Error('the search database is not PostgreSQL')
  for (const statement of searchIndexSchema('postgres')) await searchDatabase.query(statement)
  await searchDatabase.query(`TRUNCATE ${INDEX_TABLES}`)
  return {
    query: (sql, values) => searchDatabase.query(sql, values),
    transaction: (runQueries) => searchDatabase.transaction(runQueries),
  }
}

/** Pairs of a database name and a function that opens an empty index. Contains only the database of this test run. */
export const searchDatabases: [string, () => Promise<SearchDb>][] = [
  usesPostgres ? ['PostgreSQL', openPostgresIndex] : ['SQLite', openSqliteIndex],
]

let nextDocId = 1
type DocOptions = {
  kind?: SearchKind
  kids?: boolean
  year?: number
  people?: string[]
  crew?: string[]
  keywords?: string[]
  topics?: string[]
  facets?: FacetValue[]
  popularity?: number
  id?: number
}

/**
 * Returns a search document. The first name is the main English name, and also the media ID.
 * The other names are French aliases.
 */
export function createDoc(names: string | string[], options: DocOptions = {}): SearchDoc {
  const { kind = 'movie', kids = false, popularity = 10, id = nextDocId++, ...otherFields } = options
  const [mainName = '', ...aliases] = [names].flat()
  return {
    doc_id: id,
    kind,
    media_id: mainName,
    kids,
    visible: true,
    popularity,
    names: [
      { lang: 'en', text: mainName, role: 'main' },
      ...aliases.map((text) => ({ lang: 'fr', text, role: 'aka' as const })),
    ],
    ...otherFields,
  }
}

/** Returns the documents that most search tests use: titles and actors. */
export const createFixtureDocs = () => [
  createDoc(['Inception', 'Origine', 'بداية'], {
    year: 2010,
    people: ['Leonardo DiCaprio'],
    popularity: 38000,
  }),
  createDoc(['Interstellar'], { year: 2014, people: ['Matthew McConaughey'], popularity: 39000 }),
  createDoc(['The Matrix', 'Матрица', 'マトリックス'], {
    year: 1999,
    people: ['Keanu Reeves'],
    popularity: 25000,
  }),
  createDoc(['The Matrix Reloaded'], { year: 2003, people: ['Keanu Reeves'], popularity: 11000 }),
  createDoc(['Heat'], { year: 1995, people: ['Al Pacino', 'Robert De Niro'], popularity: 7000 }),
  createDoc(['Heat'], { year: 1986, people: ['Burt Reynolds'], popularity: 100, id: 9001 }),
  createDoc(['The Heat'], { year: 2013, popularity: 4000 }),
  createDoc(['Cast Away'], { year: 2000, people: ['Tom Hanks', 'Helen Hunt'], popularity: 11000 }),
  createDoc(['Spider-Man: Homecoming'], { year: 2017, kids: true, popularity: 21000 }),
  createDoc(['Rocky II'], { year: 1979, popularity: 3000 }),
  createDoc(['Rocky V'], { year: 1990, popularity: 2000 }),
  createDoc(['Police Academy'], { year: 1984, popularity: 2500 }),
  createDoc(['Olympus Has Fallen'], { year: 2013, popularity: 6000 }),
  createDoc(['100% Wolf'], { year: 2020, kids: true, popularity: 300 }),
  createDoc(['Wolf'], { year: 1994, popularity: 900 }),
  createDoc(['C++'], { popularity: 1 }),
  createDoc(['C'], { popularity: 3 }),
  createDoc(["O'Neil", 'Shaun'], { popularity: 1 }),
  createDoc(['Tom & Jerry'], { kids: true, kind: 'tv', popularity: 2000 }),
  createDoc(["Le Fabuleux Destin d'Amélie Poulain", 'Amelie'], { year: 2001, popularity: 11000 }),
  createDoc(['قلب المرأة'], { year: 1940, popularity: 1 }),
  createDoc(['محطة الأنس'], { year: 1942, popularity: 1 }),
  createDoc(['Breaking Bad', 'اختلال ضال'], { kind: 'tv', popularity: 15000 }),
  createDoc(['星界の戦旗', 'Banner of the Stars'], { kind: 'tv', popularity: 50 }),
  createDoc(['Tom Hanks'], { kind: 'actor', popularity: 60 }),
  createDoc(['Leonardo DiCaprio'], { kind: 'actor', popularity: 70 }),
  createDoc(['Renée Zellweger'], { kind: 'actor', popularity: 40 }),
  createDoc(['!!!'], { popularity: 1 }),
]

/** Opens an index and adds the fixture documents. */
export async function openFilledIndex(openIndex: () => Promise<SearchDb>): Promise<SearchDb> {
  const db = await openIndex()
  await upsertSearchDocs(db, createFixtureDocs())
  return db
}

/** Returns the media IDs of the search results in order. */
export async function findMediaIds(
  db: SearchDb,
  query: string,
  options: Partial<SearchRequest> = {},
): Promise<string[]> {
  const { hits } = await searchIndex(db, {
    q: query,
    limit: 10,
    type: 'all',
    scope: { kids: false },
    ...options,
  })
  return hits.map((hit) => hit.media_id)
}
