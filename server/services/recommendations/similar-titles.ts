import * as neighbours from '../../recommend/similar.ts'
import { findVisibleTitle, parseId } from '../catalogue/titles.ts'
import type { ViewerContext } from '../context.ts'
import { audienceFor, pickPopular } from './engine-input.ts'
import { toRecommendations } from './recommended-cards.ts'
import { collectHiddenTitleIds, loadSignals } from './signals.ts'

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
