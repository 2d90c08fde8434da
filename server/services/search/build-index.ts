/** Builds the whole search index from the catalogue. */
import { setImmediate } from 'node:timers/promises'
import type { Database, Db } from '../../db/database.ts'
import { countTitlesAndPeople, selectIdsAfter } from '../../queries/search-index.ts'
import { buildIndexEntries } from '../../search/engine.ts'
import { PersonTotals } from './person-totals.ts'
import { loadPersonDocsWithTotals, loadTitleDocs } from './search-docs.ts'
import { type EntryPage, type ReportProgress, writeIndex } from './write-index.ts'

const DOCUMENTS_PER_PAGE = 200

/**
 * Builds the index in the calling thread and returns the number of documents. Searches use the old index
 * until the new index is complete.
 */
export async function buildIndex(
  { primary, searchDatabase }: Pick<Database, 'primary' | 'searchDatabase'>,
  reportProgress?: ReportProgress,
): Promise<number> {
  return writeIndex(searchDatabase, generateEntryPages(primary), reportProgress)
}

/** Yields the entries of all titles, then those of all people. */
export async function* generateEntryPages(db: Db): AsyncGenerator<EntryPage> {
  const totalCount = await countTitlesAndPeople(db)
  const personTotals = new PersonTotals()
  let doneCount = 0
  for (const table of ['title', 'person'] as const) {
    const loadDocs = table === 'title' ? loadTitleDocs : loadPersonDocsWithTotals
    for (let lastId = 0; ; ) {
      const documentIds = await selectIdsAfter(db, table, lastId, DOCUMENTS_PER_PAGE)
      const pageLastId = documentIds.at(-1)
      if (pageLastId === undefined) break
      const entries = buildIndexEntries(await loadDocs(db, documentIds, personTotals))
      lastId = pageLastId
      doneCount += documentIds.length
      yield { entries, doneCount, totalCount }
      await setImmediate()
    }
  }
}
