import type { ProfileSignal, RecommendedTitle, TitleFilter } from './types.ts'

/**
 * Returns recommendations while there is no model: titles in the order of `titleKeys`, without titles that have a
 * signal and without titles that `options.scope` rejects. Stops reading `titleKeys` when `options.limit` titles are
 * found.
 */
export function listPopularPicks(
  titleKeys: Iterable<number>,
  signals: readonly ProfileSignal[],
  options: { readonly limit: number; readonly scope: TitleFilter },
): RecommendedTitle[] {
  const signalTitleKeys = new Set(signals.map((signal) => signal.titleKey))
  const picks: RecommendedTitle[] = []
  for (const titleKey of titleKeys) {
    if (picks.length >= options.limit) break
    if (!signalTitleKeys.has(titleKey) && options.scope(titleKey))
      picks.push({ key: titleKey, score: 0, reasons: [{ kind: 'popular', share: 1 }] })
  }
  return picks
}
