import type { SearchHit, SearchReason } from '../../../src/lib/contract/search.ts'
import { packGuideLimits, parseGuideFilter } from '../../../src/lib/rules/maturity.ts'
import type { BrowseFilters } from '../../browse/types.ts'
import { getPersonDocId, splitDocIds } from '../../queries/search-index.ts'
import { selectTitlesByIds } from '../../queries/title.ts'
import type { Audience } from '../../queries/title-scope.ts'
import { removeFacetFromText, searchIndex } from '../../search/engine.ts'
import type { SearchHit as IndexHit, SearchRequest } from '../../search/types.ts'
import { getTitleLanguage, type Viewer } from '../auth/caller.ts'
import { loadCardsById } from '../catalogue/cards.ts'
import type { Deps } from '../deps.ts'
import { hasMediaSource } from '../library/availability.ts'
import { listVisiblePeople, loadPeople, loadPersonFilter } from './people.ts'
import { addTitlesOfPerson } from './person-titles.ts'
import { loadSearchReasons } from './search-reasons.ts'

interface CatalogueSearchQuery {
  q: string
  limit: number
  type: 'all' | 'movie' | 'tv' | 'actor'
  kids?: boolean | undefined
  available?: boolean | undefined
  guide?: string[] | undefined
}

/**
 * Searches movies, series and people. Better matches come first. Of equal matches, the more popular ones come
 * first. Counts are limited to 500 per kind.
 * Although the index filters by audience, titles are read from the database with the audience again. A title
 * that was hidden a moment ago is therefore never shown.
 */
export async function searchCatalogue(
  deps: Deps,
  caller: Viewer,
  { q: searchText, limit, type, kids, available, guide }: CatalogueSearchQuery,
) {
  const audience = kids ? caller.audience.narrowToKids() : caller.audience
  await deps.searchIndex.catchUp()
  const isBuilding = await deps.searchIndex.isBuilding()
  const filters: BrowseFilters = {
    ...(available && hasMediaSource(deps) && { available: true }),
    ...(guide && { guide: packGuideLimits(parseGuideFilter(guide)) }),
  }
  const scope = await createSearchScope(deps, audience, filters)
  const searchResult = await searchIndex(deps.database.searchDatabase, {
    q: searchText,
    limit,
    type,
    scope,
  })
  // A search with filters finds no people, and therefore adds no titles of a person.
  const { result: extendedResult, reasonsByTitleId } =
    Object.keys(filters).length > 0
      ? { result: searchResult, reasonsByTitleId: new Map<number, SearchReason>() }
      : await addTitlesOfPerson(deps, searchResult, { searchText, type, audience })
  const hits = extendedResult.hits.slice(0, limit)
  for (const [titleId, reason] of await loadSearchReasons(
    deps,
    searchResult,
    audience.hasLimits ? searchText : null,
  ))
    if (!reasonsByTitleId.has(titleId)) reasonsByTitleId.set(titleId, reason)
  return {
    query: searchText,
    counts: extendedResult.counts,
    facets: extendedResult.facets.map(({ kind, value, text }) => ({
      kind,
      value,
      query_without: removeFacetFromText(searchText, text),
    })),
    results: await toSearchHits(deps, caller, { audience, hits, reasonsByTitleId }),
    ...(isBuilding && { index_building: true }),
  }
}

/**
 * Returns the scope of a search. If the audience has no limits except the kids rule, the index itself applies the
 * scope. For other audiences and for searches with filters, predicates decide which titles and people are visible. A
 * search with filters finds no people.
 */
async function createSearchScope(
  deps: Deps,
  audience: Audience,
  filters: BrowseFilters = {},
): Promise<SearchRequest['scope']> {
  const hasFilters = Object.keys(filters).length > 0
  if (audience.isKidsRuleOnly && !hasFilters) return { kids: audience.isRestricted }
  const isTitleFound = await deps.browseIndex.loadFilter(undefined, { audience, filters })
  const isPersonFound = hasFilters ? rejectAllPeople : await loadPersonFilter(deps, isTitleFound)
  return {
    kids: audience.isSafeForKids,
    visibility: {
      isTitleVisible: getDocPredicate(isTitleFound, getTitleId),
      ...(isPersonFound && { isPersonVisible: getDocPredicate(isPersonFound, getPersonId) }),
      async selectVisiblePeople(docIds) {
        const { personIds } = splitDocIds(docIds)
        const people = hasFilters ? [] : await listVisiblePeople(deps, audience, personIds)
        return new Set(people.map(getPersonDocId))
      },
    },
  }
}

const rejectAllPeople = () => false
const getTitleId = (docId: number) => docId / 2
const getPersonId = (docId: number) => (docId - 1) / 2

type IdPredicate<Result> = (id: number) => Result
const docPredicatesByIdPredicate = new WeakMap<IdPredicate<unknown>, IdPredicate<unknown>>()

/**
 * Converts a predicate for title or person ids to a predicate for document ids. Always returns the same
 * function for the same predicate, because the index caches results by function.
 */
function getDocPredicate<Result>(
  isFound: IdPredicate<Result>,
  getId: (docId: number) => number,
): IdPredicate<Result> {
  const cachedPredicate = docPredicatesByIdPredicate.get(isFound) as IdPredicate<Result> | undefined
  if (cachedPredicate) return cachedPredicate
  const isDocFound = (docId: number) => isFound(getId(docId))
  docPredicatesByIdPredicate.set(isFound, isDocFound)
  return isDocFound
}

/**
 * Returns the ids of titles that match a search term, best match first. Used by lists of titles with the parameter
 * `search`.
 */
export async function searchTitleIds(
  deps: Deps,
  audience: Audience,
  { q: searchText, type, limit }: { q: string; type: 'movie' | 'tv'; limit: number },
): Promise<number[]> {
  await deps.searchIndex.catchUp()
  const { hits } = await searchIndex(deps.database.searchDatabase, {
    q: searchText,
    limit,
    type,
    scope: await createSearchScope(deps, audience),
  })
  return hits.map((hit) => Number(hit.media_id))
}

interface FoundHits {
  audience: Audience
  hits: IndexHit[]
  reasonsByTitleId: Map<number, SearchReason>
}

async function toSearchHits(
  deps: Deps,
  caller: Viewer,
  { audience, hits, reasonsByTitleId }: FoundHits,
): Promise<SearchHit[]> {
  const lang = getTitleLanguage(caller)
  const listMediaIds = (isActor: boolean) =>
    hits.filter((hit) => (hit.kind === 'actor') === isActor).map((hit) => Number(hit.media_id))
  const cardsById = await loadCardsById(
    deps,
    await selectTitlesByIds(deps.database.reader, audience, listMediaIds(false)),
    lang,
  )
  const peopleById = await loadPeople(deps, audience, { ids: listMediaIds(true), lang })
  return hits.flatMap((hit): SearchHit[] => {
    const hitId = Number(hit.media_id)
    if (hit.kind === 'actor') {
      const actor = peopleById.get(hitId)
      return actor ? [{ kind: 'actor', actor }] : []
    }
    const card = cardsById.get(hitId)
    const reason = reasonsByTitleId.get(hitId)
    return card ? [{ kind: hit.kind, media: card, ...(reason && { reason }) }] : []
  })
}
