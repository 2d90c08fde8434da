/** Public interface of the search engine. Other server code imports only from this file and types.ts. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { computeWordCost } from './edit-distance.ts'
import { buildIndexEntry } from './entry.ts'
import { loadIndexWords } from './index-words.ts'
import { runSearch } from './search.ts'
import { createSqliteStore, sqliteSchema } from './sqlite.ts'
import type {
  EntryPages,
  IndexEntry,
  IndexState,
  IndexStore,
  SearchDoc,
  SearchRequest,
  SearchResult,
} from './types.ts'

export { removeFacetFromText } from './interpret.ts'
export { isPersonQuery } from './person-query.ts'
export { countTopicWords, findTopicExcerpt, findTypedWords } from './topic-text.ts'

/** Highest edit cost that `isMisspelling` accepts. */
const MAX_EDIT_COST = 2.5
/**
 * Highest edit cost that `isMisspelling` accepts per letter of the shorter name. For short names, this limit is lower
 * than MAX_EDIT_COST.
 */
const MAX_EDIT_COST_PER_LETTER = 0.2

/** True if two folded names are equal or differ only by a few typing mistakes. */
export function isMisspelling(name: string, otherName: string): boolean {
  const costLimit = Math.min(
    MAX_EDIT_COST,
    Math.min(name.length, otherName.length) * MAX_EDIT_COST_PER_LETTER,
  )
  return computeWordCost(name, otherName, false, costLimit) <= costLimit
}

export type SearchDb = DatabaseSync

/** Number of documents per page of a rebuild. */
const ENTRIES_PER_PAGE = 200
const storeByDb = new WeakMap<SearchDb, IndexStore>()

function getStore(db: SearchDb): IndexStore {
  const existingStore = storeByDb.get(db)
  if (existingStore) return existingStore
  const store = createSqliteStore(db)
  storeByDb.set(db, store)
  return store
}

/** Creates the tables of the index that do not exist yet. */
export function createSearchTables(db: SearchDb): void {
  for (const statement of sqliteSchema) db.exec(statement)
}

const POSITION_KEY = 'position'
const REBUILD_FAILURE_TIME_KEY = 'failed_rebuild_ms'
const metaStatementsByDb = new WeakMap<SearchDb, StatementSync>()

function readMeta(db: SearchDb, key: string): string | null {
  const metaStatement =
    metaStatementsByDb.get(db) ?? db.prepare('SELECT value FROM search_meta WHERE key = ?')
  metaStatementsByDb.set(db, metaStatement)
  const row = metaStatement.get(key)
  return row ? String(row['value']) : null
}

function saveMeta(db: SearchDb, key: string, value: string): void {
  db.prepare('INSERT INTO search_meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value').run(
    key,
    value,
  )
}

/** Returns the text that `saveSearchIndexPosition` stored last; null when none is stored. */
export const readSearchIndexPosition = (db: SearchDb): string | null => readMeta(db, POSITION_KEY)

/** Stores the last catalogue change that the index contains. The caller chooses the format of the text. */
export const saveSearchIndexPosition = (db: SearchDb, position: string): void =>
  saveMeta(db, POSITION_KEY, position)

/**
 * Returns the time at which the last rebuild failed, in milliseconds since 1970; 0 when the last rebuild succeeded or
 * no failure is stored.
 */
export const readRebuildFailureTimeMs = (db: SearchDb): number =>
  Number(readMeta(db, REBUILD_FAILURE_TIME_KEY))

/** Stores the time at which a rebuild failed, in milliseconds since 1970. Pass 0 after a rebuild has succeeded. */
export const saveRebuildFailureTimeMs = (db: SearchDb, failedAtMs: number): void =>
  saveMeta(db, REBUILD_FAILURE_TIME_KEY, String(failedAtMs))

/**
 * Returns the state of the index. `version` is 0 when nothing has been written yet. `building` is true when a
 * rebuild is running or was interrupted.
 */
