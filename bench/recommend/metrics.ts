/**
 * Returns the normalised discounted cumulative gain of the first `cutoff` items. The ideal list has
 * `idealHits` relevant items.
 */
export function computeNdcg(
  list: readonly number[],
  relevant: ReadonlySet<number>,
  cutoff: number,
  idealHits: number,
): number {
  let gain = 0
  let idealGain = 0
  for (let index = 0; index < Math.min(cutoff, list.length); index++)
    if (relevant.has(list[index]!)) gain += 1 / Math.log2(index + 2)
  for (let index = 0; index < idealHits; index++) idealGain += 1 / Math.log2(index + 2)
  return idealGain ? gain / idealGain : 0
}

export const countHits = (list: readonly number[], relevant: ReadonlySet<number>, cutoff: number): number =>
  list.slice(0, cutoff).filter((key) => relevant.has(key)).length

export const computeMean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** mulberry32 generator with a fixed seed, so that every run draws the same numbers. */
export function createSeededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/**
 * Returns the 95 % bootstrap interval of a statistic: 2,000 resamples of `count` users with replacement; `pick` draws one index.
 */
function computeBootstrapInterval(
  count: number,
  statistic: (pick: () => number) => number,
): [number, number] {
  const nextRandom = createSeededRandom(7)
  const statistics = Array.from({ length: 2000 }, () => statistic(() => Math.floor(nextRandom() * count)))
  statistics.sort((a, b) => a - b)
  return [statistics[50]!, statistics[1949]!]
}

/** Returns the 95 % bootstrap interval of the mean. */
export const computeMeanInterval = (values: readonly number[]): [number, number] =>
  computeBootstrapInterval(values.length, (pick) => {
    let sum = 0
    for (let sample = 0; sample < values.length; sample++) sum += values[pick()]!
    return sum / values.length
  })

/** Returns the 95 % bootstrap interval of the ratio of two means over the same users. */
export const computeRatioInterval = (ours: readonly number[], theirs: readonly number[]): [number, number] =>
  computeBootstrapInterval(ours.length, (pick) => {
    let ourSum = 0
    let theirSum = 0
    for (let sample = 0; sample < ours.length; sample++) {
      const index = pick()
      ourSum += ours[index]!
      theirSum += theirs[index]!
    }
    return ourSum / theirSum
  })

export const formatFixed = (value: number, digits = 4): string => value.toFixed(digits)

export const formatMeanWithInterval = (values: readonly number[]): string => {
  const [low, high] = computeMeanInterval(values)
  return `${formatFixed(computeMean(values))} [${formatFixed(low)}, ${formatFixed(high)}]`
}
