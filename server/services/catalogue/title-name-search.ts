/** Searches titles by name for administrators, who also find titles that the search index does not contain. */
import { setImmediate } from 'node:timers/promises'
import { selectMaxTitleId, selectTitleIdsByName } from '../../queries/browse.ts'
import type { TitleType } from '../../queries/title.ts'
import type { Deps } from '../deps.ts'

/**
 * Size of the id range that one statement scans. No index finds a text inside a name, so every name is scanned. With
 * this size, a statement takes a few milliseconds.
 */
const IDS_PER_STATEMENT = 5_000

/** Returns the ids of all titles of `type` with a name that contains `text`. */
export async function findTitleIdsByName(
  { database: { reader } }: Pick<Deps, 'database'>,
  type: TitleType,
  text: string,
): Promise<Set<number>> {
  const foundIds = new Set<number>()
  const maxTitleId = await selectMaxTitleId(reader)
  for (let afterTitleId = 0; afterTitleId < maxTitleId; afterTitleId += IDS_PER_STATEMENT) {
    const idRange = { afterTitleId, untilTitleId: afterTitleId + IDS_PER_STATEMENT }
    for (const titleId of await selectTitleIdsByName(reader, type, text, idRange)) foundIds.add(titleId)
    await setImmediate()
  }
  return foundIds
}
