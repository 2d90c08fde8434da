import { expect, it, vi } from 'vitest'
import { RowSet } from '../../../server/browse/row-set.ts'
import { RowSetCache } from '../../../server/browse/row-set-cache.ts'

it('counts the rows of a RowSet after the set is copied and intersected', () => {
  const rowCount = 1_000
  const isEven = new RowSet(rowCount)
  isEven.addAll(
    Uint32Array.from({ length: 1_200 }, (_, index) => (index * 2) % rowCount),
    1_200,
  )
  const isThird = new RowSet(rowCount)
  for (let row = 0; row < rowCount; row += 3) isThird.add(row)
  const evenRows = isEven.clone()
  evenRows.intersect(isThird)
  const expectedRows = Array.from({ length: rowCount }, (_, row) => row).filter((row) => row % 6 === 0)
  expect([...evenRows.toArray()]).toEqual(expectedRows)
  expect([evenRows.size, isEven.size, isThird.size]).toEqual([expectedRows.length, 500, 334])
})

it('RowSetCache deletes the least recently used row set when the cache reaches its memory limit', () => {
  const cache = new RowSetCache()
  const collect = vi.fn(() => new RowSet(8 * 8_000_000))
  const findRows = (key: string) => cache.getOrCollect(key, collect)
  for (const key of ['a', 'b', 'c', 'd', 'a']) findRows(key)
  expect(collect).toHaveBeenCalledTimes(4)
  findRows('e')
  findRows('a')
  expect(collect).toHaveBeenCalledTimes(5)
  findRows('b')
  expect(collect).toHaveBeenCalledTimes(6)
  cache.clear()
  findRows('b')
  expect(collect).toHaveBeenCalledTimes(7)
})
