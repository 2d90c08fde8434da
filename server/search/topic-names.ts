/** Compares names of titles with a query whose facets have been removed. */
import type { SearchRun } from './evaluate.ts'
import { createAndExpression, createLiteralOrCastExpression, parseQuery } from './query.ts'
import { prefixCostLimit, scoreCandidate } from './score.ts'
import { getSlotKind } from './slot.ts'
import type { QueryFacet, SearchRange } from './types.ts'

/**
 * Additional cost of a name that is compared with only a part of the query. This part consists of the words that belong
 * to no facet. If the query consists of a person and other facets, this part consists of the words of the other
 * facets.
 */
const facetNameCost = 0.06
/** Number of titles of each kind whose names are compared with a part of the query. */
const maxComparedNames = 40

export function getRequestedKind(facets: readonly QueryFacet[]): SearchRange['kind'] {
  const requestedTypes = new Set(facets.filter((facet) => facet.kind === 'type').map((facet) => facet.value))
  const [requestedType] = requestedTypes
  return requestedTypes.size === 1 && (requestedType === 'movie' || requestedType === 'tv')
    ? requestedType
    : 'all'
}

/**
 * For a query of a person and other facets, compares the names of the person's titles with the words of the
 * other facets. The query "robert de niro family" therefore finds "The Family" first.
 */
export async function evaluateNamesBesidePerson(
  run: SearchRun,
  facets: readonly QueryFacet[],
): Promise<void> {
  const nonPersonFacets = facets.filter((facet) => facet.kind !== 'person')
  if (nonPersonFacets.length === 0 || nonPersonFacets.length === facets.length) return
  const slots = await run.store.findSlots(
    createAndExpression(run.query.words.map((_, index) => createLiteralOrCastExpression(run.query, index))),
    { kind: getRequestedKind(facets), isKidsOnly: run.isKidsOnly },
    maxComparedNames,
  )
  await evaluateNamesWithoutFacets(run, nonPersonFacets.map((facet) => facet.text).join(' '), slots)
}

/**
 * Compares names with `nameText`, the part of the query that can be a name, so that "the office uk" finds "The Office"
 * first.
 */
export async function evaluateNamesWithoutFacets(
  run: SearchRun,
  nameText: string,
  slots: number[],
): Promise<void> {
  const nameQuery = parseQuery(nameText)
  const comparedSlots = (['movie', 'tv'] as const).flatMap((kind) =>
    slots.filter((slot) => getSlotKind(slot) === kind).slice(0, maxComparedNames),
  )
  for (const candidate of await run.store.loadCandidates(comparedSlots)) {
    const topPopularity = run.state.top[getSlotKind(candidate.slot)]
    const scoredCandidate = scoreCandidate(nameQuery, candidate, topPopularity, prefixCostLimit)
    const previousMatch = run.matches.get(candidate.slot)
    if (!scoredCandidate || (previousMatch && previousMatch.score > scoredCandidate.score - facetNameCost))
      continue
    run.matches.set(candidate.slot, {
      ...scoredCandidate,
      cost: scoredCandidate.cost + facetNameCost,
      score: scoredCandidate.score - facetNameCost,
    })
  }
}
