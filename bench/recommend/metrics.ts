/**
 * Returns the normalised discounted cumulative gain of the first `cutoff` items. The ideal list has
 * `idealHitCount` relevant items.
 */
export function computeNdcg(
  rankedKeys: readonly number[],
  relevantKeys: ReadonlySet<number>,
  cutoff: number,
  idealHitCount: number,
): number {
  let discountedGain = 0
  let idealGain = 0
  for (let index = 0; index < Math.min(cutoff, rankedKeys.length); index++)
    if (relevantKeys.has(rankedKeys[index]!)) discountedGain += 1 / Math.log2(index + 2)
  for (let index = 0; index < idealHitCount; index++) idealGain += 1 / Math.log2(index + 2)
  return idealGain ? discountedGain / idealGain : 0
}

export const countHits = (
  rankedKeys: readonly number[],
  relevantKeys: ReadonlySet<number>,
  cutoff: number,
): number => rankedKeys.slice(0, cutoff).filter((key) => relevantKeys.has(key)).length

export const computeMean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/**
 * Returns a mulberry32 generator of numbers between 0 and 1. Equal seeds give equal numbers, so that runs are
 * comparable.
 */
export function createSeededRandom(seed: number): () => number {
  let generatorState = seed
  return () => {
    generatorState = (generatorState + 0x6d2b79f5) | 0
    let mixedState = Math.imul(generatorState ^ (generatorState >>> 15), 1 | generatorState)
    mixedState = (mixedState + Math.imul(mixedState ^ (mixedState >>> 7), 61 | mixedState)) ^ mixedState
    return ((mixedState ^ (mixedState >>> 14)) >>> 0) / 4294967296
  }
}

/**
 * Returns the 95 % bootstrap interval of a statistic of `valueCount` users, from 2,000 resamples with replacement.
 * `computeStatistic` draws the index of each user with `drawIndex`.
 */
function computeBootstrapInterval(
  valueCount: number,
  computeStatistic: (drawIndex: () => number) => number,
): [number, number] {
  const nextRandom = createSeededRandom(7)
  const statistics = Array.from({ length: 2000 }, () =>
    computeStatistic(() => Math.floor(nextRandom() * valueCount)),
  )
  statistics.sort((a, b) => a - b)
  return [statistics[50]!, statistics[1949]!]
}

/** Returns the 95 % bootstrap interval of the mean. */
export const computeMeanInterval = (values: readonly number[]): [number, number] =>
  computeBootstrapInterval(values.length, (drawIndex) => {
    let sum = 0
    for (let sampleIndex = 0; sampleIndex < values.length; sampleIndex++) sum += values[drawIndex()]!
    return sum / values.length
  })

/** Returns the 95 % bootstrap interval of the ratio of two means over the same users. */
export const computeRatioInterval = (
  ourValues: readonly number[],
  theirValues: readonly number[],
): [number, number] =>
  computeBootstrapInterval(ourValues.length, (drawIndex) => {
    let ourSum = 0
    let theirSum = 0
    for (let sampleIndex = 0; sampleIndex < ourValues.length; sampleIndex++) {
      const index = drawIndex()
      ourSum += ourValues[index]!
      theirSum += theirValues[index]!
    }
    return ourSum / theirSum
  })

export const formatFixed = (value: number, digits = 4): string => value.toFixed(digits)

export const formatMeanWithInterval = (values: readonly number[]): string => {
  const [lowerBound, upperBound] = computeMeanInterval(values)
  return `${formatFixed(computeMean(values))} [${formatFixed(lowerBound)}, ${formatFixed(upperBound)}]`
}
