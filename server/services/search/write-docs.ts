/** Rewrites the documents of changed titles and people in the search index. */
import { setImmediate } from 'node:timers/promises'
import type { Database } from '../../db/database.ts'
import { getPersonDocId, getTitleDocId, selectCredits } from '../../queries/search-index.ts'
import { removeSearchDocs, upsertSearchDocs } from '../../search/engine.ts'
import { loadPersonDocs, loadTitleDocs } from './search-docs.ts'

/** Number of documents that are written before yielding to the event loop. Writing them takes about 10 ms. */
const DOCUMENTS_PER_TURN = 32

/**
 * Rewrites documents. Also rewrites the people of a changed title, because their visibility depends on their
 * titles.
 */
export async function writeDocs({ primary, searchDatabase }: Database, docIds: number[]): Promise<void> {
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
