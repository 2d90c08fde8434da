import { DatabaseSync } from 'node:sqlite'
import {
  createSearchTables,
  type SearchDb,
  searchIndex,
  upsertSearchDocs,
} from '../../../server/search/engine.ts'
import type { FacetValue, SearchDoc, SearchKind, SearchRequest } from '../../../server/search/types.ts'

/** Opens an empty search index in memory. */
export function openEmptyIndex(): SearchDb {
  const db = new DatabaseSync(':memory:')
  createSearchTables(db)
  return db
}

let nextDocId = 1
type SearchDocOptions = {
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
export function createDoc(names: string | string[], options: SearchDocOptions = {}): SearchDoc {
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

/** Opens a search index in memory with the documents of `createFixtureDocs`. */
export async function openFilledIndex(): Promise<SearchDb> {
  const db = openEmptyIndex()
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
