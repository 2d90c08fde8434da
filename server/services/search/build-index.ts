/** Builds the whole search index from the catalogue. */
import { setImmediate } from 'node:timers/promises'
import type { Database, Db } from '../../db/database.ts'
import { countTitlesAndPeople, selectIdsAfter } from '../../queries/search-index.ts'
import { buildIndexEntries, rebuildSearchIndexFromEntries } from '../../search/engine.ts'
import type { IndexEntry } from '../../search/types.ts'
import { PersonTotals } from './person-totals.ts'
import { loadPersonDocsWithTotals, loadTitleDocs } from './search-docs.ts'

const DOCUMENTS_PER_PAGE = 200

export type ReportProgress = (doneCount: number, totalCount: number) => Promise<void>

/**
 * A page of index entries. `doneCount` counts the titles and people that were read so far; `totalCount` counts all of
 * them.
 */
export interface EntryPage {
  entries: IndexEntry[]
  doneCount: number
  totalCount: number
}

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

/** Replaces the index by the entries of `entryPages` and returns the number of documents. */
export async function writeIndex(
  searchDatabase: Database['searchDatabase'],
  entryPages: AsyncIterable<EntryPage>,
  reportProgress: ReportProgress = async () => {},
): Promise<number> {
  async function* reportPages() {
    for await (const { entries, doneCount, totalCount } of entryPages) {
      yield entries
      await reportProgress(doneCount, totalCount)
    }
  }
  return rebuildSearchIndexFromEntries(searchDatabase, reportPages())
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
