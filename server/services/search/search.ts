import type { SearchHit, SearchReason } from '../../../src/lib/contract/search.ts'
import { rankJobGroups } from '../../../src/lib/rules/job-groups.ts'
import { selectJobsOfPeople, selectPeopleByIds, selectPersonNames } from '../../queries/person.ts'
import { selectTitlesByIds } from '../../queries/title.ts'
import type { Audience } from '../../queries/title-scope.ts'
import { removeFacetFromText, searchIndex } from '../../search/engine.ts'
import type { SearchHit as IndexHit } from '../../search/types.ts'
import { getTitleLanguage, type Viewer } from '../auth/caller.ts'
import { buildPortraitPath } from '../catalogue/artwork.ts'
import { loadCardsById } from '../catalogue/cards.ts'
import type { Deps } from '../deps.ts'
import { hasMediaSource } from '../library/availability.ts'
import { addTitlesOfPerson } from './person-titles.ts'
import { loadSearchReasons } from './search-reasons.ts'

interface CatalogueSearchQuery {
  q: string
  limit: number
  type: 'all' | 'movie' | 'tv' | 'actor'
  kids?: boolean | undefined
  available?: boolean | undefined
}

/** Maximum number of matches of which the available ones are selected. */
const MAX_FILTERED_MATCHES = 500
/** Number of jobs that are named beside a person. */
const MAX_JOBS = 2

/**
 * Searches movies, series and people; the best match comes first, then the more popular one. Counts are limited to 500 per
 * kind. Although the index filters by audience, the titles are read from the database with the audience again, so that a
 * title hidden a moment ago is never shown.
 */
export async function searchCatalogue(
  deps: Deps,
  caller: Viewer,
  { q, limit, type, kids, available }: CatalogueSearchQuery,
) {
  const audience = { kids: caller.audience.kids || kids === true }
  await deps.searchIndex.catchUp()
  const isFiltered = available === true && hasMediaSource(deps)
  const found = isFiltered
    ? await searchAvailableTitles(deps, audience, { q, type })
    : await searchIndex(deps.database.searchDatabase, { q, limit, type, scope: audience })
  const { result, reasons } = isFiltered
    ? { result: found, reasons: new Map<number, SearchReason>() }
    : await addTitlesOfPerson(deps, found, { q, type, audience })
  const hits = result.hits.slice(0, limit)
  for (const [id, reason] of await loadSearchReasons(deps, { ...found, hits: found.hits.slice(0, limit) }))
    if (!reasons.has(id)) reasons.set(id, reason)
  return {
    query: q,
    counts: result.counts,
    facets: result.facets.map(({ kind, value, text }) => ({
      kind,
      value,
      query_without: removeFacetFromText(q, text),
    })),
    results: await toSearchHits(deps, caller, { audience, hits, reasons }),
  }
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
    ...found,
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

interface FoundHits {
  audience: Audience
  hits: IndexHit[]
  reasons: Map<number, SearchReason>
}

async function toSearchHits(
  deps: Deps,
  caller: Viewer,
  { audience, hits, reasons }: FoundHits,
): Promise<SearchHit[]> {
  const lang = getTitleLanguage(caller)
  const listMediaIds = (isActor: boolean) =>
    hits.filter((hit) => (hit.kind === 'actor') === isActor).map((hit) => Number(hit.media_id))
  const cards = await loadCardsById(
    deps,
    await selectTitlesByIds(deps.database.reader, audience, listMediaIds(false)),
    lang,
  )
  const people = await loadPeople(deps, audience, { ids: listMediaIds(true), lang })
  return hits.flatMap((hit): SearchHit[] => {
    const id = Number(hit.media_id)
    if (hit.kind === 'actor') {
      const actor = people.get(id)
      return actor ? [{ kind: 'actor', actor }] : []
    }
    const media = cards.get(id)
    const reason = reasons.get(id)
    return media ? [{ kind: hit.kind, media, ...(reason && { reason }) }] : []
  })
}

/** Returns the people that the audience may see, by id, with their main jobs. */
async function loadPeople(
  deps: Deps,
  audience: Audience,
  { ids, lang }: { ids: number[]; lang: string },
): Promise<Map<number, Extract<SearchHit, { kind: 'actor' }>['actor']>> {
  const { reader } = deps.database
  const rows = await selectPeopleByIds(reader, audience, ids)
  const visibleIds = rows.map((row) => row.person_id)
  const names = await selectPersonNames(reader, visibleIds, lang)
  const jobs = Map.groupBy(await selectJobsOfPeople(reader, audience, visibleIds), (row) => row.person_id)
  return new Map(
    rows.map((row) => [
      row.person_id,
      {
        id: String(row.person_id),
        slug: row.slug,
        name: names.get(row.person_id) ?? row.name,
        profile_path: buildPortraitPath(deps, row, lang),
        jobs: rankJobGroups(jobs.get(row.person_id) ?? []).slice(0, MAX_JOBS),
      },
    ]),
  )
}
