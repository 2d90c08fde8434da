import * as neighbours from '../../recommend/similar.ts'
import { getViewerDate } from '../auth/caller.ts'
import { narrowAudience } from '../catalogue/featured-titles.ts'
import { findVisibleTitle, parseId } from '../catalogue/titles.ts'
import type { ViewerContext } from '../context.ts'
import { pickPopularTitles } from './engine-input.ts'
import { toRecommendations } from './recommended-cards.ts'
import { collectDislikedTitleIds, loadSignals } from './signals.ts'

interface SimilarTitlesQuery {
  limit: number
  type?: 'movie' | 'tv' | undefined
  kids?: boolean | undefined
}

/**
 * Returns titles similar to a title, or popular titles if no similar titles are found. Omits titles that the caller may
 * not see and titles that a viewer dislikes. The order also depends on which parts of a franchise the viewers have
 * seen. Throws 404 when the caller may not see the title.
 */
export async function recommendSimilarTitles(
  { deps, caller }: ViewerContext,
  mediaId: string,
  query: SimilarTitlesQuery,
) {
  const title = await findVisibleTitle(deps, caller, null, { id: parseId(mediaId) })
  const type = query.type ?? (title.type as 'movie' | 'tv')
  const audience = narrowAudience(caller, query.kids)
  const viewers = caller.acting ? [caller.acting, ...caller.group] : []
  const today = getViewerDate(caller, deps.now())
  const signals = await Promise.all(
    viewers.map((profile) => loadSignals(deps.database.primary, profile, today)),
  )
  const dislikedTitleIds = collectDislikedTitleIds(signals.flat())
  const seenTitleIds = new Set(
    signals.flat().flatMap(({ kind, titleKey }) => (kind === 'completed' ? (titleKey ?? []) : [])),
  )
  const matchesFilter = await deps.browseIndex.loadFilter(type, { audience, filters: {} })
  const isInScope = (titleKey: number) =>
    titleKey !== title.title_id && matchesFilter(titleKey) && !dislikedTitleIds.has(titleKey)
  const model = deps.recommender.getCurrentModel()
  const { limit } = query
  const similarTitles = model
    ? neighbours.findSimilarTitles(model, title.title_id, {
        limit,
        scope: isInScope,
        type,
        seenTitleKeys: seenTitleIds,
        kids: audience.isSafeForKids,
      })
    : []
  const picks =
    similarTitles.length > 0
      ? similarTitles
      : await pickPopularTitles(deps, { audience, signals: [], isInScope, limit })
  return {
    results: await toRecommendations(
      deps,
      caller,
      picks.map((pick) => ({ reasons: [], ...pick })),
      new Set(),
    ),
  }
}
