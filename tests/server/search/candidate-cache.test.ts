import { expect, it } from 'vitest'
import { CandidateCache } from '../../../server/search/candidate-cache.ts'

const PART_SLOT_COUNT = 4_000
const createCandidate = (slot: number) => ({
  slot,
  mediaId: `tt${slot}`,
  year: null,
  popularity: 0,
  names: '[]',
  folds: '',
})

function fillCache(cache: CandidateCache, firstSlot: number, count: number): void {
  for (let slot = firstSlot; slot < firstSlot + count; slot++) cache.add(createCandidate(slot))
}

it('CandidateCache keeps a candidate that is used again, and drops a candidate that is not used while 8,000 other candidates are added', () => {
  const cache = new CandidateCache()
  fillCache(cache, 0, PART_SLOT_COUNT)
  fillCache(cache, PART_SLOT_COUNT, PART_SLOT_COUNT)
  expect(cache.get(0)).toMatchObject({ mediaId: 'tt0' })
  fillCache(cache, 2 * PART_SLOT_COUNT, PART_SLOT_COUNT)
  expect(cache.get(0)).toMatchObject({ mediaId: 'tt0' })
  expect(cache.get(1)).toBeUndefined()
})

it('CandidateCache is empty after the state of the index has changed', () => {
  const cache = new CandidateCache()
  cache.clearIfStateChanged('a1')
  cache.add(createCandidate(7))
  cache.clearIfStateChanged('a1')
  expect(cache.get(7)).toMatchObject({ slot: 7 })
  cache.clearIfStateChanged('a2')
  expect(cache.get(7)).toBeUndefined()
})
