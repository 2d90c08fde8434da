/**
 * Tests of serial-order.ts, which two-devices.test.ts uses: only writes that overlap in time may take effect in either
 * order.
 */
import { expect, it } from 'vitest'
import { findPossibleStates, type TitleWrite, type WriteKind } from './serial-order.ts'

const createWrite = (
  deviceIndex: number,
  kind: WriteKind,
  writtenValue: string,
  startOrder: number,
  endOrder: number,
  reportedAtMs = 0,
): TitleWrite => ({
  titleId: '1',
  kind,
  writtenValue,
  reportedAtMs,
  deviceIndex,
  startOrder,
  endOrder,
})

it('findPossibleStates returns one final state when no writes overlap', () => {
  const writes = [
    createWrite(0, 'in', '', 0, 1),
    createWrite(1, 'state', 'watching', 2, 3),
    createWrite(0, 'rate', 'liked', 4, 5),
    createWrite(1, 'favorite', 'true', 6, 7),
  ]
  expect([...findPossibleStates(writes, 'watchlist')]).toEqual(['watching'])
  expect([...findPossibleStates(writes, 'feedback')]).toEqual(['liked'])
  expect([...findPossibleStates(writes, 'favorite')]).toEqual(['true'])
  expect([...findPossibleStates([...writes, createWrite(0, 'out', '', 8, 9)], 'watchlist')]).toEqual(['out'])
})

it('findPossibleStates returns the final states of both overlapping writes, but not the state before the writes', () => {
  const writes = [createWrite(0, 'rate', 'liked', 0, 3), createWrite(1, 'rate', 'disliked', 1, 2)]
  expect([...findPossibleStates(writes, 'feedback')].sort()).toEqual(['disliked', 'liked'])
  expect(findPossibleStates(writes, 'feedback')).not.toContain('null')
})

it('findPossibleStates ignores a progress report that arrives after a newer report, but applies a removal of progress', () => {
  const writes = [createWrite(0, 'progress', '50', 0, 1, 20), createWrite(1, 'progress', '10', 2, 3, 10)]
  expect([...findPossibleStates(writes, 'progress')]).toEqual(['50'])
  expect([...findPossibleStates([...writes, createWrite(0, 'reset', '', 4, 5)], 'progress')]).toEqual([
    'none',
  ])
})
