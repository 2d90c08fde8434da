/** The door of the search engine: everything outside this folder calls these functions only. */
import { DatabaseSync } from 'node:sqlite'
import { entryOf } from './entry.ts'
import { searchIn } from './search.ts'
import { sqliteSchema, sqliteStore } from './sqlite.ts'
import type { Entry, SearchAnswer, SearchDoc, SearchRequest, Store } from './types.ts'

export type SearchDb = DatabaseSync

const stores = new WeakMap<SearchDb, Store>()

function storeOf(db: SearchDb): Store {
  let store = stores.get(db)
  if (!store) stores.set(db, (store = sqliteStore(db)))
  return store
}

/** The statements that create the index, each safe to run again. */
export const indexSchema = (_dialect: 'sqlite'): string[] => sqliteSchema

export const search = (db: SearchDb, request: SearchRequest): Promise<SearchAnswer> => searchIn(storeOf(db), request)

/** Puts documents in, or in place of what is stored under their `doc_id`; invisible ones are taken out. All or nothing. */
export async function upsertDocs(db: SearchDb, docs: SearchDoc[]): Promise<void> {
  const entries = docs.filter((doc) => doc.visible).map(entryOf)
  entries.sort((a, b) => a.slot - b.slot)
  await storeOf(db).write(entries, docs.filter((doc) => !doc.visible).map((doc) => doc.doc_id))
}

export async function removeDocs(db: SearchDb, docIds: number[]): Promise<void> {
  await storeOf(db).write([], docIds)
}

/** Replaces the whole index; memory stays bounded however long `docs` is. Answers the number of documents. */
export async function rebuildIndex(db: SearchDb, docs: AsyncIterable<SearchDoc> | Iterable<SearchDoc>): Promise<number> {
  return storeOf(db).rebuild(entries(docs))
}

async function* entries(docs: AsyncIterable<SearchDoc> | Iterable<SearchDoc>): AsyncGenerator<Entry> {
  for await (const doc of docs) if (doc.visible) yield entryOf(doc)
}
