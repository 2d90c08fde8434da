import { flag } from './content.ts'
import { diversify } from './diversity.ts'
import { weigh } from './evidence.ts'
import type { Model } from './model.ts'
import { reasonsFor } from './reasons.ts'
import { scoreCandidates } from './score.ts'
import type { Pick, Scope, Signal, TitleType } from './types.ts'

export interface PickOptions {
  readonly limit: number
  /** May this viewer see the title at all. Asked for every candidate; keep it cheap and free of side effects. */
  readonly scope: Scope
  readonly type?: TitleType
  /** A kids profile: titles the model does not know as safe are left out whatever `scope` says. */
  readonly kids?: boolean
  /** Titles that a signal names and that may be offered all the same. */
  readonly again?: ReadonlySet<number>
  /** Signals switched off, by `signalId`. */
  readonly off?: ReadonlySet<string>
  /** 0 leaves the order to the scores alone. */
  readonly diversity?: number
}

type Allowed = Omit<PickOptions, 'limit' | 'off' | 'diversity'>

const none: ReadonlySet<string> = new Set()

/** `scope`, the type and the kids mark, in the order of their price. Keys the model does not know are refused. */
export function allow(model: Model, options: Allowed, known: ReadonlySet<number>): Scope {
  const type = options.type ? flag[options.type] : flag.movie | flag.tv
  return (key) => {
    const flags = model.content.flags[key] ?? 0
    if ((flags & type) === 0 || (options.kids && (flags & flag.kids) === 0)) return false
    return (!known.has(key) || options.again?.has(key) === true) && options.scope(key)
  }
}

/**
 * The best titles for a profile, each with its reasons. Titles named by any signal, switched off or not, never
 * appear. The same model, signals and options give the same answer; the order of the signals does not matter.
 */
export function topPicks(model: Model, signals: readonly Signal[], options: PickOptions): Pick[] {
  const evidence = weigh(model, signals, options.off ?? none)
  const scored = scoreCandidates(model, evidence, allow(model, options, evidence.known), options.limit * 4)
  return diversify(model, scored, options.limit, options.diversity).map(({ key, score }) => ({
    key,
    score,
    reasons: reasonsFor(model, evidence, key),
  }))
}
