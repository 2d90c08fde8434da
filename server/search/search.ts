/**
 * Runs one search. The first steps look up the words exactly as typed. Tolerant steps follow only if the first steps
 * find little. Every step asks the index for a limited number of documents, and the ranking evaluates each document by
 * its names. The index returns the most popular documents first, except for a prefix of a key (`findKeyPrefix`).
 * Matches by facets or topics get no bonus for a matching name, so they usually rank below matches by name.
 */
import { getLowestCost, type SearchRun } from './evaluate.ts'
import { parseEpisodeQuery } from './interpret.ts'
import { parseQuery } from './query.ts'
import { createScopedStore } from './scoped-store.ts'
import {
  getAcceptedCostLimit,
  getRelativePopularity,
  getStoredName,
  prefixCostLimit,
  type ScoredCandidate,
  scoreTopicMatch,
  wholeNameCostLimit,
} from './score.ts'
import { getDocId, getSlotKind } from './slot.ts'
import { runLiteralSteps, runTolerantSteps } from './steps.ts'
import { findTopicMatches, type TopicMatches } from './topic-steps.ts'
import {
  type EpisodeRef,
  type IndexStore,
  MAX_LEADING_HITS,
  maxCountPerKind,
  type SearchHit,
  type SearchRequest,
  type SearchResult,
  searchKinds,
} from './types.ts'

/**
 * Number of documents of each kind that are ranked, among the documents that contain the words as typed. Further
 * documents follow in order of popularity.
 */
const rankedSlotsPerKind = 72
/**
 * Number of results that fill a page. When this many names contain the words as typed, tolerant steps are not needed.
 */
const fullPageSize = 12
/** Cost of a title that was found by its facets alone. */
const facetCost = 0.05
/** Cost of a title that was found by a keyword. */
const keywordCost = 0.1
/** Cost of a title that was found by words of its topics. */
const topicCost = 0.55
/**
 * If the query matches the whole name of a document with at least this relative popularity, the tolerant steps do not
 * run. If the document is less popular, the tolerant steps still run, because the user may mean another name.
 */
const minConclusivePopularity = 0.35
/**
 * If the best match is a misspelt name that costs at most `closeNameCost` plus this value for each letter of the
 * query (in total at most `maxCloseNameCost`), the user probably means this name. Titles that contain the words only in
 * their topics are then ranked below this name.
 */
const closeNameCostPerLetter = 0.12
const closeNameCost = 0.3
const maxCloseNameCost = 2
/** Score bonus of series when the query names a season or episode. */
const episodeBonus = 0.6

/**
 * Returns titles and people for `request.q`. The counts cover every kind, even when `type` selects one kind,
 * and stop at `maxCountPerKind` per kind. `exact` is false when a count stopped there, or when a search for an
 * audience with limits did not read all matches. For a text without letters, digits or symbols, returns no hits
 * and throws no error.
 */
export async function runSearch(store: IndexStore, request: SearchRequest): Promise<SearchResult> {
  const { kids, visibility } = request.scope
  let hasUnreadMatches = false
  const reportUnreadMatches = () => {
    hasUnreadMatches = true
  }
  const state = await store.readState()
  const run: SearchRun = {
    indexStore: store,
    store: visibility ? createScopedStore(store, { visibility, state, reportUnreadMatches }) : store,
    state,
    query: parseQuery(request.q),
    isKidsOnly: kids,
    matches: new Map(),
    evaluatedSlots: new Set(),
  }
  const searchResult = await runSearchSteps(run, request)
  return { ...searchResult, exact: searchResult.exact && !hasUnreadMatches }
}

async function runSearchSteps(run: SearchRun, request: SearchRequest): Promise<SearchResult> {
  const literalSlots = await runLiteralSteps(run, rankedSlotsPerKind)
  const episodeQuery =
    getLowestCost(run.matches) < wholeNameCostLimit ? null : parseEpisodeQuery(run.query.words)
  if (!episodeQuery) return completeSearch(run, literalSlots, { request, episode: null })
  const episodeRun: SearchRun = {
    ...run,
    query: parseQuery(episodeQuery.title),
    matches: new Map(),
    evaluatedSlots: new Set(),
  }
  const titleSlots = await runLiteralSteps(episodeRun, rankedSlotsPerKind)
  return completeSearch(episodeRun, titleSlots, { request, episode: episodeQuery.episode })
}

