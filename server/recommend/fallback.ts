import type { ProfileSignal, RecommendedTitle, TitleFilter } from './types.ts'

/**
 * Returns recommendations while there is no model: titles in the order of `keys`, without titles that have a signal. Reads
 * `keys` only until enough titles are found.
 */
export function listPopularPicks(
  keys: Iterable<number>,
  signals: readonly ProfileSignal[],
  options: { readonly limit: number; readonly scope: TitleFilter },
): RecommendedTitle[] {
  const signalTitles = new Set(signals.map((signal) => signal.titleKey))
  const picks: RecommendedTitle[] = []
  for (const key of keys) {
    if (picks.length >= options.limit) break
    if (!signalTitles.has(key) && options.scope(key))
      picks.push({ key, score: 0, reasons: [{ kind: 'popular', share: 1 }] })
  }
  return picks
}
