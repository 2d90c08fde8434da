/** Titles that count as seen because of a pending mark as seen, before the server has confirmed the mark. */
import { beforeEach, expect, it } from 'vitest'
import {
  listPendingWrites,
  markUnconfirmed,
  revertPendingWrite,
  storePendingWrite,
} from '../../src/lib/client/pending-writes.ts'
import type { WriteRequest } from '../../src/lib/client/write-request.ts'
import { isMarkPending } from '../../src/lib/stores/pending-marks.ts'
import { ALEX_OWNER, firstMovie, MemoryStorage, secondMovie } from '../client/pending-write-examples.ts'

const firstMovieReset: WriteRequest = { kind: 'reset', title: firstMovie }
const createMark = (
  id: string,
  title: typeof firstMovie | typeof secondMovie = firstMovie,
): WriteRequest => ({
  kind: 'mark',
  id,
  body: { key: id, scopes: [{ type: title.type, media_id: title.id, scope: 'title' }] },
})
let storage: MemoryStorage
const storeWrites = (...writes: WriteRequest[]) => {
  for (const write of writes) storePendingWrite(storage, ALEX_OWNER, write)
}
const isPending = () => isMarkPending(listPendingWrites(storage, ALEX_OWNER), firstMovie)
beforeEach(() => {
  storage = new MemoryStorage()
})

it.each<[string, WriteRequest[], boolean]>([
  ['seen while its mark is pending', [createMark('a')], true],
  ['unseen while only a mark of another title is pending', [createMark('a', secondMovie)], false],
  ['unseen after its mark and a later removal of its progress', [createMark('a'), firstMovieReset], false],
  [
    'seen after its mark and a later removal of the progress of another title',
    [createMark('a'), { kind: 'reset', title: secondMovie }],
    true,
  ],
  ['unseen after its mark and a later removal of all progress', [createMark('a'), { kind: 'clear' }], false],
  ['seen after a removal of its progress and a later mark', [firstMovieReset, createMark('a')], true],
  ['unseen after its mark and the undo of this mark', [createMark('a'), { kind: 'unmark', id: 'a' }], false],
  [
    'seen after two marks and the undo of one of them',
    [createMark('a'), createMark('b'), { kind: 'unmark', id: 'b' }],
    true,
  ],
])('isMarkPending counts a title as %s', (_, writes, isSeen) => {
  storeWrites(...writes)
  expect(isPending()).toBe(isSeen)
})

it('if the progress of a marked title was removed, Undo of the removal makes isMarkPending true again, even if the removal was sent and got no reply', () => {
  storeWrites(createMark('a'), firstMovieReset)
  const resetWrite = listPendingWrites(storage, ALEX_OWNER).find(({ kind }) => kind === 'reset')
  if (resetWrite) markUnconfirmed(storage, resetWrite)
  revertPendingWrite(storage, ALEX_OWNER, firstMovieReset)
  expect(isPending()).toBe(true)
})
