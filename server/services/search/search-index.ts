/**
 * Keeps the search index up to date. Database triggers record every change of a title or person in
 * `search_pending`, in the same transaction as the change. This module reads these rows and rewrites the
 * documents.
 */
import { setImmediate, setTimeout } from 'node:timers/promises'
import { runOptionalWrite } from '../../core/database-unavailable.ts'
import type { Database, DatabaseLocation } from '../../db/database.ts'
import {
  countPendingDocuments,
  countSearchableDocuments,
  getPersonDocId,
  getTitleDocId,
  markDocumentsIndexed,
  selectCredits,
  selectPendingDocuments,
} from '../../queries/search-index.ts'
import {
  loadSearchVocabulary,
  readSearchIndexState,
  removeSearchDocs,
  searchIndexSchema,
  upsertSearchDocs,
} from '../../search/engine.ts'
import { runWithLease, waitAndRunWithLease } from '../jobs/lease.ts'
import { buildIndex, type ReportProgress } from './build-index.ts'
import { rebuildIndexInProcess } from './rebuild-in-process.ts'
import { loadPersonDocs, loadTitleDocs } from './search-docs.ts'

/**
 * Number of changes per batch. If at most one batch of changes is pending, a search writes this batch first. If more
 * changes are pending, all batches are written in the background.
 */
const CHANGES_PER_BATCH = 24
/** Maximum time that a search waits for background writes. */
const MAX_SEARCH_WAIT_MS = 200
/** Number of documents that are written before yielding to the event loop. Writing them takes about 10 ms. */
const DOCUMENTS_PER_TURN = 32
/**
 * The index is rebuilt when at least this many changes and a quarter of all documents are pending. A rebuild
 * is then faster than writing the changes.
 */
const MIN_REBUILD_CHANGES = 1_000
/**
 * Name of the lease of the process that writes the index. Only one process writes at a time, so that older
 * text never replaces newer text.
 */
const WRITER_LEASE = 'search-index'

export interface SearchIndex {
  /**
   * Applies the pending changes before a search. If they do not fit in one batch, they are applied in the background,
   * and this function waits for them for at most MAX_SEARCH_WAIT_MS.
   */
  catchUp(): Promise<void>
  /**
   * Rebuilds the index and resolves to the number of documents. Searches use the old index until the new
   * index is complete.
   */
  rebuild(reportProgress?: ReportProgress): Promise<number>
  /**
   * True while this or another process rebuilds the index, or this process writes changes in the background.
   */
  isBuilding(): Promise<boolean>
  /** Loads the vocabulary in advance, so that the first query with a misspelt word is not slow. */
  warm(): Promise<void>
  /** Resolves when no background work is running. */
  whenIdle(): Promise<void>
  /** Stops a rebuild. The next start of the server repeats it. */
  stop(): void
}

/** Creates the index tables that do not exist yet. */
async function createTables({ kind, searchDatabase }: Database): Promise<void> {
  const statements = searchIndexSchema(kind)
  if (!('transaction' in searchDatabase)) {
    for (const statement of statements) searchDatabase.exec(statement)
    return
  }
  await searchDatabase.transaction(async (transaction) => {
    await transaction.query("select pg_advisory_xact_lock(hashtext('search_index_schema'))")
    for (const statement of statements) await transaction.query(statement)
  })
}

/**
 * Opens the index. A missing or incomplete index is rebuilt in the background. `location` is null for an in-memory
 * database, whose index is rebuilt in this thread.
 */
export async function openSearchIndex(
  database: Database,
  location: DatabaseLocation | null,
): Promise<SearchIndex> {
  await createTables(database)
  const { version, building: isBuilding } = await readSearchIndexState(database.searchDatabase)
  const index = createSearchIndex(database, location)
  if (isBuilding || (version === 0 && (await countSearchableDocuments(database.primary)) > 0)) {
    index.rebuild().catch(() => {})
  }
  return index
}