type SearchContext = { request: SearchRequest; episode: EpisodeRef | null }

async function completeSearch(
  run: SearchRun,
  literalSlots: number[],
  context: SearchContext,
): Promise<SearchResult> {
  const { query } = run
  const getCurrentBestCost = () => getLowestCost(run.matches)
  const hasFullPage = getCurrentBestCost() < prefixCostLimit && literalSlots.length >= fullPageSize
  const hasAcronymMatches = query.acronymToken !== undefined && literalSlots.length > 0
  const topicMatches = context.episode || hasAcronymMatches ? null : await findTopicMatches(run, hasFullPage)
  // Tolerant steps are not needed in four cases: an acronym matches, the whole name of a popular document matches, a
  // full page of names contains the words as typed, or the query consists of facets. For a long query, only the cheap
  // tolerant steps run when a name contains the words as typed.
  const hasGoodMatches =
    hasAcronymMatches ||
    hasFullPage ||
    getLowestConclusiveCost(run) < wholeNameCostLimit ||
    topicMatches?.isFacetQuery === true
  const isLimitedToCheapSteps = getCurrentBestCost() < prefixCostLimit && query.writtenText.length >= 8
  if (query.words.length > 0 && !hasGoodMatches)
    await runTolerantSteps(run, () => getLowestConclusiveCost(run), isLimitedToCheapSteps)
  return buildSearchResult(run, { literalSlots, topicMatches }, context)
}

/**
 * Returns the lowest cost of a match. Matches of a whole name do not count if the document is less popular than
 * `minConclusivePopularity`.
 */
function getLowestConclusiveCost(run: SearchRun): number {
  let lowestCost = Number.POSITIVE_INFINITY
  for (const { cost, candidate } of run.matches.values()) {
    const topPopularity = run.state.top[getSlotKind(candidate.slot)]
    const isMatchConclusive =
      cost >= wholeNameCostLimit ||
      getRelativePopularity(candidate.popularity, topPopularity) >= minConclusivePopularity
    if (isMatchConclusive && cost < lowestCost) lowestCost = cost
  }
  return lowestCost
}

type FoundSlots = { literalSlots: number[]; topicMatches: TopicMatches | null }

/** Returns the slots in the order of the result, with the scores of the evaluated documents. */
function rankSlots(
  run: SearchRun,
  { literalSlots, topicMatches }: FoundSlots,
  { episode }: SearchContext,
): {
  scoresBySlot: Map<number, number>
  matchesBySlot: Map<number, ScoredCandidate>
  orderedSlots: number[]
} {
  // Excludes matches of tolerant steps that are much worse than the best match.
  const maxCost = topicMatches?.isFacetQuery
    ? prefixCostLimit
    : getAcceptedCostLimit(run.query, getLowestCost(run.matches))
  const literalSlotSet = new Set(literalSlots)
  const matchesBySlot = new Map<number, ScoredCandidate>()
  const scoresBySlot = new Map<number, number>()
  for (const [slot, match] of run.matches) {
    if (match.cost > maxCost && !literalSlotSet.has(slot)) continue
    matchesBySlot.set(slot, match)
    scoresBySlot.set(slot, match.score + (episode && getSlotKind(slot) === 'tv' ? episodeBonus : 0))
  }
  const maxTopicScore = getMaxTopicScore(run, scoresBySlot)
  for (const slot of topicMatches?.slots ?? []) {
    const topPopularity = run.state.top[getSlotKind(slot)]
    const isKeywordMatch = topicMatches?.keywordSlots.has(slot) === true
    const cost = isKeywordMatch ? keywordCost : topicMatches?.isFacetQuery ? facetCost : topicCost
    const topicScore = scoreTopicMatch(slot, topPopularity, cost)
    const score =
      isKeywordMatch || topicMatches?.isFacetQuery || topicScore < maxTopicScore
        ? topicScore
        : maxTopicScore - (1 - topicScore) / 10
    scoresBySlot.set(slot, Math.max(score, scoresBySlot.get(slot) ?? score))
  }
  const rankedSlots = [...scoresBySlot].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([slot]) => slot)
  return {
    scoresBySlot,
    matchesBySlot,
    orderedSlots: [...rankedSlots, ...literalSlots.filter((slot) => !scoresBySlot.has(slot))],
  }
}

