/** The door of the search engine: everything outside this folder calls these functions only. */
import { DatabaseSync } from 'node:sqlite'
import { entryOf } from './entry.ts'
import { postgresSchema, postgresStore } from './postgres.ts'
import { searchIn } from './search.ts'
import { sqliteSchema, sqliteStore } from './sqlite.ts'
import type { Entry, IndexState, PgDb, SearchAnswer, SearchDoc, SearchRequest, Store } from './types.ts'
import { wordsOf } from './words.ts'

export type SearchDb = DatabaseSync | PgDb

const stores = new WeakMap<SearchDb, Store>()

function storeOf(db: SearchDb): Store {
  const known = stores.get(db)
  if (known) return known
  const store = db instanceof DatabaseSync ? sqliteStore(db) : postgresStore(db)
  stores.set(db, store)
  return store
}

/** The statements that create the index, each safe to run again. */
export const indexSchema = (dialect: 'sqlite' | 'postgres'): string[] =>
  dialect === 'sqlite' ? sqliteSchema : postgresSchema

/** `version` 0: nothing was ever written. `building`: a rebuild runs, or was broken off. */
export const indexState = async (db: SearchDb): Promise<IndexState> => storeOf(db).state()

/** Titles and people for what was typed; see `SearchRequest` and `SearchAnswer`. */
export const search = (db: SearchDb, request: SearchRequest): Promise<SearchAnswer> =>
  searchIn(storeOf(db), request)

/**
 * Reads the words of the index into memory (some 30 bytes a word), which the first misspelt search would otherwise wait
 * for: about a second for a million titles. For the start of the process and the end of a rebuild.
 */
export async function warmSearch(db: SearchDb): Promise<void> {
  const store = storeOf(db)
  await wordsOf(store, await store.state())
}

/**
 * Puts documents in, or in place of what is stored under their `doc_id`; invisible ones are taken out. All or nothing.
 * @throws RangeError when a `doc_id` is not a whole number from 0 to 2^38 - 1.
 */
export async function upsertDocs(db: SearchDb, docs: SearchDoc[]): Promise<void> {
  const last = new Map(docs.map((doc) => [doc.doc_id, doc]))
  const entries = [...last.values()].filter((doc) => doc.visible).map(entryOf)
  entries.sort((a, b) => a.slot - b.slot)
  const hidden = [...last.values()].filter((doc) => !doc.visible).map((doc) => doc.doc_id)
  await storeOf(db).write(entries, hidden)
}

export async function removeDocs(db: SearchDb, docIds: number[]): Promise<void> {
  await storeOf(db).write([], docIds)
}

/**
 * Replaces the whole index; memory stays bounded however long `docs` is, and searches see the old index until the new
 * one is whole. Changes written meanwhile with `upsertDocs` are kept; call `removeDocs` again for what was removed.
 * Answers the number of documents.
 */
export async function rebuildIndex(
  db: SearchDb,
  docs: AsyncIterable<SearchDoc> | Iterable<SearchDoc>,
): Promise<number> {
  return storeOf(db).rebuild(entries(docs))
}

async function* entries(docs: AsyncIterable<SearchDoc> | Iterable<SearchDoc>): AsyncGenerator<Entry> {
  for await (const doc of docs) if (doc.visible) yield entryOf(doc)
}
