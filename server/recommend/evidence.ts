import { signalWeights, tuning } from './constants.ts'
import type { Model } from './model.ts'
import { type Signal, type SignalKind, signalId } from './types.ts'

/** One title that speaks for or against others. */
export interface Anchor {
  readonly key: number
  readonly kind: SignalKind
  readonly signal: string
  /** Column in the crowd, or -1. */
  readonly column: number
  readonly weight: number
}

export interface Evidence {
  /** Newest first. */
  readonly anchors: readonly Anchor[]
  readonly genres: readonly { readonly genre: number; readonly signal: string; readonly weight: number }[]
  /** Weight of popularity and of genres after all newer signals. */
  readonly fade: number
  /** Every title a signal names, switched off or not: never an answer. */
  readonly known: ReadonlySet<number>
}

/**
 * Turns signals into weights. Only the newest-first order matters: each newer title weakens everything older, the
 * onboarding genres and popularity by the same factor. So one more like multiplies what was known by a constant
 * and adds its own neighbours: it can never push one of them below a title that is less like it
 * (before diversity, up to `tuning.anchors` titles, among titles the crowd met or where there is no crowd).
 */
export function weigh(model: Model, signals: readonly Signal[], off: ReadonlySet<string>): Evidence {
  const known = new Set<number>()
  const strongest = new Map<number, Signal>()
  const genres = new Map<number, Signal>()
  for (const signal of signals) {
    if (signal.titleKey !== undefined) known.add(signal.titleKey)
    if (off.has(signalId(signal))) continue
    if (signal.kind === 'genre') {
      if (signal.genre !== undefined) genres.set(signal.genre, signal)
    } else if (signal.titleKey !== undefined) {
      const other = strongest.get(signal.titleKey)
      if (!other || outweighs(signal, other)) strongest.set(signal.titleKey, signal)
    }
  }
  const titles = [...strongest.values()].sort((a, b) => b.at - a.at || a.titleKey! - b.titleKey!)
  let newer = 0
  const anchors = titles.slice(0, tuning.anchors).map((signal, at) => {
    if (at > 0 && signal.at !== titles[at - 1]!.at) newer = at
    return {
      key: signal.titleKey!,
      kind: signal.kind,
      signal: signalId(signal),
      column: model.columnOf[signal.titleKey!] ?? -1,
      weight: strength(signal) * Math.exp(-newer / tuning.recency),
    }
  })
  return {
    anchors,
    genres: [...genres.values()]
      .map((signal) => ({ genre: signal.genre!, signal: signalId(signal), weight: strength(signal) }))
      .sort((a, b) => a.genre - b.genre),
    fade: Math.exp(-titles.length / tuning.recency),
    known,
  }
}

const strength = (signal: Signal): number => signal.weight ?? signalWeights[signal.kind]

/** What a profile said about a title last beats what it did; a dislike beats everything. */
function outweighs(one: Signal, other: Signal): boolean {
  const rank = (signal: Signal): number => (signal.kind === 'disliked' ? 10 : strength(signal))
  return rank(one) > rank(other) || (rank(one) === rank(other) && one.at > other.at)
}
