/** Builds the whole search index from the catalogue, in the calling thread. */
import { setImmediate } from 'node:timers/promises'
import type { Database, Db } from '../../db/database.ts'
import {
  countSearchableDocuments,
  markAllDocumentsIndexed,
  selectIdsAfter,
} from '../../queries/search-index.ts'
import { rebuildSearchIndex } from '../../search/engine.ts'
import type { SearchDoc } from '../../search/types.ts'
import { PersonTotals } from './person-totals.ts'
import { loadPersonDocsWithTotals, loadTitleDocs } from './search-docs.ts'

const PAGE_SIZE = 200

export type ReportProgress = (done: number, total: number) => Promise<void>

/** Returns the number of documents. Searches use the old index until the new one is complete. */
export async function buildIndex(
  { primary, searchDatabase }: Pick<Database, 'primary' | 'searchDatabase'>,
  reportProgress?: ReportProgress,
): Promise<number> {
  return rebuildSearchIndex(searchDatabase, generateAllDocs(primary, reportProgress))
}

/** Yields the documents of all titles, then those of all people. */
export async function* generateAllDocs(
  db: Db,
  reportProgress: ReportProgress = async () => {},
): AsyncGenerator<SearchDoc> {
  // Changes from now on are pending again, because a document may already have been read when its title changes.
  await markAllDocumentsIndexed(db)
  const total = await countSearchableDocuments(db)
  const personTotals = new PersonTotals()
  let done = 0
  for (const table of ['title', 'person'] as const) {
    const loadDocs = table === 'title' ? loadTitleDocs : loadPersonDocsWithTotals
    for (let lastId = 0; ; ) {
      const ids = await selectIdsAfter(db, table, lastId, PAGE_SIZE)
      const pageLastId = ids.at(-1)
      if (pageLastId === undefined) break
      yield* await loadDocs(db, ids, personTotals)
      lastId = pageLastId
      done += ids.length
      await reportProgress(done, total)
      await setImmediate()
    }
  }
}
