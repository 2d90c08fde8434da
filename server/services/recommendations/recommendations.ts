/** Top picks, genre rows and similar titles: results of the recommendation engine (server/recommend/) as cards with reasons. */

import type { Recommendation } from '../../../src/lib/contract/recommendations.ts'
import { GENRE_NAMES } from '../../../src/lib/rules/genres.ts'
import type { BrowseFilters } from '../../browse/types.ts'
import { selectTitlesInOrder } from '../../queries/browse.ts'
import { selectExcludedSignals } from '../../queries/recommendation-signal.ts'
import { popularPicks } from '../../recommend/fallback.ts'
import * as genreRows from '../../recommend/genre-rows.ts'
import * as picks from '../../recommend/picks.ts'
import * as neighbours from '../../recommend/similar.ts'
import {
  type ProfileSignal,
  type RecommendationReason,
  type RecommendedTitle,
  signalId,
  type TitleFilter,
} from '../../recommend/types.ts'
import { titleLanguage, type Viewer } from '../auth/caller.ts'
import { loadCards } from '../catalogue/cards.ts'
import { findVisibleTitle, parseId } from '../catalogue/titles.ts'
import type { ProfileContext, ViewerContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import { collectHiddenTitleIds, loadSignals, loadTitleNames } from './signals.ts'

interface PicksQuery {
  limit: number
  type?: 'movie' | 'tv' | undefined
  rating?: number | undefined
  'rating-votes'?: number | undefined
  kids?: boolean | undefined
  'include-rated'?: boolean | undefined
  'exclude-rated'?: boolean | undefined
  'genres-included'?: number[] | undefined
  'genres-excluded'?: number[] | undefined
}

const audienceFor = (caller: Viewer, kids: boolean | undefined) => ({
  kids: caller.audience.kids || kids === true,
})

/** Loads the inputs of the engine for a profile: its signals, those it switched off, and the titles that may be recommended. */
async function loadEngineInput({ deps, caller }: ProfileContext, query: Omit<PicksQuery, 'limit'>) {
  const { primary } = deps.database
  const [signals, switchedOff] = await Promise.all([
    loadSignals(primary, caller.profile),
    selectExcludedSignals(primary, caller.profile.profile_id),
  ])
  const audience = audienceFor(caller, query.kids)
  const filterValues = {
    rating: query.rating,
    votes: query['rating-votes'],
    include: query['genres-included'],
    exclude: query['genres-excluded'],
  }
  const filters = Object.fromEntries(
    Object.entries(filterValues).filter(([, value]) => value !== undefined),
  ) as BrowseFilters
  const fits = await deps.browseIndex.loadFilter(query.type, { audience, filters })
  const hiddenIds = collectHiddenTitleIds(signals)
  const repeatableIds =
    query['include-rated'] === true && query['exclude-rated'] !== true
      ? signals.flatMap((signal) =>
          signal.kind === 'liked' && signal.titleKey !== undefined ? [signal.titleKey] : [],
        )
      : []
  return {
    signals,
    options: {
      scope: (key: number) => fits(key) && !hiddenIds.has(key),
      again: new Set(repeatableIds),
      off: new Set(switchedOff),
      kids: audience.kids,
      ...(query.type && { type: query.type }),
    },
  }
}

/** Fallback without a model: popular titles, movies and series in turn. */
async function pickPopular(
  deps: Deps,
  signals: Parameters<typeof popularPicks>[1],
  scope: TitleFilter,
  limit: number,
) {
  const pages = (['movie', 'tv'] as const).map((type) =>
    deps.browseIndex.loadPage(type, {
      audience: { kids: false },
      filters: {},
      order: 'popularity.desc',
      offset: 0,
      limit: 500,
    }),
  )
  const [movies, series] = (await Promise.all(pages)).map((page) => page.ids)
  const mixed = (movies ?? []).flatMap((id, index) => [
    id,
    ...(series?.[index] === undefined ? [] : [series[index]]),
  ])
  return popularPicks(mixed, signals, { limit, scope })
}

async function toRecommendations(
  deps: Deps,
  caller: Viewer,
  picksFound: readonly RecommendedTitle[],
): Promise<Recommendation[]> {
  const rows = await selectTitlesInOrder(
    deps.database.reader,
    caller.audience,
    picksFound.map((pick) => pick.key),
  )
  const cards = await loadCards(deps, rows, titleLanguage(caller))
  const reasons = new Map(picksFound.map((pick) => [String(pick.key), pick.reasons]))
  const namedTitleIds = picksFound.flatMap((pick) => pick.reasons.flatMap((reason) => reason.key ?? []))
  const titleNames = await loadTitleNames(deps, caller, namedTitleIds)
  return cards.map((card) => ({
    ...card,
    reasons: (reasons.get(card.id) ?? []).flatMap((reason) => formatReason(reason, titleNames)),
  }))
}

/** Wire format of a reason; empty when the caller may not see the title that it names. */
function formatReason(
  { kind, key, genre, signal }: RecommendationReason,
  titleNames: Map<number, string>,
): Recommendation['reasons'] {
  const title = key === undefined ? undefined : titleNames.get(key)
  if (key !== undefined && title === undefined) return []
  return [
    {
      kind,
      ...(key !== undefined && { media_id: String(key) }),
      ...(title !== undefined && { title }),
      ...(genre !== undefined && { genre }),
      ...(signal !== undefined && { signal }),
    },
  ]
}

export async function recommendTopPicks(context: ProfileContext, query: PicksQuery) {
  const { deps, caller } = context
  const { signals, options } = await loadEngineInput(context, query)
  const model = deps.recommender.currentModel()
  const chosen = model
    ? picks.recommendTitles(model, signals, { ...options, limit: query.limit })
    : await pickPopular(deps, signals, options.scope, query.limit)
  return { results: await toRecommendations(deps, caller, chosen) }
}

interface GenreRowsQuery extends Omit<PicksQuery, 'limit'> {
  'genres-limit': number
  'result-limit': number
}

/** The profile's favourite genres, each with its best titles; no title appears in two rows. */
export async function recommendRowsByGenre(context: ProfileContext, query: GenreRowsQuery) {
  const { deps, caller } = context
  const { signals, options } = await loadEngineInput(context, query)
  const model = deps.recommender.currentModel()
  if (!model) return { results: [] }
  const limits = { limit: query['result-limit'], genres: query['genres-limit'] }
  const rows = genreRows.recommendGenreRows(model, signals, { ...options, ...limits })
  return {
    results: await Promise.all(
      rows.map(async ({ genre, picks }) => ({
        genre: { id: genre, name: GENRE_NAMES[genre] ?? String(genre) },
        results: await toRecommendations(deps, caller, picks),
      })),
    ),
  }
}

interface BecauseRowsQuery {
  rows: number
  'result-limit': number
  kids?: boolean | undefined
}
/** Signal kinds that can start a row, and the reason kind shown for each. */
const ROW_STARTERS: Partial<Record<ProfileSignal['kind'], RecommendationReason['kind']>> = {
  completed: 'watched',
  watched: 'watched',
  liked: 'liked',
}

/** One row of similar titles for each title that the profile watched or liked last. Switched-off signals start no row. */
export async function recommendBecauseRows(context: ProfileContext, query: BecauseRowsQuery) {
  const { deps, caller } = context
  const { signals, options } = await loadEngineInput(context, query)
  const model = deps.recommender.currentModel()
  if (!model) return { results: [] }
  const starters = signals
    .filter((signal) => ROW_STARTERS[signal.kind] && !options.off.has(signalId(signal)))
    .sort((a, b) => b.at - a.at || (a.titleKey ?? 0) - (b.titleKey ?? 0))
    .slice(0, query.rows * 4)
  const knownIds = new Set(signals.flatMap((signal) => signal.titleKey ?? []))
  const names = await loadTitleNames(
    deps,
    caller,
    starters.flatMap((starter) => starter.titleKey ?? []),
  )
  const rows: { because: Recommendation['reasons'][number]; results: Recommendation[] }[] = []
  const shownIds = new Set<number>()
  for (const starter of starters) {
    const { titleKey } = starter
    const kind = ROW_STARTERS[starter.kind]
    if (
      rows.length === query.rows ||
      titleKey === undefined ||
      !kind ||
      !names.has(titleKey) ||
      shownIds.has(titleKey)
    )
      continue
    const scope = (titleId: number) =>
      options.scope(titleId) && !knownIds.has(titleId) && !shownIds.has(titleId)
    const similarTitles = neighbours.findSimilarTitles(model, titleKey, {
      limit: query['result-limit'],
      scope,
      kids: options.kids,
    })
    if (similarTitles.length === 0) continue
    for (const neighbour of similarTitles) shownIds.add(neighbour.key)
    shownIds.add(titleKey)
    const reason = { kind, key: titleKey, signal: signalId(starter), share: 1 }
    const results = await toRecommendations(
      deps,
      caller,
      similarTitles.map((neighbour) => ({ ...neighbour, reasons: [reason] })),
    )
    rows.push(...formatReason(reason, names).map((because) => ({ because, results })))
  }
  return { results: rows }
}

interface SimilarQuery {
  limit: number
  type?: 'movie' | 'tv' | undefined
  kids?: boolean | undefined
}

/** Titles similar to a title. Only the caller's audience and dislikes change the result. Throws 404. */
export async function recommendSimilarTitles(
  { deps, caller }: ViewerContext,
  mediaId: string,
  query: SimilarQuery,
) {
  const title = await findVisibleTitle(deps, caller, null, { id: parseId(mediaId) })
  const type = query.type ?? (title.type as 'movie' | 'tv')
  const audience = audienceFor(caller, query.kids)
  const dislikedIds = caller.acting
    ? collectHiddenTitleIds(await loadSignals(deps.database.primary, caller.acting), 'disliked')
    : new Set<number>()
  const fits = await deps.browseIndex.loadFilter(type, { audience, filters: {} })
  const scope = (key: number) => key !== title.title_id && fits(key) && !dislikedIds.has(key)
  const model = deps.recommender.currentModel()
  const { limit } = query
  const chosen = model
    ? neighbours.findSimilarTitles(model, title.title_id, { limit, scope, type, kids: audience.kids })
    : []
  const filledPicks = chosen.length > 0 ? chosen : await pickPopular(deps, [], scope, limit)
  return {
    results: await toRecommendations(
      deps,
      caller,
      filledPicks.map((pick) => ({ reasons: [], ...pick })),
    ),
  }
}