/**
 * Returns the upper limit for the scores of titles that contain the words only in their topics. If the name match with
 * the lowest cost is misspelt and close to the query, the limit is the highest score of the names with a similar cost;
 * otherwise it is Infinity.
 */
function getMaxTopicScore(run: SearchRun, scoresBySlot: ReadonlyMap<number, number>): number {
  const lowestCost = getLowestCost(run.matches)
  const maxCost = Math.min(
    maxCloseNameCost,
    closeNameCost + closeNameCostPerLetter * run.query.writtenText.length,
  )
  if (lowestCost < prefixCostLimit || lowestCost > maxCost) return Number.POSITIVE_INFINITY
  const closeNameMatches = [...run.matches].filter(([, { cost }]) => cost <= lowestCost + closeNameCost)
  return Math.max(...closeNameMatches.map(([slot]) => scoresBySlot.get(slot) ?? Number.NEGATIVE_INFINITY))
}

function countSlots(slots: readonly number[]): Pick<SearchResult, 'counts' | 'exact'> {
  const countByKind = { all: 0, movie: 0, tv: 0, actor: 0 }
  for (const slot of slots) countByKind[getSlotKind(slot)] += 1
  let isCountExact = true
  for (const kind of searchKinds) {
    if (countByKind[kind] > maxCountPerKind) isCountExact = false
    countByKind[kind] = Math.min(countByKind[kind], maxCountPerKind)
    countByKind.all += countByKind[kind]
  }
  return { counts: countByKind, exact: isCountExact }
}

async function buildSearchResult(
  run: SearchRun,
  foundSlots: FoundSlots,
  context: SearchContext,
): Promise<SearchResult> {
  const { request, episode } = context
  const { scoresBySlot, matchesBySlot, orderedSlots } = rankSlots(run, foundSlots, context)
  const offset = request.offset ?? 0
  const pageSlots = orderedSlots
    .filter((slot) => request.type === 'all' || getSlotKind(slot) === request.type)
    .slice(offset, offset + request.limit)
  const leadingSlots = orderedSlots.slice(0, MAX_LEADING_HITS)
  const otherSlots = [...new Set([...leadingSlots, ...pageSlots])].filter((slot) => !matchesBySlot.has(slot))
  const otherCandidatesBySlot = new Map(
    (await run.store.loadCandidates(otherSlots)).map((candidate) => [candidate.slot, candidate]),
  )
  const literalSlotSet = new Set(foundSlots.literalSlots)
  const toHits = (slots: readonly number[]): SearchHit[] =>
    slots.flatMap((slot) => {
      const match = matchesBySlot.get(slot)
      const candidate = match?.candidate ?? otherCandidatesBySlot.get(slot)
      if (!candidate) return []
      return [
        {
          kind: getSlotKind(slot),
          media_id: candidate.mediaId,
          score: scoresBySlot.get(slot) ?? -9,
          matchedName: getStoredName(candidate, match?.nameIndex ?? 0),
          isTopicMatch: !match && !literalSlotSet.has(slot),
        },
      ]
    })
  const [hits, leadingHits] = [toHits(pageSlots), toHits(leadingSlots)]
  const { facets = [], topicWords = [] } = foundSlots.topicMatches ?? {}
  const docIds = new Set(orderedSlots.map(getDocId))
  return { ...countSlots(orderedSlots), hits, leadingHits, docIds, facets, topicWords, episode }
}
