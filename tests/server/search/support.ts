import { DatabaseSync } from 'node:sqlite'
import { PGlite } from '@electric-sql/pglite'
import { vi } from 'vitest'
import type { Database } from '../../../server/db/database.ts'
import {
  type SearchDb,
  searchIndex,
  searchIndexSchema,
  upsertSearchDocs,
} from '../../../server/search/engine.ts'
import type { SearchDoc, SearchKind, SearchRequest } from '../../../server/search/types.ts'
import { onServers, openEmpty } from '../../support/databases.ts'

// Starting PostgreSQL takes seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 })

// One server for the file; every index of it is emptied tables behind a connection of its own.
let server: Promise<PGlite> | undefined
let real: Promise<Database> | undefined

const TABLES =
  'search_meta, search_doc_a, search_doc_b, search_key_a, search_key_b, search_word_a, search_word_b'

async function onSqlite(): Promise<SearchDb> {
  const db = new DatabaseSync(':memory:')
  for (const statement of searchIndexSchema('sqlite')) db.exec(statement)
  return db
}

async function inTheProcess(): Promise<SearchDb> {
  server ??= PGlite.create()
  const db = await server
  for (const statement of searchIndexSchema('postgres')) await db.exec(statement)
  await db.exec(`TRUNCATE ${TABLES}`)
  return { query: (text, values) => db.query(text, values), transaction: (work) => db.transaction(work) }
}

async function onServer(): Promise<SearchDb> {
  real ??= openEmpty()
  const { searchDatabase: search } = await real
  if (!('transaction' in search)) throw new Error('no PostgreSQL')
  for (const statement of searchIndexSchema('postgres')) await search.query(statement)
  await search.query(`TRUNCATE ${TABLES}`)
  return {
    query: (text, values) => search.query(text, values),
    transaction: (work) => search.transaction(work),
  }
}

/** A fresh index on each database; "both databases answer alike" asks for two, whatever the run is about. */
export const databases: [string, () => Promise<SearchDb>][] = [
  ['SQLite', onSqlite],
  ['PostgreSQL', onServers ? onServer : inTheProcess],
]

let nextId = 1
type Given = {
  kind?: SearchKind
  kids?: boolean
  year?: number
  people?: string[]
  popularity?: number
  id?: number
}

/** A document; the first name is the main one, `lang:text` gives another language. */
export function doc(names: string | string[], given: Given = {}): SearchDoc {
  const { kind = 'movie', kids = false, popularity = 10, id = nextId++, ...rest } = given
  const [first = '', ...others] = [names].flat()
  return {
    doc_id: id,
    kind,
    media_id: first,
    kids,
    visible: true,
    popularity,
    names: [
      { lang: 'en', text: first, role: 'main' },
      ...others.map((text) => ({ lang: 'fr', text, role: 'aka' as const })),
    ],
    ...rest,
  }
}

/** The fixed cast of titles and people. */
export const cast = () => [
  doc(['Inception', 'Origine', 'بداية'], { year: 2010, people: ['Leonardo DiCaprio'], popularity: 38000 }),
  doc(['Interstellar'], { year: 2014, people: ['Matthew McConaughey'], popularity: 39000 }),
  doc(['The Matrix', 'Матрица', 'マトリックス'], { year: 1999, people: ['Keanu Reeves'], popularity: 25000 }),
  doc(['The Matrix Reloaded'], { year: 2003, people: ['Keanu Reeves'], popularity: 11000 }),
  doc(['Heat'], { year: 1995, people: ['Al Pacino', 'Robert De Niro'], popularity: 7000 }),
  doc(['Heat'], { year: 1986, people: ['Burt Reynolds'], popularity: 100, id: 9001 }),
  doc(['The Heat'], { year: 2013, popularity: 4000 }),
  doc(['Cast Away'], { year: 2000, people: ['Tom Hanks', 'Helen Hunt'], popularity: 11000 }),
  doc(['Spider-Man: Homecoming'], { year: 2017, kids: true, popularity: 21000 }),
  doc(['Rocky II'], { year: 1979, popularity: 3000 }),
  doc(['Rocky V'], { year: 1990, popularity: 2000 }),
  doc(['Police Academy'], { year: 1984, popularity: 2500 }),
  doc(['Olympus Has Fallen'], { year: 2013, popularity: 6000 }),
  doc(['100% Wolf'], { year: 2020, kids: true, popularity: 300 }),
  doc(['Wolf'], { year: 1994, popularity: 900 }),
  doc(['C++'], { popularity: 1 }),
  doc(['C'], { popularity: 3 }),
  doc(["O'Neil", 'Shaun'], { popularity: 1 }),
  doc(['Tom & Jerry'], { kids: true, kind: 'tv', popularity: 2000 }),
  doc(["Le Fabuleux Destin d'Amélie Poulain", 'Amelie'], { year: 2001, popularity: 11000 }),
  doc(['قلب المرأة'], { year: 1940, popularity: 1 }),
  doc(['محطة الأنس'], { year: 1942, popularity: 1 }),
  doc(['Breaking Bad', 'اختلال ضال'], { kind: 'tv', popularity: 15000 }),
  doc(['星界の戦旗', 'Banner of the Stars'], { kind: 'tv', popularity: 50 }),
  doc(['Tom Hanks'], { kind: 'actor', popularity: 60 }),
  doc(['Leonardo DiCaprio'], { kind: 'actor', popularity: 70 }),
  doc(['Renée Zellweger'], { kind: 'actor', popularity: 40 }),
  doc(['!!!'], { popularity: 1 }),
]

export async function filled(make: () => Promise<SearchDb>): Promise<SearchDb> {
  const db = await make()
  await upsertSearchDocs(db, cast())
  return db
}

export async function find(db: SearchDb, q: string, more: Partial<SearchRequest> = {}): Promise<string[]> {
  const { hits } = await searchIndex(db, { q, limit: 10, type: 'all', scope: { kids: false }, ...more })
  return hits.map((hit) => hit.media_id)
}
