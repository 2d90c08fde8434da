import { flag } from './content.ts'
import { diversify } from './diversity.ts'
import { weigh } from './evidence.ts'
import type { Model } from './model.ts'
import { reasonsFor } from './reasons.ts'
import { scoreCandidates } from './score.ts'
import type { Pick, Scope, Signal, TitleType } from './types.ts'

export interface PickOptions {
  readonly limit: number
  /**
   * Whether the viewer may see a title. It is called for every candidate, so it must be cheap and free of side
   * effects.
   */
  readonly scope: Scope
  readonly type?: TitleType
  /** For a kids profile: titles that the model does not mark as safe are left out, whatever `scope` returns. */
  readonly kids?: boolean
  /** Titles that may be recommended although a signal names them. */
  readonly again?: ReadonlySet<number>
  /** Ids of disabled signals; see `signalId`. */
  readonly off?: ReadonlySet<string>
  /** Strength of diversification; 0 orders by score alone. */
  readonly diversity?: number
}

type FilterOptions = Omit<PickOptions, 'limit' | 'off' | 'diversity'>

const noSignals: ReadonlySet<string> = new Set()

/**
 * Returns a predicate for titles that may be recommended. The cheapest checks come first. Keys unknown to the model
 * are rejected.
 */
export function allow(model: Model, options: FilterOptions, signalTitles: ReadonlySet<number>): Scope {
  const typeFlags = options.type ? flag[options.type] : flag.movie | flag.tv
  return (key) => {
    const flags = model.content.flags[key] ?? 0
    if ((flags & typeFlags) === 0 || (options.kids && (flags & flag.kids) === 0)) return false
    return (!signalTitles.has(key) || options.again?.has(key) === true) && options.scope(key)
  }
}

/**
 * Returns the best titles for a profile with their reasons. Titles named by any signal, disabled or not, never
 * appear. The result is deterministic and does not depend on the order of the signals.
 */
export function topPicks(model: Model, signals: readonly Signal[], options: PickOptions): Pick[] {
  const evidence = weigh(model, signals, options.off ?? noSignals)
  const scored = scoreCandidates(
    model,
    evidence,
    allow(model, options, evidence.signalTitles),
    options.limit * 4,
  )
  return diversify(model, scored, options.limit, options.diversity).map(({ key, score }) => ({
    key,
    score,
    reasons: reasonsFor(model, evidence, key),
  }))
}
