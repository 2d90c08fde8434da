import type { SearchHit } from '../../../src/lib/contract/search.ts'
import { selectPeopleByIds, selectPersonNames } from '../../queries/person.ts'
import { selectTitlesByIds } from '../../queries/title.ts'
import type { Audience } from '../../queries/title-scope.ts'
import { searchIndex } from '../../search/engine.ts'
import type { SearchHit as IndexHit } from '../../search/types.ts'
import { getTitleLanguage, type Viewer } from '../auth/caller.ts'
import { buildPortraitPath } from '../catalogue/artwork.ts'
import { loadCardsById } from '../catalogue/cards.ts'
import type { Deps } from '../deps.ts'
import { recordKidsSearch } from '../family/activity.ts'
import { hasMediaSource } from '../library/availability.ts'

interface CatalogueSearchQuery {
  q: string
  limit: number
  type: 'all' | 'movie' | 'tv' | 'actor'
  kids?: boolean | undefined
  available?: boolean | undefined
}

/** Maximum number of matches of which the available ones are selected. */
const MAX_FILTERED_MATCHES = 500

/**
 * Searches movies, series and actors; the best match comes first, then the more popular one. Counts are limited to 500 per
 * kind. Although the index filters by audience, the titles are read from the database with the audience again, so that a
 * title hidden a moment ago is never shown.
 */
export async function searchCatalogue(
  deps: Deps,
  caller: Viewer,
  { q, limit, type, kids, available }: CatalogueSearchQuery,
) {
  await recordKidsSearch(deps, caller, q)
  const audience = { kids: caller.audience.kids || kids === true }
  await deps.searchIndex.catchUp()
  if (available && hasMediaSource(deps)) {
    const { counts, hits } = await searchAvailableTitles(deps, audience, { q, type })
    return { query: q, counts, results: await toSearchHits(deps, caller, audience, hits.slice(0, limit)) }
  }
  const { counts, hits } = await searchIndex(deps.database.searchDatabase, {
    q,
    limit,
    type,
    scope: audience,
  })
  return { query: q, counts, results: await toSearchHits(deps, caller, audience, hits) }
}

/** Returns the best matches that can be played here. The index does not know it, so that they are selected afterwards. */
async function searchAvailableTitles(
  deps: Deps,
  audience: Audience,
  { q, type }: Pick<CatalogueSearchQuery, 'q' | 'type'>,
) {
  const found = await searchIndex(deps.database.searchDatabase, {
    q,
    limit: MAX_FILTERED_MATCHES,
    type: 'all',
    scope: audience,
  })
  const isAvailable = await deps.browseIndex.loadFilter(undefined, { audience, filters: { available: true } })
  const titles = found.hits.filter((hit) => hit.kind !== 'actor' && isAvailable(Number(hit.media_id)))
  const movie = titles.filter((hit) => hit.kind === 'movie').length
  return {
    counts: { all: titles.length, movie, tv: titles.length - movie, actor: 0 },
    hits: titles.filter((hit) => type === 'all' || hit.kind === type),
  }
}

/** Returns the ids of titles whose names match, best match first; for title lists with a search term. */
export async function searchTitleIds(
  deps: Deps,
  audience: Audience,
  { q, type, limit }: { q: string; type: 'movie' | 'tv'; limit: number },
): Promise<number[]> {
  await deps.searchIndex.catchUp()
  const { hits } = await searchIndex(deps.database.searchDatabase, { q, limit, type, scope: audience })
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
