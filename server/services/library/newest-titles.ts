/** Lists the titles whose files or media server items were added last. */
import { selectTitlesInOrder } from '../../queries/browse.ts'
import { selectNewestTitleIds } from '../../queries/title-in-library.ts'
import { getTitleLanguage, type Viewer } from '../auth/caller.ts'
import { loadCards } from '../catalogue/cards.ts'
import { loadDislikedTitleIds } from '../catalogue/featured-titles.ts'
import type { Deps } from '../deps.ts'
import { hasMediaFolderOrServer } from './availability.ts'

const MAX_NEWEST_TITLES = 20
/**
 * Number of files, and of items of media servers, from which the titles are taken. It exceeds MAX_NEWEST_TITLES,
 * because many files can belong to one series.
 */
const MAX_NEWEST_SOURCES = 500

/**
 * Returns the titles as cards, the newest first. Omits the titles that the caller may not see, and those that the
 * acting profile or a profile of its group dislikes. Returns an empty list if neither a media folder nor a
 * media server is configured, because the stored files may then be outdated.
 */
export async function listNewestTitles(deps: Deps, caller: Viewer) {
  if (!hasMediaFolderOrServer(deps)) return { results: [] }
  const { reader } = deps.database
  const dislikedIds = await loadDislikedTitleIds(deps, caller)
  const newestIds = await selectNewestTitleIds(reader, MAX_NEWEST_SOURCES)
  const titleIds = newestIds.filter((titleId) => !dislikedIds.has(titleId))
  const rows = await selectTitlesInOrder(reader, caller.audience, titleIds)
  return { results: await loadCards(deps, rows.slice(0, MAX_NEWEST_TITLES), getTitleLanguage(caller)) }
}
