/** Merging of progress reports in any order of arrival, because offline devices send reports late and repeatedly. */
import { expect, test } from 'vitest'
import {
  mergeProgress,
  type ProgressReport,
  type StoredProgress,
} from '../../src/lib/rules/merge-progress.ts'
import { isReleased } from '../../src/lib/rules/release-date.ts'

const reports: ProgressReport[] = [
  { progress: 100, duration: 1000, updated_at: 1 },
  { progress: 500, duration: 1000, updated_at: 2 },
  { progress: 0, duration: 0, updated_at: 3 },
  { progress: 200, duration: 1000, updated_at: 4 },
  { progress: 300, duration: 1000, updated_at: 5 },
]
const mergeReports = (orderedReports: readonly ProgressReport[]) =>
  orderedReports.reduce<StoredProgress | null>(
    (storedProgress, report) => mergeProgress(storedProgress, report).mergedProgress,
    null,
  )

function* generatePermutations<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield []
  for (const [index, item] of items.entries()) {
    for (const remainingItems of generatePermutations(items.toSpliced(index, 1)))
      yield [item, ...remainingItems]
  }
}

test('merging five progress reports in any order, once or twice, has the same result as in the original order', () => {
  const progressInOrder = mergeReports(reports)
  expect(progressInOrder?.progress).toBe(300)
  for (const orderedReports of generatePermutations(reports)) {
    expect(mergeReports(orderedReports)).toEqual(progressInOrder)
    expect(mergeReports([...orderedReports, ...orderedReports])).toEqual(progressInOrder)
  }
})

test('progress reports with a negative, infinite or NaN position or duration, or with a NaN time, are ignored', () => {
  for (const invalidPosition of [Number.NaN, Number.POSITIVE_INFINITY, -1]) {
    expect(mergeProgress(null, { progress: invalidPosition, duration: 1000, updated_at: 1 }).outcome).toBe(
      'failed_start',
    )
    expect(mergeProgress(null, { progress: 10, duration: invalidPosition, updated_at: 1 }).outcome).toBe(
      'failed_start',
    )
  }
  const storedProgress = mergeReports(reports)
  expect(
    mergeProgress(storedProgress, { progress: 900, duration: 1000, updated_at: Number.NaN }).mergedProgress,
  ).toBe(storedProgress)
})

test('a title is released only if its release date is today or earlier', () => {
  expect(isReleased('2026-11-20', '2026-11-20')).toBe(true)
  expect(isReleased('2026-11-19', '2026-11-20')).toBe(true)
  expect(isReleased('2026-11-21', '2026-11-20')).toBe(false)
  for (const missingDate of [null, undefined, '']) expect(isReleased(missingDate, '2026-11-20')).toBe(false)
})
