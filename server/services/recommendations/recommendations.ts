/**
 * Returns top picks, rows by genre, and rows of titles similar to titles that a profile watched. Uses
 * server/recommend/.
 */
import type { Recommendation } from '../../../src/lib/contract/recommendations.ts'
import { GENRE_NAMES_BY_ID, KIDS_GENRE_IDS } from '../../../src/lib/rules/genres.ts'
import * as genreRows from '../../recommend/genre-rows.ts'
import * as picks from '../../recommend/picks.ts'
import * as neighbours from '../../recommend/similar.ts'
import { getSignalId, type ProfileSignal, type RecommendationReason } from '../../recommend/types.ts'
import type { ProfileContext } from '../context.ts'
import {
  loadRecommenderInput,
  type PicksQuery,
  pickPopularTitles,
  recommendAvailableFirst,
  sortAvailableFirst,
} from './engine-input.ts'
import { formatReason, toRecommendations } from './recommended-cards.ts'
import { collectDislikedTitleIds, loadTitleNames } from './signals.ts'

export async function recommendTopPicks(context: ProfileContext, query: PicksQuery) {
  const { deps, caller } = context
  const { signals, ownSignalIds, options, isAvailable, audience } = await loadRecommenderInput(context, query)
  const model = deps.recommender.getCurrentModel()
  const recommendedTitles = await recommendAvailableFirst(
    (isInScope, limit) =>
      model
        ? picks.recommendTitles(model, signals, { ...options, scope: isInScope, limit })
        : pickPopularTitles(deps, { audience, signals, isInScope, limit }),
    { scope: options.scope, isAvailable, limit: query.limit },
  )
  return { results: await toRecommendations(deps, caller, recommendedTitles, ownSignalIds) }
}

interface GenreRowsQuery extends Omit<PicksQuery, 'limit'> {
  'genres-limit': number
  'result-limit': number
}

/**
 * Returns the favourite genres of the profile, each with its best titles. For kids, only KIDS_GENRE_IDS are
 * used. No title appears in two rows.
 */
export async function recommendRowsByGenre(context: ProfileContext, query: GenreRowsQuery) {
  const { deps, caller } = context
  const { signals, ownSignalIds, options, isAvailable } = await loadRecommenderInput(context, query)
  const model = deps.recommender.getCurrentModel()
  if (!model) return { results: [] }
  const rows = genreRows.recommendGenreRows(model, signals, {
    ...options,
    ...(options.kids && { allowedGenres: KIDS_GENRE_IDS }),
    limit: query['result-limit'],
    maxRows: query['genres-limit'],
  })
  return {
    results: await Promise.all(
      rows.map(async ({ genre, picks }) => ({
        genre: { id: genre, name: GENRE_NAMES_BY_ID[genre] ?? String(genre) },
        results: await toRecommendations(deps, caller, sortAvailableFirst(picks, isAvailable), ownSignalIds),
      })),
    ),
  }
}

interface BecauseRowsQuery {
  rows: number
  'result-limit': number
  kids?: boolean | undefined
}
/** Kinds of signals that can start a row, with the kind of reason that is shown for the row. */
const ROW_REASONS_BY_SIGNAL_KIND: Partial<Record<ProfileSignal['kind'], RecommendationReason['kind']>> = {
  completed: 'watched',
  watched: 'watched',
  liked: 'liked',
}

/**
 * Returns at most `rows` rows of similar titles, one for each of the titles that the viewers watched or liked most
 * recently. A switched-off signal and a disliked title start no row.
 */
export async function recommendBecauseRows(context: ProfileContext, query: BecauseRowsQuery) {
  const { deps, caller } = context
  const { signals, ownSignalIds, options, isAvailable } = await loadRecommenderInput(context, query)
  const model = deps.recommender.getCurrentModel()
  if (!model) return { results: [] }
  const enabledSignals = signals.filter((signal) => !signal.isDisabled)
  const dislikedTitleIds = collectDislikedTitleIds(enabledSignals)
  const rowSignals = enabledSignals
    .filter(({ kind, titleKey }) => ROW_REASONS_BY_SIGNAL_KIND[kind] && !dislikedTitleIds.has(titleKey ?? 0))
    .sort((a, b) => b.at - a.at || (a.titleKey ?? 0) - (b.titleKey ?? 0))
    .slice(0, query.rows * 4)
  const titleIdsWithSignal = new Set(signals.flatMap((signal) => signal.titleKey ?? []))
  const titleNamesById = await loadTitleNames(
    deps,
    caller,
    rowSignals.flatMap((rowSignal) => rowSignal.titleKey ?? []),
  )
  const becauseRows: { because: Recommendation['reasons'][number]; results: Recommendation[] }[] = []
  const shownTitleIds = new Set<number>()
  for (const rowSignal of rowSignals) {
    const { titleKey } = rowSignal
    const reasonKind = ROW_REASONS_BY_SIGNAL_KIND[rowSignal.kind]
    if (
      becauseRows.length === query.rows ||
      titleKey === undefined ||
      !reasonKind ||
      !titleNamesById.has(titleKey) ||
      shownTitleIds.has(titleKey)
    )
      continue
    const isInScope = (titleId: number) =>
      options.scope(titleId) && !titleIdsWithSignal.has(titleId) && !shownTitleIds.has(titleId)
    const similarTitles = neighbours.findSimilarTitles(model, titleKey, {
      limit: query['result-limit'],
      scope: isInScope,
      kids: options.kids,
    })
    if (similarTitles.length === 0) continue
    for (const neighbour of similarTitles) shownTitleIds.add(neighbour.key)
    shownTitleIds.add(titleKey)
    const reason = { kind: reasonKind, key: titleKey, signal: getSignalId(rowSignal), share: 1 }
    const recommendations = await toRecommendations(
      deps,
      caller,
      sortAvailableFirst(similarTitles, isAvailable).map((neighbour) => ({
        ...neighbour,
        reasons: [reason],
      })),
      ownSignalIds,
    )
    becauseRows.push(
      ...formatReason(reason, titleNamesById, ownSignalIds).map((because) => ({
        because,
        results: recommendations,
      })),
    )
  }
  return { results: becauseRows }
}
