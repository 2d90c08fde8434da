/** Statistics of measured values that several benchmarks print. */

/**
 * Returns the value at the index ⌊fraction × count⌋ of the sorted values, at most the last value; NaN without values.
 * Does not interpolate.
 */
export function getQuantile(values: readonly number[], fraction: number): number {
  const sortedValues = [...values].sort((a, b) => a - b)
  return sortedValues[Math.min(values.length - 1, Math.floor(values.length * fraction))] ?? Number.NaN
}

export const getMedian = (values: readonly number[]): number => getQuantile(values, 0.5)
