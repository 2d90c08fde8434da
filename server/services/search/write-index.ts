/**
 * Writes the whole search index, and saves its position. This module does not import Kysely, so that the process that
 * rebuilds the index starts fast. The entries come from another thread, or from `generateEntryPages` of this thread.
 */
import type { SearchFields } from '../../db/search-file.ts'
import { rebuildSearchIndexFromEntries, type SearchDb, saveSearchIndexPosition } from '../../search/engine.ts'
import type { IndexEntry } from '../../search/types.ts'
import type { IndexPosition } from './index-position.ts'

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

/** Replaces the index by the entries of `entryPages` and returns the number of documents. */
export async function writeIndex(
  searchDatabase: SearchDb,
  entryPages: AsyncIterable<EntryPage>,
  reportProgress: ReportProgress = async () => {},
): Promise<number> {
  async function* yieldEntriesAndReport() {
    for await (const { entries, doneCount, totalCount } of entryPages) {
      yield entries
      await reportProgress(doneCount, totalCount)
    }
  }
  return rebuildSearchIndexFromEntries(searchDatabase, yieldEntriesAndReport())
}

export function savePosition(
  { searchDatabase }: Pick<SearchFields, 'searchDatabase'>,
  position: IndexPosition,
): void {
  saveSearchIndexPosition(searchDatabase, JSON.stringify(position))
}
