/** Decides whether the search index of this machine needs a rebuild. */
import type { Database } from '../../db/database.ts'
import {
  countChangesAfter,
  countTitlesAndPeople,
  selectCatalogueLogState,
} from '../../queries/search-index.ts'
import { countReplacedSearchDocs, readSearchIndexState } from '../../search/engine.ts'
import { canContinueFrom, readPosition } from './index-position.ts'

/**
 * The index is rebuilt when the number of pending changes is at least this number and at least a quarter of the number
 * of documents. A rebuild is then faster than writing the changes. The same limits apply to the number of documents
 * that were replaced since the last rebuild, because replaced documents make searches slower.
 */
const MIN_REBUILD_CHANGES = 1_000

export function createRebuildConditions(database: Database) {
  const { primary, searchDatabase } = database
  const isPositionOutdated = async () => {
    const position = readPosition(database)
    return !position || !(await canContinueFrom(primary, position, await selectCatalogueLogState(primary)))
  }
  const isIndexIncomplete = async () =>
    (await readSearchIndexState(searchDatabase)).building || isPositionOutdated()
  const hasManyChanges = async () => {
    const position = readPosition(database)
    if (!position) return true
    if ((await countChangesAfter(primary, position, MIN_REBUILD_CHANGES)) < MIN_REBUILD_CHANGES) return false
    const documentCount = await countTitlesAndPeople(primary)
    return (await countChangesAfter(primary, position, documentCount)) >= documentCount / 4
  }
  const hasManyReplacedDocs = async () => {
    const { replacedCount, builtCount } = await countReplacedSearchDocs(searchDatabase)
    return replacedCount >= MIN_REBUILD_CHANGES && replacedCount >= builtCount / 4
  }
  const isRebuildDue = async () =>
    (await isIndexIncomplete()) || (await hasManyReplacedDocs()) || hasManyChanges()
  return { isIndexIncomplete, hasManyChanges, hasManyReplacedDocs, isRebuildDue }
}
