/**
 * Which ends are those of some serial order. A deed lies between when it was first sent and when it was acknowledged;
 * two that overlap may have happened either way round, and one repeated by the network may have happened twice within.
 */

export type Kind = 'in' | 'out' | 'state' | 'favorite' | 'rate' | 'progress' | 'reset'

export interface Deed {
  id: string
  kind: Kind
  value: string
  /** When a position was true on its device, in ms. */
  at: number
  device: number
  /** Places in one order of everything that began and ended. */
  began: number
  ended: number
}

export interface State {
  list: string
  favorite: string
  feedback: string
  progress: string
}

const ABOUT: Record<keyof State, readonly Kind[]> = {
  list: ['in', 'out', 'state', 'favorite'],
  favorite: ['favorite'],
  feedback: ['rate'],
  progress: ['progress', 'reset'],
}
const FIRST: State = { list: 'out', favorite: 'false', feedback: 'null', progress: 'none' }

/**
 * All ends that one part of a title's state may have. With two devices, each in its own order, a serial order is a walk
 * through a grid: `(i, j)` is where i deeds of the one and j of the other are done. What must come first is kept.
 */
export function states(deeds: readonly Deed[], part: keyof State): Set<string> {
  const mine = deeds.filter((one) => ABOUT[part].includes(one.kind))
  const lines = [0, 1].map((device) =>
    mine.filter((one) => one.device === device).sort((a, b) => a.began - b.began),
  )
  const [left = [], right = []] = lines
  const seen = new Map<string, Set<string>>([['0 0', new Set([FIRST[part]])]])
  for (let i = 0; i <= left.length; i++)
    for (let j = 0; j <= right.length; j++) {
      const here = seen.get(`${i} ${j}`)
      if (!here) continue
      const [a, b] = [left[i], right[j]]
      /* What was acknowledged before the other one began cannot come after it. */
      if (a && !(b && b.ended < a.began)) walk(seen, `${i + 1} ${j}`, here, a)
      if (b && !(a && a.ended < b.began)) walk(seen, `${i} ${j + 1}`, here, b)
    }
  const ends = seen.get(`${left.length} ${right.length}`) ?? new Set()
  return new Set([...ends].map((one) => one.split('@')[0] ?? ''))
}

function walk(seen: Map<string, Set<string>>, to: string, from: Set<string>, deed: Deed): void {
  const there = seen.get(to) ?? new Set<string>()
  for (const state of from) there.add(after(state, deed))
  seen.set(to, there)
}

/** The server's rules, said again in the fewest words. Progress carries the time of its report. */
function after(state: string, { kind, value, at }: Deed): string {
  if (kind === 'out') return 'out'
  if (kind === 'in' || (kind === 'favorite' && !/^(true|false)$/.test(state)))
    return state === 'out' ? 'planned' : state
  if (kind !== 'progress') return kind === 'reset' ? 'none' : value
  const [, stored = '-1'] = state.split('@')
  return at > Number(stored) ? `${value}@${at}` : state
}
