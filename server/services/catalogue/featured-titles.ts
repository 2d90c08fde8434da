/** Popular titles for the audience of the caller. */
import { selectTitlesInOrder } from '../../queries/browse.ts'
import { selectDislikedTitleIds } from '../../queries/feedback.ts'
import type { TitleType } from '../../queries/title.ts'
import type { Audience } from '../../queries/title-scope.ts'
import { getTitleLanguage, type Viewer } from '../auth/caller.ts'
import type { Deps } from '../deps.ts'
import { hasMediaFolderOrServer } from '../library/availability.ts'
import { loadCards } from './cards.ts'

/**
 * Returns the audience of the caller. With `isForKids`, the audience is narrowed to titles that are safe for
 * kids.
 */
export const narrowAudience = ({ audience }: Viewer, isForKids: boolean | undefined): Audience =>
  isForKids ? audience.narrowToKids() : audience

interface FeaturedSelection {
  limit: number
  excludedIds?: ReadonlySet<number>
  'include-genres'?: number[] | undefined
}

const dislikedIdsByViewer = new WeakMap<Viewer, Promise<ReadonlySet<number>>>()

/**
 * Returns the ids of the titles that the acting profile, or a profile of its group, dislikes. If there are none, the
 * response can be cached for all callers. The ids are read once per request, so that the decision about the cache and
 * the response use the same ids.
 */
export function loadDislikedTitleIds(deps: Deps, viewer: Viewer): Promise<ReadonlySet<number>> {
  const profiles = viewer.acting ? [viewer.acting, ...viewer.group] : []
  const dislikedIds =
    dislikedIdsByViewer.get(viewer) ??
    selectDislikedTitleIds(
      deps.database.primary,
      profiles.map(({ profile_id }) => profile_id),
    )
  dislikedIdsByViewer.set(viewer, dislikedIds)
  return dislikedIds
}

/** Returns popular titles. Omits the titles that a viewer dislikes. */
export async function listFeaturedTitles(
  deps: Deps,
  caller: Viewer,
  type: TitleType,
  { kids, ...selection }: Omit<FeaturedSelection, 'excludedIds'> & { kids?: boolean | undefined },
) {
  const audience = narrowAudience(caller, kids)
  const excludedIds = await loadDislikedTitleIds(deps, caller)
  const titleIds = await loadFeaturedIds(deps, audience, type, { ...selection, excludedIds })
  const rows = await selectTitlesInOrder(deps.database.reader, audience, titleIds)
  return { results: await loadCards(deps, rows, getTitleLanguage(caller)) }
}

/**
 * Returns the ids of the most popular titles of an audience. On an installation with a media folder or a media server,
 * titles that can be played come first.
 */
export async function loadFeaturedIds(
  deps: Deps,
  audience: Audience,
  type: TitleType,
  { limit, 'include-genres': includedGenres, excludedIds = new Set() }: FeaturedSelection,
): Promise<number[]> {
  const loadTitleIds = async (shouldBeAvailable?: true) => {
    const filters = {
      ...(includedGenres && { include: includedGenres }),
      ...(shouldBeAvailable && { available: shouldBeAvailable }),
    }
    const pageRequest = {
      audience,
      filters,
      excludedIds,
      order: 'popularity.desc' as const,
      offset: 0,
      limit,
    }
    return (await deps.browseIndex.loadPage(type, pageRequest)).ids
  }
  const availableIds = hasMediaFolderOrServer(deps) ? await loadTitleIds(true) : []
  const otherIds = availableIds.length < limit ? await loadTitleIds() : []
  return [...new Set([...availableIds, ...otherIds])].slice(0, limit)
}
