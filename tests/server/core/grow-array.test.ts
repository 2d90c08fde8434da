import { expect, it } from 'vitest'
import { growArray, resizeArray } from '../../../server/core/grow-array.ts'

it('keeps the elements of a growing array and adds an eighth of its length at most once per growth', () => {
  let array = Uint16Array.of(7, 65_535)
  const lengths: number[] = []
  while (array.length < 100_000) {
    array = growArray(array, array.length + 1)
    lengths.push(array.length)
  }
  expect([...array.subarray(0, 3)]).toEqual([7, 65_535, 0])
  for (const [index, length] of lengths.slice(1).entries())
    expect(length).toBeLessThanOrEqual((lengths[index] as number) * 1.125 + 1_024)
})

it('grows an array to a length above an eighth more', () => {
  expect(growArray(Float64Array.of(0.5), 50_000)).toHaveLength(50_000)
})

it('releases the memory of the former array', () => {
  const array = Uint32Array.of(1, 2, 3)
  expect([...resizeArray(array, 2)]).toEqual([1, 2])
  expect(array).toHaveLength(0)
})
