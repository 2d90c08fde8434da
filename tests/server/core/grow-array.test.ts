import { expect, it } from 'vitest'
import { growArray, resizeArray } from '../../../server/core/grow-array.ts'

it('growArray keeps the elements, and a request for one more element lengthens the array by at most an eighth plus 1,024 elements', () => {
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

it('growArray returns an array of the requested length even if that is more than an eighth above the current length', () => {
  expect(growArray(Float64Array.of(0.5), 50_000)).toHaveLength(50_000)
})

it('resizeArray releases the memory of the array that it replaces', () => {
  const array = Uint32Array.of(1, 2, 3)
  expect([...resizeArray(array, 2)]).toEqual([1, 2])
  expect(array).toHaveLength(0)
})
