import type { Pick, Scope, Signal } from './types.ts'

/**
 * Picks while there is no model: titles in the popularity order the server has anyway, without those a signal names.
 * `keys` is read no further than needed.
 */
export function popularPicks(
  keys: Iterable<number>,
  signals: readonly Signal[],
  options: { readonly limit: number; readonly scope: Scope },
): Pick[] {
  const known = new Set(signals.map((signal) => signal.titleKey))
  const picks: Pick[] = []
  for (const key of keys) {
    if (picks.length >= options.limit) break
    if (!known.has(key) && options.scope(key))
      picks.push({ key, score: 0, reasons: [{ kind: 'popular', share: 1 }] })
  }
  return picks
}
