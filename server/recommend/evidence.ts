import { signalWeights, tuning } from './constants.ts'
import type { RecommendationModel } from './model.ts'
import { getSignalId, type ProfileSignal, type SignalKind } from './types.ts'

/**
 * A title with a signal of the profile. Titles similar to an anchor gain score or, if the weight of the anchor is
 * negative, lose score.
 */
export interface Anchor {
  readonly key: number
  readonly kind: SignalKind
  readonly signal: string
  /** Column in the collaborative model; -1 for titles outside that model. */
  readonly column: number
  readonly weight: number
}

export interface ProfileEvidence {
  /** Anchors, newest first. */
  readonly anchors: readonly Anchor[]
  readonly genres: readonly { readonly genre: number; readonly signal: string; readonly weight: number }[]
  /**
   * Factor of the popularity prior and of the onboarding genres. Every title with an enabled signal reduces the factor.
   */
  readonly priorDecayFactor: number
  /**
   * Keys of all titles with a signal, even a disabled signal. These titles are recommended only if they are in
   * `RecommendOptions.repeatableTitleKeys`.
   */
  readonly signalTitleKeys: ReadonlySet<number>
}

/**
 * Converts the signals of a profile to weights. The weights depend on the order of the signals in time, not on the
 * dates. A title with a newer signal multiplies the weights of all titles with older signals by a constant factor. The
 * weights of the onboarding genres and of the popularity prior are multiplied by the same factor. A new like therefore
 * multiplies all earlier scores by the factor, and then adds to the score of each title its affinity to the liked
 * title. If title A ranks above title B and has the higher affinity to the liked title, A stays above B. This order
 * holds before diversification and for up to `tuning.maxAnchors` titles with a signal. A and B must both be in the
 * collaborative model, or the model must be empty.
 */
export function weighSignals(model: RecommendationModel, signals: readonly ProfileSignal[]): ProfileEvidence {
  const signalTitleKeys = new Set<number>()
  const strongestSignalByKey = new Map<number, ProfileSignal>()
  const signalByGenre = new Map<number, ProfileSignal>()
  for (const signal of signals) {
    if (signal.titleKey !== undefined) signalTitleKeys.add(signal.titleKey)
    if (signal.isDisabled) continue
    if (signal.kind === 'genre') {
      if (signal.genre !== undefined) signalByGenre.set(signal.genre, signal)
    } else if (signal.titleKey !== undefined) {
      const previousSignal = strongestSignalByKey.get(signal.titleKey)
      if (!previousSignal || isStrongerSignal(signal, previousSignal))
        strongestSignalByKey.set(signal.titleKey, signal)
    }
  }
  const titleSignals = [...strongestSignalByKey.values()].sort(
    (a, b) => b.at - a.at || a.titleKey! - b.titleKey!,
  )
  let newerSignalCount = 0
  const anchors = titleSignals.slice(0, tuning.maxAnchors).map((signal, index) => {
    if (index > 0 && signal.at !== titleSignals[index - 1]!.at) newerSignalCount = index
    return {
      key: signal.titleKey!,
      kind: signal.kind,
      signal: getSignalId(signal),
      column: model.columnByKey[signal.titleKey!] ?? -1,
      weight: getSignalWeight(signal) * Math.exp(-newerSignalCount / tuning.recencyDecayTitles),
    }
  })
  return {
    anchors,
    genres: [...signalByGenre.values()]
      .map((signal) => ({
        genre: signal.genre!,
        signal: getSignalId(signal),
        weight: getSignalWeight(signal),
      }))
      .sort((a, b) => a.genre - b.genre),
    priorDecayFactor: Math.exp(-titleSignals.length / tuning.recencyDecayTitles),
    signalTitleKeys,
  }
}

const getSignalWeight = (signal: ProfileSignal): number => signal.weight ?? signalWeights[signal.kind]

/**
 * True when `signal` replaces `previousSignal`, another signal about the same title. A dislike outweighs all other
 * signals. Of two other signals, the signal with the higher weight wins. Of two signals with equal weights, the newer
 * signal wins.
 */
function isStrongerSignal(signal: ProfileSignal, previousSignal: ProfileSignal): boolean {
  const getSignalRank = (rankedSignal: ProfileSignal): number =>
    rankedSignal.kind === 'disliked' ? 10 : getSignalWeight(rankedSignal)
  return (
    getSignalRank(signal) > getSignalRank(previousSignal) ||
    (getSignalRank(signal) === getSignalRank(previousSignal) && signal.at > previousSignal.at)
  )
}
