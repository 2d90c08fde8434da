import type { CollaborativeModel } from './collaborative.ts'
import { tuning } from './constants.ts'

/**
 * Sequence model: finds titles that profiles chose soon after a given title. When a profile chose title i and later
 * title j, the weight from i to j grows by sqrt(value_i) * value_j * e^(-steps / `tuning.sequenceDecaySteps`). The
 * weight is divided by the square roots of the supports of i and j. The support of a title is the number of profiles
 * that interacted with it, plus `tuning.sequenceShrinkage`. The division reduces the weights of titles that most
 * profiles choose at some time, because the order in which profiles choose these titles contains little information.
 */

const getSupportScale = (collaborative: CollaborativeModel, column: number): number =>
  1 /
  Math.sqrt(
    collaborative.columnStarts[column + 1]! - collaborative.columnStarts[column]! + tuning.sequenceShrinkage,
  )

const decayByStepCount = Float64Array.from({ length: tuning.sequenceHorizonSteps + 1 }, (_, steps) =>
  Math.exp(-steps / tuning.sequenceDecaySteps),
)

/** Adds the sequence score of each column to `scores`. Anchors with a negative weight are ignored. */
export function addSequenceScores(
  collaborative: CollaborativeModel,
  anchors: readonly { readonly column: number; readonly weight: number }[],
  scores: Float64Array,
): void {
  const sumByColumn = new Float64Array(collaborative.keys.length)
  for (const { column, weight } of anchors) {
    if (weight <= 0) continue
    const anchorWeight = weight * getSupportScale(collaborative, column)
    for (
      let columnPosition = collaborative.columnStarts[column]!;
      columnPosition < collaborative.columnStarts[column + 1]!;
      columnPosition++
    ) {
      const entry = collaborative.columnEntries[columnPosition]!
      const entryEnd = Math.min(
        collaborative.rowStarts[collaborative.columnRows[columnPosition]! + 1]!,
        entry + tuning.sequenceHorizonSteps + 1,
      )
      const entryWeight = anchorWeight * Math.sqrt(collaborative.rowValues[entry]!)
      for (let laterEntry = entry + 1; laterEntry < entryEnd; laterEntry++) {
        const steps = collaborative.rowSteps[laterEntry]! - collaborative.rowSteps[entry]!
        if (steps > 0)
          sumByColumn[collaborative.rowColumns[laterEntry]!]! +=
            entryWeight * collaborative.rowValues[laterEntry]! * (decayByStepCount[steps] ?? 0)
      }
    }
  }
  for (let column = 0; column < sumByColumn.length; column++)
    if (sumByColumn[column])
      scores[column]! += tuning.sequenceWeight * sumByColumn[column]! * getSupportScale(collaborative, column)
}

/** Returns the score that `addSequenceScores` adds to column `toColumn` for the anchor `fromColumn` with weight 1. */
export function computeSequenceWeight(
  collaborative: CollaborativeModel,
  fromColumn: number,
  toColumn: number,
): number {
  let fromIndex = collaborative.columnStarts[fromColumn]!
  let toIndex = collaborative.columnStarts[toColumn]!
  let weightSum = 0
  while (
    fromIndex < collaborative.columnStarts[fromColumn + 1]! &&
    toIndex < collaborative.columnStarts[toColumn + 1]!
  ) {
    const difference = collaborative.columnRows[fromIndex]! - collaborative.columnRows[toIndex]!
    if (difference === 0) {
      const steps =
        collaborative.rowSteps[collaborative.columnEntries[toIndex]!]! -
        collaborative.rowSteps[collaborative.columnEntries[fromIndex]!]!
      const entryDistance = collaborative.columnEntries[toIndex]! - collaborative.columnEntries[fromIndex]!
      if (steps > 0 && entryDistance <= tuning.sequenceHorizonSteps)
        weightSum +=
          Math.sqrt(collaborative.rowValues[collaborative.columnEntries[fromIndex]!]!) *
          collaborative.rowValues[collaborative.columnEntries[toIndex]!]! *
          (decayByStepCount[steps] ?? 0)
    }
    if (difference <= 0) fromIndex++
    if (difference >= 0) toIndex++
  }
  return (
    tuning.sequenceWeight *
    weightSum *
    getSupportScale(collaborative, fromColumn) *
    getSupportScale(collaborative, toColumn)
  )
}
