import { titleFlags } from './content.ts'
import { diversifyTitles } from './diversity.ts'
import { weighSignals } from './evidence.ts'
import type { RecommendationModel } from './model.ts'
import { explainTitle } from './reasons.ts'
import { scoreCandidates } from './score.ts'
import type { ProfileSignal, RecommendedTitle, TitleFilter, TrainingTitle } from './types.ts'
import { varyReasons } from './vary-reasons.ts'

export interface RecommendOptions {
  readonly limit: number
  /**
   * Returns whether the viewer may see a title. The function is called for every candidate, so it must be fast and free
   * of side effects.
   */
  readonly scope: TitleFilter
  readonly type?: TrainingTitle['type']
  /**
   * True for a kids profile. Titles that the model does not mark as safe are then left out, whatever `scope` returns.
   */
  readonly kids?: boolean
  /** Titles that may be recommended although they have a signal. */
  readonly repeatableTitleKeys?: ReadonlySet<number>
  /** Strength of diversification; 0 orders by score alone. */
  readonly diversity?: number
}

type TitleFilterOptions = Omit<RecommendOptions, 'limit' | 'diversity'>

/**
 * Returns a predicate that is true for titles that may be recommended, and false for keys that the model does not
 * contain. The predicate makes its fastest checks first.
 */
export function createTitleFilter(
  model: RecommendationModel,
  options: TitleFilterOptions,
  signalTitleKeys: ReadonlySet<number>,
): TitleFilter {
  const typeFlags = options.type ? titleFlags[options.type] : titleFlags.movie | titleFlags.tv
  return (titleKey) => {
    const flags = model.content.flags[titleKey] ?? 0
    if ((flags & typeFlags) === 0 || (options.kids && (flags & titleFlags.kids) === 0)) return false
    return (
      (!signalTitleKeys.has(titleKey) || options.repeatableTitleKeys?.has(titleKey) === true) &&
      options.scope(titleKey)
    )
  }
}

/**
 * Returns the best titles for a profile with their reasons. Titles with a signal, even a disabled signal, are returned
 * only if they are in `options.repeatableTitleKeys`. The result is deterministic and does not depend on the order in
 * which the signals are passed.
 */
export function recommendTitles(
  model: RecommendationModel,
  signals: readonly ProfileSignal[],
  options: RecommendOptions,
): RecommendedTitle[] {
  const evidence = weighSignals(model, signals)
  const scoredTitles = scoreCandidates(
    model,
    evidence,
    createTitleFilter(model, options, evidence.signalTitleKeys),
    options.limit * 4,
  )
  return varyReasons(
    diversifyTitles(model, scoredTitles, options.limit, options.diversity).map(
      ({ key: titleKey, score }) => ({
        key: titleKey,
        score,
        reasons: explainTitle(model, evidence, titleKey),
      }),
    ),
  )
}