function createSearchIndex(database: Database, location: DatabaseLocation | null): SearchIndex {
  const { kind, primary, reader, searchDatabase } = database
  const changesDb = kind === 'sqlite' ? reader : primary
  let backgroundPromise: Promise<void> | null = null
  let rebuildPromise: Promise<number> | null = null
  let batchPromise: Promise<boolean | undefined> | null = null
  const stopController = new AbortController()

  /**
   * Writes one batch. Returns false when no changes are left, a rebuild is running, or another process writes
   * the index.
   */
  async function applyBatch(): Promise<boolean> {
    if ((await selectPendingDocuments(changesDb, 1)).length === 0) return false
    while (batchPromise) await batchPromise.catch(() => {})
    // During a rebuild, a batch would block this thread until the rebuild process has committed its
    // transaction.
    if (rebuildPromise) return false
    batchPromise = runWithLease(primary, WRITER_LEASE, () => writePendingDocs(database)).finally(() => {
      batchPromise = null
    })
    return (await batchPromise) ?? false
  }
  async function applyRemainingChanges(): Promise<void> {
    const pendingCount = await countPendingDocuments(primary, MIN_REBUILD_CHANGES)
    if (pendingCount >= MIN_REBUILD_CHANGES && !rebuildPromise) {
      const documentCount = await countSearchableDocuments(primary)
      if ((await countPendingDocuments(primary, documentCount)) >= documentCount / 4) await index.rebuild()
    }
    while (await applyBatch()) await setImmediate()
  }
  async function rebuildOnce(reportProgress?: ReportProgress): Promise<number> {
    await batchPromise?.catch(() => {})
    return waitAndRunWithLease(primary, WRITER_LEASE, async () => {
      const documentCount = await (location
        ? rebuildIndexInProcess(location, stopController.signal, reportProgress)
        : buildIndex(database, reportProgress))
      await loadSearchVocabulary(searchDatabase)
      return documentCount
    })
  }
  const index: SearchIndex = {
    async catchUp() {
      if (!backgroundPromise && !rebuildPromise) {
        let hasMore = false
        // While the index cannot be written, searches use its current state.
        await runOptionalWrite(async () => {
          hasMore =
            (await countPendingDocuments(changesDb, MIN_REBUILD_CHANGES)) > CHANGES_PER_BATCH ||
            (await applyBatch())
        })
        if (hasMore && !backgroundPromise) {
          backgroundPromise = applyRemainingChanges().finally(() => {
            backgroundPromise = null
          })
          backgroundPromise.catch(() => {})
        }
      }
      if (backgroundPromise)
        await Promise.race([
          backgroundPromise.catch(() => {}),
          setTimeout(MAX_SEARCH_WAIT_MS, null, { ref: false }),
        ])
    },
    rebuild(reportProgress) {
      rebuildPromise ??= rebuildOnce(reportProgress).finally(() => {
        rebuildPromise = null
      })
      return rebuildPromise
    },
    isBuilding: async () =>
      backgroundPromise !== null ||
      rebuildPromise !== null ||
      (await readSearchIndexState(searchDatabase)).building,
    warm: () => loadSearchVocabulary(searchDatabase),
    async whenIdle() {
      await backgroundPromise
      await rebuildPromise
    },
    stop: () => stopController.abort(),
  }
  return index
}

/** Writes one batch of pending changes. Returns true when there may be more changes. */
async function writePendingDocs(database: Database): Promise<boolean> {
  const { primary } = database
  const changes = await selectPendingDocuments(primary, CHANGES_PER_BATCH)
  if (changes.length === 0) return false
  await writeDocs(
    database,
    changes.map((change) => change.doc_id),
  )
  await markDocumentsIndexed(primary, changes)
  return changes.length === CHANGES_PER_BATCH
}

/**
 * Rewrites documents. Also rewrites the people of a changed title, because their visibility depends on their
 * titles.
 */
async function writeDocs({ primary, searchDatabase }: Database, docIds: number[]): Promise<void> {
  const titleIds = docIds.filter((id) => id % 2 === 0).map((id) => id / 2)
  const personIds = new Set(docIds.filter((id) => id % 2 === 1).map((id) => (id - 1) / 2))
  for (const credit of await selectCredits(primary, titleIds)) personIds.add(credit.person_id)
  const docs = [
    ...(await loadTitleDocs(primary, titleIds)),
    ...(await loadPersonDocs(primary, [...personIds])),
  ]
  const writtenDocIds = new Set(docs.map((doc) => doc.doc_id))
  const removedDocIds = [...titleIds.map(getTitleDocId), ...[...personIds].map(getPersonDocId)].filter(
    (id) => !writtenDocIds.has(id),
  )
  if (removedDocIds.length > 0) await removeSearchDocs(searchDatabase, removedDocIds)
  for (let startIndex = 0; startIndex < docs.length; startIndex += DOCUMENTS_PER_TURN) {
    await upsertSearchDocs(searchDatabase, docs.slice(startIndex, startIndex + DOCUMENTS_PER_TURN))
    await setImmediate()
  }
}
