/** Converts results of the recommendation engine to cards with reasons. */
import type { Recommendation } from '../../../src/lib/contract/recommendations.ts'
import { selectTitlesInOrder } from '../../queries/browse.ts'
import type { RecommendationReason, RecommendedTitle } from '../../recommend/types.ts'
import { getTitleLanguage, type Viewer } from '../auth/caller.ts'
import { loadCards } from '../catalogue/cards.ts'
import type { Deps } from '../deps.ts'
import { loadTitleNames } from './signals.ts'

/**
 * Returns the cards of the titles with their reasons. A reason contains its signal only if the signal is in
 * `ownSignalIds`, because a profile can switch off only its own signals.
 */
export async function toRecommendations(
  deps: Deps,
  caller: Viewer,
  picks: readonly RecommendedTitle[],
  ownSignalIds: ReadonlySet<string>,
): Promise<Recommendation[]> {
  const rows = await selectTitlesInOrder(
    deps.database.reader,
    caller.audience,
    picks.map((pick) => pick.key),
  )
  const cards = await loadCards(deps, rows, getTitleLanguage(caller))
  const reasonsByCardId = new Map(picks.map((pick) => [String(pick.key), pick.reasons]))
  const namedTitleIds = picks.flatMap((pick) => pick.reasons.flatMap((reason) => reason.key ?? []))
  const titleNamesById = await loadTitleNames(deps, caller, namedTitleIds)
  return cards.map((card) => ({
    ...card,
    reasons: (reasonsByCardId.get(card.id) ?? []).flatMap((reason) =>
      formatReason(reason, titleNamesById, ownSignalIds),
    ),
  }))
}

/**
 * Returns a list with the reason in the format of the API. The list is empty when the reason names a title that
 * the caller may not see.
 */
export function formatReason(
  { kind, key: titleKey, genre, signal }: RecommendationReason,
  titleNamesById: Map<number, string>,
  ownSignalIds: ReadonlySet<string>,
): Recommendation['reasons'] {
  const titleName = titleKey === undefined ? undefined : titleNamesById.get(titleKey)
  if (titleKey !== undefined && titleName === undefined) return []
  return [
    {
      kind,
      ...(titleKey !== undefined && { media_id: String(titleKey) }),
      ...(titleName !== undefined && { title: titleName }),
      ...(genre !== undefined && { genre }),
      ...(signal !== undefined && ownSignalIds.has(signal) && { signal }),
    },
  ]
}
