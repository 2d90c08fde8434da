/** Title lists with filters and sort orders, limited to what the caller's audience may see. */
import type * as z from 'zod/mini'
import type { movieQuerySchema, seriesQuerySchema } from '../../../src/lib/contract/catalogue.ts'
import { LIMITS } from '../../../src/lib/rules/limits.ts'
import { packGuideLimits, parseGuideFilter } from '../../../src/lib/rules/maturity.ts'
import type { BrowseFilters, BrowseOrder, BrowseRequest } from '../../browse/types.ts'
import { Problem } from '../../core/problem.ts'
import { selectTitlesInOrder } from '../../queries/browse.ts'
import { selectSeenTitleIds } from '../../queries/seen-title.ts'
import type { TitleType } from '../../queries/title.ts'
import type { Audience } from '../../queries/title-scope.ts'
import { canAdminister } from '../auth/authorize.ts'
import { getTitleLanguage, getViewerDate, type Viewer } from '../auth/caller.ts'
import type { Deps } from '../deps.ts'
import { hasMediaSource } from '../library/availability.ts'
import { toPage } from '../page.ts'
import { searchTitleIds } from '../search/search.ts'
import { loadCards } from './cards.ts'
import { loadDislikedTitleIds, loadFeaturedIds, narrowAudience } from './featured-titles.ts'
import { findTitleIdsByName } from './title-name-search.ts'

/** Maximum number of matches of the search index that a list with `search` contains. */
const MAX_SEARCH_MATCHES = 500

type CatalogueQuery = z.infer<typeof movieQuerySchema> | z.infer<typeof seriesQuerySchema>

export async function listTitles(deps: Deps, caller: Viewer, type: TitleType, query: CatalogueQuery) {
  const shouldIncludeHidden = query.admin === true || query.published !== undefined
  if (shouldIncludeHidden && !canAdminister(caller)) throw new Problem('forbidden')
  const audience = shouldIncludeHidden ? null : narrowAudience(caller, query.kids)
  const { reader } = deps.database
  const { ids, total } = await deps.browseIndex.loadPage(type, {
    audience,
    filters: toBrowseFilters(deps, caller, query, shouldIncludeHidden),
    ...(await loadIdFilters(deps, caller, type, { query, audience })),
    order: query.sort as BrowseOrder,
    titleLanguage: getTitleLanguage(caller),
    offset: (query.page - 1) * query.limit,
    limit: query.limit,
  })
  const rows = await selectTitlesInOrder(reader, audience, ids)
  const cards = await loadCards(deps, rows, getTitleLanguage(caller))
  const titleCards = shouldIncludeHidden
    ? cards.map((card, index) => ({ ...card, published: rows[index]?.published === 1 }))
    : cards
  const page = toPage(query, total, titleCards)
  return query.paginate ? page : { ...page, total_results: null, total_pages: null }
}

/**
 * Returns the sets of title ids for the filters that the browse index has no columns for: seen titles, disliked titles,
 * featured titles and search matches.
 */
async function loadIdFilters(
  deps: Deps,
  caller: Viewer,
  type: TitleType,
  { query, audience }: { query: CatalogueQuery; audience: Audience | null },
): Promise<Pick<BrowseRequest, 'includedIds' | 'excludedIds'>> {
  const profileId = query['hide-seen'] ? caller.acting?.profile_id : undefined
  const [seenIds, dislikedIds, featuredIds, foundIds] = await Promise.all([
    profileId
      ? selectSeenTitleIds(deps.database.primary, profileId, getViewerDate(caller, deps.now()))
      : undefined,
    query['hide-disliked'] ? loadDislikedTitleIds(deps, caller) : undefined,
    query.featured === undefined
      ? undefined
      : loadFeaturedIds(deps, narrowAudience(caller, query.kids), type, { limit: LIMITS.featured }),
    query.search ? findTitlesBySearch(deps, audience, type, query.search) : undefined,
  ])
  const excludedIds = [
    ...(seenIds ?? []),
    ...(dislikedIds ?? []),
    ...(query.featured === false ? (featuredIds ?? []) : []),
  ]
  const includedIdSets = [foundIds, query.featured ? featuredIds : undefined].flatMap((titleIds) =>
    titleIds ? [new Set(titleIds)] : [],
  )
  return {
    ...(excludedIds.length > 0 && { excludedIds: new Set(excludedIds) }),
    ...(includedIdSets.length > 0 && {
      includedIds: includedIdSets.reduce((commonIds, titleIds) => commonIds.intersection(titleIds)),
    }),
  }
}

/**
 * Returns the ids of titles that match a search. Viewers get the best matches of the search index; administrators get
 * all titles with a name that contains the text.
 */
async function findTitlesBySearch(
  deps: Deps,
  audience: Audience | null,
  type: TitleType,
  searchText: string,
): Promise<ReadonlySet<number>> {
  if (!audience) return findTitleIdsByName(deps, type, searchText)
  return new Set(await searchTitleIds(deps, audience, { q: searchText, type, limit: MAX_SEARCH_MATCHES }))
}

function toBrowseFilters(
  deps: Deps,
  caller: Viewer,
  query: CatalogueQuery,
  isForDashboard: boolean,
): BrowseFilters {
  const filters = {
    include: query['include-genres'],
    exclude: query['exclude-genres'],
    mode: query['genres-mode'],
    years: query['release-year'],
    startYear: query['start-release-year'],
    startDate: 'start-release-date' in query ? query['start-release-date'] : undefined,
    endDate: query.released ? getViewerDate(caller, deps.now()) : undefined,
    languages: query.language,
    rated: query.rated,
    rating: query.rating,
    votes: query['rating-votes'],
    highQuality: 'high-quality' in query ? query['high-quality'] : undefined,
    networks: 'network' in query ? query.network : undefined,
    // Other lists narrow the audience instead (`narrowAudience`), so only lists of the dashboard need this
    // filter.
    safeForKids: isForDashboard ? query.kids : undefined,
    guide: query.guide && packGuideLimits(parseGuideFilter(query.guide)),
    maxRuntimeMinutes: query['max-runtime'],
    published: query.published,
    available: hasMediaSource(deps) ? query.available : undefined,
  }
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
}
