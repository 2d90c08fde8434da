import { tuning } from './constants.ts'
import type { Crowd } from './crowd.ts'

/**
 * What came after: profiles that met title i met title j soon afterwards. Each pair counts
 * sqrt(value_i) * value_j * e^(-steps / memory), divided by the square roots of both supports (shrunk), so that a
 * title everybody meets sooner or later is no news.
 */

const scale = (crowd: Crowd, column: number): number =>
  1 / Math.sqrt(crowd.colStart[column + 1]! - crowd.colStart[column]! + tuning.nextShrink)

const decay = Float64Array.from({ length: tuning.nextHorizon + 1 }, (_, n) =>
  Math.exp(-n / tuning.nextMemory),
)

/** Adds to every column what followed the anchors. Anchors that speak against count nothing here. */
export function addNext(
  crowd: Crowd,
  anchors: readonly { readonly column: number; readonly weight: number }[],
  out: Float64Array,
): void {
  const sums = new Float64Array(crowd.keys.length)
  for (const { column, weight } of anchors) {
    if (weight <= 0) continue
    const own = weight * scale(crowd, column)
    for (let at = crowd.colStart[column]!; at < crowd.colStart[column + 1]!; at++) {
      const entry = crowd.colEntries[at]!
      const end = Math.min(crowd.rowStart[crowd.colRows[at]! + 1]!, entry + tuning.nextHorizon + 1)
      const gain = own * Math.sqrt(crowd.rowValues[entry]!)
      for (let later = entry + 1; later < end; later++) {
        const steps = crowd.rowSteps[later]! - crowd.rowSteps[entry]!
        if (steps > 0) sums[crowd.rowCols[later]!]! += gain * crowd.rowValues[later]! * (decay[steps] ?? 0)
      }
    }
  }
  for (let column = 0; column < sums.length; column++)
    if (sums[column]) out[column]! += tuning.next * sums[column]! * scale(crowd, column)
}

/** The part of `addNext` that one anchor (weight 1) gives one column. */
export function nextWeight(crowd: Crowd, one: number, other: number): number {
  let a = crowd.colStart[one]!
  let b = crowd.colStart[other]!
  let sum = 0
  while (a < crowd.colStart[one + 1]! && b < crowd.colStart[other + 1]!) {
    const difference = crowd.colRows[a]! - crowd.colRows[b]!
    if (difference === 0) {
      const steps = crowd.rowSteps[crowd.colEntries[b]!]! - crowd.rowSteps[crowd.colEntries[a]!]!
      const apart = crowd.colEntries[b]! - crowd.colEntries[a]!
      if (steps > 0 && apart <= tuning.nextHorizon)
        sum +=
          Math.sqrt(crowd.rowValues[crowd.colEntries[a]!]!) *
          crowd.rowValues[crowd.colEntries[b]!]! *
          (decay[steps] ?? 0)
    }
    if (difference <= 0) a++
    if (difference >= 0) b++
  }
  return tuning.next * sum * scale(crowd, one) * scale(crowd, other)
}
