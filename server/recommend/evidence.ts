import { signalWeights, tuning } from './constants.ts'
import type { RecommendationModel } from './model.ts'
import { type ProfileSignal, type SignalKind, signalId } from './types.ts'

/** A title of the profile's history whose neighbours gain (or, with a negative weight, lose) score. */
export interface Anchor {
  readonly key: number
  readonly kind: SignalKind
  readonly signal: string
  /** Column in the collaborative model, or -1. */
  readonly column: number
  readonly weight: number
}

export interface ProfileEvidence {
  /** Newest first. */
  readonly anchors: readonly Anchor[]
  readonly genres: readonly { readonly genre: number; readonly signal: string; readonly weight: number }[]
  /** Factor of the popularity prior and of onboarding genres, after decay by all newer signals. */
  readonly priorDecay: number
  /** Keys of all titles that a signal names, disabled signals included. They are never recommended. */
  readonly signalTitles: ReadonlySet<number>
}

/**
 * Turns the signals of a profile into weights. Only their order counts: each newer title multiplies the weight of
 * everything older, and of the onboarding genres and the popularity prior, by the same factor. One more like
 * therefore scales all earlier scores equally and adds its own neighbours, so it cannot rank a neighbour below a
 * title that is less similar to it. This holds before diversification, for up to `tuning.maxAnchors` titles, and
 * among titles of the collaborative model (or when there is none).
 */
export function weighSignals(
  model: RecommendationModel,
  signals: readonly ProfileSignal[],
  disabled: ReadonlySet<string>,
): ProfileEvidence {
  const signalTitles = new Set<number>()
  const strongest = new Map<number, ProfileSignal>()
  const genres = new Map<number, ProfileSignal>()
  for (const signal of signals) {
    if (signal.titleKey !== undefined) signalTitles.add(signal.titleKey)
    if (disabled.has(signalId(signal))) continue
    if (signal.kind === 'genre') {
      if (signal.genre !== undefined) genres.set(signal.genre, signal)
    } else if (signal.titleKey !== undefined) {
      const previous = strongest.get(signal.titleKey)
      if (!previous || isStronger(signal, previous)) strongest.set(signal.titleKey, signal)
    }
  }
  const titles = [...strongest.values()].sort((a, b) => b.at - a.at || a.titleKey! - b.titleKey!)
  let newerCount = 0
  const anchors = titles.slice(0, tuning.maxAnchors).map((signal, index) => {
    if (index > 0 && signal.at !== titles[index - 1]!.at) newerCount = index
    return {
      key: signal.titleKey!,
      kind: signal.kind,
      signal: signalId(signal),
      column: model.columnOf[signal.titleKey!] ?? -1,
      weight: signalWeight(signal) * Math.exp(-newerCount / tuning.recency),
    }
  })
  return {
    anchors,
    genres: [...genres.values()]
      .map((signal) => ({ genre: signal.genre!, signal: signalId(signal), weight: signalWeight(signal) }))
      .sort((a, b) => a.genre - b.genre),
    priorDecay: Math.exp(-titles.length / tuning.recency),
    signalTitles,
  }
}

const signalWeight = (signal: ProfileSignal): number => signal.weight ?? signalWeights[signal.kind]

/**
 * True when `signal` replaces `previous` for the same title: explicit feedback outweighs what was watched, and a
 * dislike outweighs everything.
 */
function isStronger(signal: ProfileSignal, previous: ProfileSignal): boolean {
  const rank = (ranked: ProfileSignal): number => (ranked.kind === 'disliked' ? 10 : signalWeight(ranked))
  return rank(signal) > rank(previous) || (rank(signal) === rank(previous) && signal.at > previous.at)
}
