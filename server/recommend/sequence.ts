import type { CollaborativeModel } from './collaborative.ts'
import { tuning } from './constants.ts'

/**
 * Sequence model: finds titles that profiles chose soon after a given title. When a profile chose title i and later
 * title j, the weight from i to j grows by sqrt(value_i) * value_j * e^(-steps / `tuning.sequenceMemorySteps`). The
 * weight is divided by the square roots of the supports of i and j. The support of a title is the number of profiles
 * that interacted with it, plus `tuning.sequenceShrinkage`. So titles that most profiles choose at some time gain
 * little.
 */

const getSupportScale = (crowd: CollaborativeModel, column: number): number =>
  1 / Math.sqrt(crowd.colStart[column + 1]! - crowd.colStart[column]! + tuning.sequenceShrinkage)

const decayByStepCount = Float64Array.from({ length: tuning.sequenceHorizonSteps + 1 }, (_, steps) =>
  Math.exp(-steps / tuning.sequenceMemorySteps),
)

/** Adds the sequence score of each column to `scores`. Anchors with a negative weight are ignored. */
export function addSequenceScores(
  crowd: CollaborativeModel,
  anchors: readonly { readonly column: number; readonly weight: number }[],
  scores: Float64Array,
): void {
  const sumByColumn = new Float64Array(crowd.keys.length)
  for (const { column, weight } of anchors) {
    if (weight <= 0) continue
    const anchorWeight = weight * getSupportScale(crowd, column)
    for (
      let columnPosition = crowd.colStart[column]!;
      columnPosition < crowd.colStart[column + 1]!;
      columnPosition++
    ) {
      const entry = crowd.colEntries[columnPosition]!
      const lastEntry = Math.min(
        crowd.rowStart[crowd.colRows[columnPosition]! + 1]!,
        entry + tuning.sequenceHorizonSteps + 1,
      )
      const gain = anchorWeight * Math.sqrt(crowd.rowValues[entry]!)
      for (let laterEntry = entry + 1; laterEntry < lastEntry; laterEntry++) {
        const steps = crowd.rowSteps[laterEntry]! - crowd.rowSteps[entry]!
        if (steps > 0)
          sumByColumn[crowd.rowCols[laterEntry]!]! +=
            gain * crowd.rowValues[laterEntry]! * (decayByStepCount[steps] ?? 0)
      }
    }
  }
  for (let column = 0; column < sumByColumn.length; column++)
    if (sumByColumn[column])
      scores[column]! += tuning.sequence * sumByColumn[column]! * getSupportScale(crowd, column)
}

/** Returns the score that `addSequenceScores` adds to column `toColumn` for the anchor `fromColumn` with weight 1. */
export function computeSequenceWeight(
  crowd: CollaborativeModel,
  fromColumn: number,
  toColumn: number,
): number {
  let fromIndex = crowd.colStart[fromColumn]!
  let toIndex = crowd.colStart[toColumn]!
  let weightSum = 0
  while (fromIndex < crowd.colStart[fromColumn + 1]! && toIndex < crowd.colStart[toColumn + 1]!) {
    const difference = crowd.colRows[fromIndex]! - crowd.colRows[toIndex]!
    if (difference === 0) {
      const steps =
        crowd.rowSteps[crowd.colEntries[toIndex]!]! - crowd.rowSteps[crowd.colEntries[fromIndex]!]!
      const entryDistance = crowd.colEntries[toIndex]! - crowd.colEntries[fromIndex]!
      if (steps > 0 && entryDistance <= tuning.sequenceHorizonSteps)
        weightSum +=
          Math.sqrt(crowd.rowValues[crowd.colEntries[fromIndex]!]!) *
          crowd.rowValues[crowd.colEntries[toIndex]!]! *
          (decayByStepCount[steps] ?? 0)
    }
    if (difference <= 0) fromIndex++
    if (difference >= 0) toIndex++
  }
  return tuning.sequence * weightSum * getSupportScale(crowd, fromColumn) * getSupportScale(crowd, toColumn)
}
