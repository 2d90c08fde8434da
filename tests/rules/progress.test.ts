/** Progress under every order of arrival: offline devices send late, and send twice. */
import { expect, test } from 'vitest'
import { mergeProgress, type ProgressReport, type StoredProgress } from '../../src/lib/rules/progress.ts'
import { isReleased } from '../../src/lib/rules/release-date.ts'

const reports: ProgressReport[] = [
  { progress: 100, duration: 1000, updated_at: 1 },
  { progress: 500, duration: 1000, updated_at: 2 },
  { progress: 0, duration: 0, updated_at: 3 },
  { progress: 200, duration: 1000, updated_at: 4 },
  { progress: 300, duration: 1000, updated_at: 5 },
]
const after = (order: readonly ProgressReport[]) =>
  order.reduce<StoredProgress | null>((stored, report) => mergeProgress(stored, report).stored, null)

function* orders<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield []
  for (const [i, one] of items.entries()) {
    for (const rest of orders(items.toSpliced(i, 1))) yield [one, ...rest]
  }
}

test('reports in any of the 120 orders, and twice, end where they end in order', () => {
  const inOrder = after(reports)
  expect(inOrder?.progress).toBe(300)
  for (const order of orders(reports)) {
    expect(after(order)).toEqual(inOrder)
    expect(after([...order, ...order])).toEqual(inOrder)
  }
})

test('what is not a number says nothing', () => {
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, -1]) {
    expect(mergeProgress(null, { progress: bad, duration: 1000, updated_at: 1 }).outcome).toBe('failed_start')
    expect(mergeProgress(null, { progress: 10, duration: bad, updated_at: 1 }).outcome).toBe('failed_start')
  }
  const stored = after(reports)
  expect(mergeProgress(stored, { progress: 900, duration: 1000, updated_at: Number.NaN }).stored).toBe(stored)
})

test('released: today or earlier; what has no date is not', () => {
  expect(isReleased('2026-11-20', '2026-11-20')).toBe(true)
  expect(isReleased('2026-11-19', '2026-11-20')).toBe(true)
  expect(isReleased('2026-11-21', '2026-11-20')).toBe(false)
  for (const none of [null, undefined, '']) expect(isReleased(none, '2026-11-20')).toBe(false)
})
