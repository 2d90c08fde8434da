/** Sets of ranks as sorted numbers and as bitmaps. */
import { expect, test } from 'vitest'
import {
  createPostingList,
  decodePostingList,
  encodePostingList,
  intersectLists,
  type PostingList,
  uniteLists,
  visitRanks,
} from '../../../server/search/posting-list.ts'
import { PostingListCache } from '../../../server/search/posting-list-cache.ts'

const DOCUMENTS = 3_000
const listRanks = (list: PostingList, excluded: Uint32Array | null = null): number[] => {
  const ranks: number[] = []
  visitRanks(list, excluded, (rank) => ranks.push(rank) > 0)
  return ranks
}
/** Returns every `step`-th rank. With small steps, the list is stored as a bitmap. */
const listEvery = (step: number, start = 0) =>
  Array.from({ length: Math.ceil((DOCUMENTS - start) / step) }, (_, index) => start + index * step)
const createList = (ranks: number[]) => createPostingList(Uint32Array.from(ranks), DOCUMENTS)

test('stores few ranks as numbers and many ranks as a bitmap', () => {
  expect(createList(listEvery(100)).ranks).toBeDefined()
  expect(createList(listEvery(3)).words).toBeDefined()
})

test.each([1, 2, 3, 9, 11, 31, 33, 300, 2_999])('keeps every %i-th rank when encoded and decoded', (step) => {
  for (const start of [0, 1, 31]) {
    const ranks = listEvery(step, start)
    expect(listRanks(decodePostingList(encodePostingList(createList(ranks), DOCUMENTS), DOCUMENTS))).toEqual(
      ranks,
    )
  }
})

test('sorts ranks and removes repeated ranks', () => {
  expect(listRanks(createList([7, 3, 7, 2_999, 3]))).toEqual([3, 7, 2_999])
})

test.each([3, 100, 5_000])('sorts %i ranks of a million documents', (count) => {
  const documents = 1_000_000
  // 7,919 is a prime number, so no rank is repeated; the second list is listed in the opposite order.
  const ranks = Uint32Array.from({ length: count }, (_, index) => (index * 7_919 + count) % documents)
  const expectedRanks = [...ranks].sort((a, b) => a - b)
  for (const unsorted of [ranks, ranks.toReversed()])
    expect(listRanks(createPostingList(unsorted, documents))).toEqual(expectedRanks)
  const halves = [ranks.subarray(count / 2), ranks.subarray(0, count / 2)]
  const lists = halves.map((half) => createPostingList(half, documents))
  expect(listRanks(uniteLists(lists, documents))).toEqual(expectedRanks)
})

test('a cache leaves out the least recently used lists', () => {
  const cache = new PostingListCache(2_500)
  const list = createList(listEvery(30, 1))
  for (const key of ['a', 'b', 'c']) cache.add(key, list)
  expect(cache.get('a')).toBe(list)
  for (const key of ['d', 'e']) cache.add(key, list)
  expect(['a', 'b', 'c', 'd', 'e'].filter((key) => cache.get(key))).toEqual(['a', 'c', 'd', 'e'])
})

test.each([
  [2, 3],
  [2, 100],
  [50, 60],
  [100, 2],
])('intersects and unites the lists of every %i-th and of every %i-th rank', (stepA, stepB) => {
  const [a, b] = [listEvery(stepA), listEvery(stepB)]
  const lists = [createList(a), createList(b)]
  expect(listRanks(intersectLists(lists))).toEqual(a.filter((rank) => b.includes(rank)))
  expect(listRanks(uniteLists(lists, DOCUMENTS))).toEqual([...new Set([...a, ...b])].sort((x, y) => x - y))
})

test('skips excluded ranks and stops when the visitor function needs no more ranks', () => {
  const excluded = createList(listEvery(2)).words ?? null
  for (const step of [3, 100]) {
    const list = createList(listEvery(step))
    expect(listRanks(list, excluded)).toEqual(listEvery(step).filter((rank) => rank % 2 === 1))
  }
  const visited: number[] = []
  visitRanks(createList(listEvery(1)), null, (rank) => visited.push(rank) < 3)
  expect(visited).toEqual([0, 1, 2])
})
