import type { SearchHit } from '../../../src/lib/contract/search.ts'
import { packGuideLimits, parseGuideFilter } from '../../../src/lib/rules/maturity.ts'
import type { BrowseFilters } from '../../browse/types.ts'
import { selectPeopleByIds, selectPersonNames, selectVisiblePersonIds } from '../../queries/person.ts'
import { getPersonDocId, getTitleDocId, splitDocIds } from '../../queries/search-index.ts'
import { selectTitlesByIds } from '../../queries/title.ts'
import type { Audience } from '../../queries/title-scope.ts'
import { searchIndex } from '../../search/engine.ts'
import type { SearchHit as IndexHit, SearchRequest } from '../../search/types.ts'
import { getTitleLanguage, type Viewer } from '../auth/caller.ts'
import { buildPortraitPath } from '../catalogue/artwork.ts'
import { loadCardsById } from '../catalogue/cards.ts'
import type { Deps } from '../deps.ts'
import { hasMediaSource } from '../library/availability.ts'

interface CatalogueSearchQuery {
  q: string
  limit: number
  type: 'all' | 'movie' | 'tv' | 'actor'
  kids?: boolean | undefined
  available?: boolean | undefined
  guide?: string[] | undefined
}

/**
 * Searches movies, series and actors; the best match comes first, then the more popular one. Counts are limited to 500 per
 * kind. Although the index filters by audience, the titles are read from the database with the audience again, so that a
 * title hidden a moment ago is never shown.
 */
export async function searchCatalogue(
  deps: Deps,
  caller: Viewer,
  { q, limit, type, kids, available, guide }: CatalogueSearchQuery,
) {
  const audience = kids ? caller.audience.narrowToKids() : caller.audience
  await deps.searchIndex.catchUp()
  const filters: BrowseFilters = {
    ...(available && hasMediaSource(deps) && { available: true }),
    ...(guide && { guide: packGuideLimits(parseGuideFilter(guide)) }),
  }
  const { counts, hits } = await searchIndex(deps.database.searchDatabase, {
    q,
    limit,
    type,
    scope: await createSearchScope(deps, audience, filters),
  })
  return { query: q, counts, results: await toSearchHits(deps, caller, audience, hits) }
}

/**
 * Returns the scope of a search. The index knows the kids rule; titles and people of other audiences are looked up. With
 * filters, only titles are found.
 */
async function createSearchScope(
  deps: Deps,
  audience: Audience,
  filters: BrowseFilters = {},
): Promise<SearchRequest['scope']> {
  const hasFilters = Object.keys(filters).length > 0
  if (audience.isKidsRuleOnly && !hasFilters) return { kids: audience.isRestricted }
  const isTitleFound = await deps.browseIndex.loadFilter(undefined, { audience, filters })
  return {
    kids: audience.isSafeForKids,
    async selectVisible(docIds) {
      const { titleIds, personIds } = splitDocIds(docIds)
      const people = hasFilters ? [] : await selectVisiblePersonIds(deps.database.reader, audience, personIds)
      return new Set([...titleIds.filter(isTitleFound).map(getTitleDocId), ...people.map(getPersonDocId)])
    },
  }
}

/** Returns the ids of titles whose names match, best match first; for title lists with a search term. */
export async function searchTitleIds(
  deps: Deps,
  audience: Audience,
  { q, type, limit }: { q: string; type: 'movie' | 'tv'; limit: number },
): Promise<number[]> {
  await deps.searchIndex.catchUp()
  const { hits } = await searchIndex(deps.database.searchDatabase, {
    q,
    limit,
    type,
    scope: await createSearchScope(deps, audience),
  })
  return hits.map((hit) => Number(hit.media_id))
}

async function toSearchHits(
  deps: Deps,
  caller: Viewer,
  audience: Audience,
  hits: IndexHit[],
): Promise<SearchHit[]> {
  const { reader } = deps.database
  const lang = getTitleLanguage(caller)
  const listMediaIds = (isActor: boolean) =>
    hits.filter((hit) => (hit.kind === 'actor') === isActor).map((hit) => Number(hit.media_id))
  const cards = await loadCardsById(
    deps,
    await selectTitlesByIds(reader, audience, listMediaIds(false)),
    lang,
  )
  const rows = await selectPeopleByIds(reader, audience, listMediaIds(true))
  const names = await selectPersonNames(
    reader,
    rows.map((row) => row.person_id),
    lang,
  )
  const people = new Map(rows.map((row) => [row.person_id, row]))
  return hits.flatMap((hit): SearchHit[] => {
    const id = Number(hit.media_id)
    if (hit.kind !== 'actor') {
      const media = cards.get(id)
      return media ? [{ kind: hit.kind, media }] : []
    }
    const row = people.get(id)
    if (!row) return []
    const profile_path = buildPortraitPath(deps, row, lang)
    const name = names.get(row.person_id) ?? row.name
    return [{ kind: 'actor', actor: { id: hit.media_id, slug: row.slug, name, profile_path } }]
  })
}
