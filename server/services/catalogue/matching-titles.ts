/**
 * Lists the titles that match the filters of the dashboard, so that an administrator can change all of them.
 */
import type { TitleType } from '../../queries/title.ts'
import type { Deps } from '../deps.ts'
import { findTitleIdsByName } from './title-name-search.ts'

/** Maximum number of ids for a change of all matching titles. */
const MAX_MATCHING_IDS = 10_000

interface MatchingTitlesQuery {
  type: TitleType
  search?: string | undefined
  published?: boolean | undefined
  kids?: boolean | undefined
}

/**
 * Returns the ids of the first MAX_MATCHING_IDS titles in a dashboard list with these filters, and the number of all
 * titles in this list.
 */
export async function listMatchingTitleIds(
  deps: Deps,
  { type, search, published, kids }: MatchingTitlesQuery,
): Promise<{ ids: string[]; total: number }> {
  const { ids, total } = await deps.browseIndex.loadPage(type, {
    audience: null,
    filters: {
      ...(published !== undefined && { published }),
      ...(kids !== undefined && { safeForKids: kids }),
    },
    ...(search && { includedIds: await findTitleIdsByName(deps, type, search) }),
    order: 'title.asc',
    offset: 0,
    limit: MAX_MATCHING_IDS,
  })
  return { ids: ids.map(String), total }
}
