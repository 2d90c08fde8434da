/** Converts results of the recommendation engine to cards with reasons. */
import type { Recommendation } from '../../../src/lib/contract/recommendations.ts'
import { selectTitlesInOrder } from '../../queries/browse.ts'
import type { RecommendationReason, RecommendedTitle } from '../../recommend/types.ts'
import { getTitleLanguage, type Viewer } from '../auth/caller.ts'
import { loadCards } from '../catalogue/cards.ts'
import type { Deps } from '../deps.ts'
import { loadTitleNames } from './signals.ts'

export async function toRecommendations(
  deps: Deps,
  caller: Viewer,
  picks: readonly RecommendedTitle[],
): Promise<Recommendation[]> {
  const rows = await selectTitlesInOrder(
    deps.database.reader,
    caller.audience,
    picks.map((pick) => pick.key),
  )
  const cards = await loadCards(deps, rows, getTitleLanguage(caller))
  const reasons = new Map(picks.map((pick) => [String(pick.key), pick.reasons]))
  const namedTitleIds = picks.flatMap((pick) => pick.reasons.flatMap((reason) => reason.key ?? []))
  const titleNames = await loadTitleNames(deps, caller, namedTitleIds)
  return cards.map((card) => ({
    ...card,
    reasons: (reasons.get(card.id) ?? []).flatMap((reason) => formatReason(reason, titleNames)),
  }))
}

/**
 * Returns the wire format of a reason. Returns an empty list when the reason names a title that the caller
 * may not see.
 */
export function formatReason(
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
