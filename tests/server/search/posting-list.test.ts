/** Posting lists: sets of document ranks, stored as sorted numbers or as bitmaps. */
import { expect, test } from 'vitest'
import {
  createPostingList,
  decodePostingList,
  encodePostingList,
  intersectPostingLists,
  type PostingList,
  unitePostingLists,
  visitRanks,
} from '../../../server/search/posting-list.ts'
import { PostingListCache } from '../../../server/search/posting-list-cache.ts'

const DOCUMENT_COUNT = 3_000
const listRanks = (postingList: PostingList, excludedBitmap: Uint32Array | null = null): number[] => {
  const ranks: number[] = []
  visitRanks(postingList, excludedBitmap, (rank) => ranks.push(rank) > 0)
  return ranks
}
/** Returns every `step`-th rank from `firstRank`. A posting list with a small step is stored as a bitmap. */
const listRanksByStep = (step: number, firstRank = 0) =>
  Array.from(
    { length: Math.ceil((DOCUMENT_COUNT - firstRank) / step) },
    (_, index) => firstRank + index * step,
  )
const createList = (ranks: number[]) => createPostingList(Uint32Array.from(ranks), DOCUMENT_COUNT)

test('a posting list stores few ranks as numbers and many ranks as a bitmap', () => {
  expect(createList(listRanksByStep(100)).ranks).toBeDefined()
  expect(createList(listRanksByStep(3)).bitmap).toBeDefined()
})

test.each([1, 2, 3, 9, 11, 31, 33, 300, 2_999])(
  'encoding and decoding a posting list of every %i-th rank returns the same ranks',
  (step) => {
    for (const firstRank of [0, 1, 31]) {
      const ranks = listRanksByStep(step, firstRank)
      expect(
        listRanks(decodePostingList(encodePostingList(createList(ranks), DOCUMENT_COUNT), DOCUMENT_COUNT)),
      ).toEqual(ranks)
    }
  },
)

test('createPostingList sorts ranks and removes repeated ranks', () => {
  expect(listRanks(createList([7, 3, 7, 2_999, 3]))).toEqual([3, 7, 2_999])
})

test.each([3, 100, 5_000])('createPostingList sorts %i ranks of a million documents', (rankCount) => {
  const documentCount = 1_000_000
  // 7,919 is a prime number that does not divide the number of documents, so every rank is different.
  // The ranks are passed in this order and in the reversed order.
  const ranks = Uint32Array.from(
    { length: rankCount },
    (_, index) => (index * 7_919 + rankCount) % documentCount,
  )
  const expectedRanks = [...ranks].sort((a, b) => a - b)
  for (const unsortedRanks of [ranks, ranks.toReversed()])
    expect(listRanks(createPostingList(unsortedRanks, documentCount))).toEqual(expectedRanks)
  const halves = [ranks.subarray(rankCount / 2), ranks.subarray(0, rankCount / 2)]
  const postingLists = halves.map((halfOfRanks) => createPostingList(halfOfRanks, documentCount))
  expect(listRanks(unitePostingLists(postingLists, documentCount))).toEqual(expectedRanks)
})

test('a full cache of posting lists drops the least recently used lists', () => {
  const cache = new PostingListCache(3_700)
  const postingList = createList(listRanksByStep(30, 1))
  for (const key of ['a', 'b', 'c']) cache.add(key, postingList)
  expect(cache.get('a')).toBe(postingList)
  for (const key of ['d', 'e']) cache.add(key, postingList)
  expect(['a', 'b', 'c', 'd', 'e'].filter((key) => cache.get(key))).toEqual(['a', 'c', 'd', 'e'])
})

test.each([
  [2, 3],
  [2, 100],
  [50, 60],
  [100, 2],
])(
  'for the lists of every %i-th and every %i-th rank, intersectPostingLists returns the common ranks and unitePostingLists returns all ranks',
  (stepA, stepB) => {
    const [ranksA, ranksB] = [listRanksByStep(stepA), listRanksByStep(stepB)]
    const postingLists = [createList(ranksA), createList(ranksB)]
    expect(listRanks(intersectPostingLists(postingLists))).toEqual(
      ranksA.filter((rank) => ranksB.includes(rank)),
    )
    expect(listRanks(unitePostingLists(postingLists, DOCUMENT_COUNT))).toEqual(
      [...new Set([...ranksA, ...ranksB])].sort((x, y) => x - y),
    )
  },
)

test('visitRanks skips excluded ranks and stops when the visitor function needs no more ranks', () => {
  const excludedBitmap = createList(listRanksByStep(2)).bitmap ?? null
  for (const step of [3, 100]) {
    const postingList = createList(listRanksByStep(step))
    expect(listRanks(postingList, excludedBitmap)).toEqual(
      listRanksByStep(step).filter((rank) => rank % 2 === 1),
    )
  }
  const visitedRanks: number[] = []
  visitRanks(createList(listRanksByStep(1)), null, (rank) => visitedRanks.push(rank) < 3)
  expect(visitedRanks).toEqual([0, 1, 2])
})
