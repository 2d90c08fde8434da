import { expect, it, vi } from 'vitest'
import { RowSet } from '../../../server/browse/row-set.ts'
import { RowSetCache } from '../../../server/browse/row-set-cache.ts'

it('intersecting a clone of a RowSet keeps only the common rows in the clone, and changes no other set', () => {
  const rowCount = 1_000
  const evenRowSet = new RowSet(rowCount)
  evenRowSet.addAll(
    Uint32Array.from({ length: 1_200 }, (_, index) => (index * 2) % rowCount),
    1_200,
  )
  const everyThirdRowSet = new RowSet(rowCount)
  for (let row = 0; row < rowCount; row += 3) everyThirdRowSet.add(row)
  const intersectedRowSet = evenRowSet.clone()
  intersectedRowSet.intersect(everyThirdRowSet)
  const expectedRows = Array.from({ length: rowCount }, (_, row) => row).filter((row) => row % 6 === 0)
  expect([...intersectedRowSet.toArray()]).toEqual(expectedRows)
  expect([intersectedRowSet.size, evenRowSet.size, everyThirdRowSet.size]).toEqual([
    expectedRows.length,
    500,
    334,
  ])
})

it('RowSetCache deletes the least recently used row set when the cache reaches its memory limit', () => {
  const rowSetCache = new RowSetCache()
  const collectRows = vi.fn(() => new RowSet(8 * 8_000_000))
  const findRows = (cacheKey: string) => rowSetCache.getOrCollectRows(cacheKey, collectRows)
  for (const cacheKey of ['a', 'b', 'c', 'd', 'a']) findRows(cacheKey)
  expect(collectRows).toHaveBeenCalledTimes(4)
  findRows('e')
  findRows('a')
  expect(collectRows).toHaveBeenCalledTimes(5)
  findRows('b')
  expect(collectRows).toHaveBeenCalledTimes(6)
  rowSetCache.clear()
  findRows('b')
  expect(collectRows).toHaveBeenCalledTimes(7)
})