export const readSearchIndexState = async (db: SearchDb): Promise<IndexState> => getStore(db).readState()

/**
 * Returns the number of documents in the last rebuild, and the number of stored documents that were replaced or removed
 * since that rebuild. Replaced and removed documents make lookups slower until the next rebuild.
 */
export async function countReplacedSearchDocs(
  db: SearchDb,
): Promise<{ replacedCount: number; builtCount: number }> {
  const { live } = await readSearchIndexState(db)
  // Change ids start at 1 and are consecutive, so the highest id is the number of changes. Each slot is stored in eight
  // bytes.
  const row = db
    .prepare(
      `SELECT (SELECT max(change_id) FROM search_changed_${live}) AS replaced,
        (SELECT sum(length(slots)) / 8 FROM search_slot_${live}) AS built`,
    )
    .get()
  return { replacedCount: Number(row?.['replaced']), builtCount: Number(row?.['built']) }
}

/** Finds titles and people for a typed text; see `SearchRequest` and `SearchResult`. */
export const searchIndex = (db: SearchDb, request: SearchRequest): Promise<SearchResult> =>
  runSearch(getStore(db), request)

/**
 * Loads the vocabulary of the index into memory (vocabulary.ts). Call this function at process start and after a
 * rebuild. Otherwise the first misspelt search waits for the load: about one second for a million titles.
 */
export async function loadSearchVocabulary(db: SearchDb): Promise<void> {
  const store = getStore(db)
  await loadIndexWords(store, await store.readState())
}

/**
 * Adds documents, and replaces stored documents with the same `doc_id`. Removes documents with
 * `visible: false`. All changes are made in one transaction.
 * @throws RangeError when a `doc_id` is not an integer from 0 to 2^38 - 1.
 */
export async function upsertSearchDocs(db: SearchDb, docs: SearchDoc[]): Promise<void> {
  const docById = new Map(docs.map((doc) => [doc.doc_id, doc]))
  const visibleEntries = buildIndexEntries([...docById.values()])
  visibleEntries.sort((a, b) => a.slot - b.slot)
  const hiddenIds = [...docById.values()].filter((doc) => !doc.visible).map((doc) => doc.doc_id)
  await getStore(db).writeBatch(visibleEntries, hiddenIds)
}

export async function removeSearchDocs(db: SearchDb, docIds: number[]): Promise<void> {
  await getStore(db).writeBatch([], docIds)
}

/**
 * Replaces the whole index and returns the number of documents. Memory use does not depend on the number of
 * documents. Searches use the old index until the new one is complete. Documents that `upsertSearchDocs`
 * writes during the rebuild are kept. Documents that are removed during the rebuild must be removed again
 * afterwards with `removeSearchDocs`.
 */
export async function rebuildSearchIndex(
  db: SearchDb,
  docs: AsyncIterable<SearchDoc> | Iterable<SearchDoc>,
): Promise<number> {
  return getStore(db).rebuildAll(buildEntryPages(docs))
}

async function* buildEntryPages(
  docs: AsyncIterable<SearchDoc> | Iterable<SearchDoc>,
): AsyncGenerator<IndexEntry[]> {
  let entryPage: IndexEntry[] = []
  for await (const doc of docs) {
    if (doc.visible) entryPage.push(buildIndexEntry(doc))
    if (entryPage.length < ENTRIES_PER_PAGE) continue
    yield entryPage
    entryPage = []
  }
  yield entryPage
}

/**
 * Builds the index entries of the visible documents. The entries can be built in one thread, and written in another one
 * with `rebuildSearchIndexFromEntries`.
 */
export const buildIndexEntries = (docs: SearchDoc[]): IndexEntry[] =>
  docs.filter((doc) => doc.visible).map(buildIndexEntry)

/** Replaces the whole index like `rebuildSearchIndex`, with entries that `buildIndexEntries` has built. */
export const rebuildSearchIndexFromEntries = async (db: SearchDb, pages: EntryPages): Promise<number> =>
  getStore(db).rebuildAll(pages)
