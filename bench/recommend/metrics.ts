/** Discounted gain of hits among the first `cut` of a list; the ideal list has `ideal` hits. */
export function ndcg(
  list: readonly number[],
  relevant: ReadonlySet<number>,
  cut: number,
  ideal: number,
): number {
  let gain = 0
  let most = 0
  for (let at = 0; at < Math.min(cut, list.length); at++)
    if (relevant.has(list[at]!)) gain += 1 / Math.log2(at + 2)
  for (let at = 0; at < ideal; at++) most += 1 / Math.log2(at + 2)
  return most ? gain / most : 0
}

export const hits = (list: readonly number[], relevant: ReadonlySet<number>, cut: number): number =>
  list.slice(0, cut).filter((key) => relevant.has(key)).length

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length)

/** A small generator with a fixed seed (mulberry32), so that every run draws the same. */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** The middle 95 % of a figure over 2,000 draws of `count` users with replacement; `pick` draws one. */
function drawn(count: number, figure: (pick: () => number) => number): [number, number] {
  const draw = random(7)
  const figures = Array.from({ length: 2000 }, () => figure(() => Math.floor(draw() * count)))
  figures.sort((one, other) => one - other)
  return [figures[50]!, figures[1949]!]
}

/** Of the mean. */
export const interval = (values: readonly number[]): [number, number] =>
  drawn(values.length, (pick) => {
    let sum = 0
    for (let n = 0; n < values.length; n++) sum += values[pick()]!
    return sum / values.length
  })

/** Of the ratio of two means over the same users. */
export const ratioInterval = (ours: readonly number[], theirs: readonly number[]): [number, number] =>
  drawn(ours.length, (pick) => {
    let a = 0
    let b = 0
    for (let n = 0; n < ours.length; n++) {
      const at = pick()
      a += ours[at]!
      b += theirs[at]!
    }
    return a / b
  })

export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil((p / 100) * sorted.length) - 1)] ?? 0
}

export const fixed = (value: number, digits = 4): string => value.toFixed(digits)

export const withInterval = (values: readonly number[]): string => {
  const [low, high] = interval(values)
  return `${fixed(mean(values))} [${fixed(low)}, ${fixed(high)}]`
}
