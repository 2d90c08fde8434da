/** Sending of pending writes: order, rejected writes, and several tabs that share one outbox. */
import { beforeEach, describe, expect, test } from 'vitest'
import { storePendingWrite } from '../../src/lib/client/pending-writes.ts'
import {
  classifySendError,
  type SendOutcome,
  sendPendingWrites,
} from '../../src/lib/client/send-pending-writes.ts'
import type { PendingWrite, WriteRequest } from '../../src/lib/client/write-request.ts'
import {
  ALEX_OWNER,
  createProgressWrite,
  createWatchlistWrite,
  firstMovie,
  listPendingWriteKinds,
  MemoryStorage,
  secondMovie,
} from './pending-write-examples.ts'

let storage: MemoryStorage
beforeEach(() => {
  storage = new MemoryStorage()
})

describe('sending pending writes', () => {
  const createWriteRecorder = (outcomes: Partial<Record<WriteRequest['kind'], SendOutcome>> = {}) => {
    const sentWrites: PendingWrite[] = []
    const recordWrite = async (write: PendingWrite) => {
      await new Promise((resolve) => setTimeout(resolve, 2))
      sentWrites.push(write)
      return outcomes[write.kind] ?? 'sent'
    }
    return { sentWrites, recordWrite }
  }

  test('sends the writes one after the other and then deletes them from the storage', async () => {
    storePendingWrite(storage, ALEX_OWNER, createWatchlistWrite(firstMovie, true))
    storePendingWrite(storage, ALEX_OWNER, createProgressWrite(firstMovie, 10, 1))
    const { sentWrites, recordWrite } = createWriteRecorder()
    expect(await sendPendingWrites(storage, ALEX_OWNER, recordWrite)).toBe('done')
    expect(sentWrites.map(({ kind }) => kind)).toEqual(['list', 'progress'])
    expect(listPendingWriteKinds(storage)).toEqual([])
  })

  test('deletes a write that the server rejects permanently, and sends the remaining writes', async () => {
    storePendingWrite(storage, ALEX_OWNER, createWatchlistWrite(firstMovie, true))
    storePendingWrite(storage, ALEX_OWNER, { kind: 'feedback', title: firstMovie, feedback: null })
    const { sentWrites, recordWrite } = createWriteRecorder({ list: 'rejected' })
    expect(await sendPendingWrites(storage, ALEX_OWNER, recordWrite)).toBe('done')
    expect(sentWrites).toHaveLength(2)
    expect(listPendingWriteKinds(storage)).toEqual([])
  })

  test('keeps the remaining writes in order when the server is unavailable', async () => {
    storePendingWrite(storage, ALEX_OWNER, createWatchlistWrite(firstMovie, true))
    storePendingWrite(storage, ALEX_OWNER, { kind: 'feedback', title: firstMovie, feedback: 'liked' })
    storePendingWrite(storage, ALEX_OWNER, createProgressWrite(firstMovie, 10, 1))
    const { recordWrite } = createWriteRecorder({ feedback: 'later' })
    expect(await sendPendingWrites(storage, ALEX_OWNER, recordWrite)).toBe('later')
    expect(listPendingWriteKinds(storage)).toEqual(['feedback', 'progress'])
  })

  test('after a failed write, a pending removal of all progress is held back, and so are all writes after the removal', async () => {
    storePendingWrite(storage, ALEX_OWNER, { kind: 'feedback', title: firstMovie, feedback: 'liked' })
    storePendingWrite(storage, ALEX_OWNER, { kind: 'clear' })
    storePendingWrite(storage, ALEX_OWNER, createProgressWrite(secondMovie, 10, 1))
    const { sentWrites, recordWrite } = createWriteRecorder({ feedback: 'failed' })
    expect(await sendPendingWrites(storage, ALEX_OWNER, recordWrite)).toBe('later')
    expect(sentWrites.map(({ kind }) => kind)).toEqual(['feedback'])
    expect(listPendingWriteKinds(storage)).toEqual(['feedback', 'clear', 'progress'])
  })

  test('after the server fails to apply a change, later changes that may concern the same title are held back, and all other changes are sent', async () => {
    storePendingWrite(storage, ALEX_OWNER, createWatchlistWrite(firstMovie, true))
    storePendingWrite(storage, ALEX_OWNER, createProgressWrite(firstMovie, 10, 1))
    storePendingWrite(storage, ALEX_OWNER, createProgressWrite(secondMovie, 10, 1))
    const entries = [{ type: 'movie' as const, media_id: firstMovie.id, favorite: true }]
    storePendingWrite(storage, ALEX_OWNER, { kind: 'several', id: 'a', entries })
    storePendingWrite(storage, ALEX_OWNER, { kind: 'profile', preferences: { language: 'fr' } })
    storePendingWrite(storage, ALEX_OWNER, { kind: 'unmark', id: 'b' })
    const { sentWrites, recordWrite } = createWriteRecorder({ list: 'failed' })
    expect(await sendPendingWrites(storage, ALEX_OWNER, recordWrite)).toBe('later')
    expect(sentWrites.map(({ kind }) => kind)).toEqual(['list', 'progress', 'profile'])
    expect(listPendingWriteKinds(storage)).toEqual(['list', 'progress', 'several', 'unmark'])
  })

  test('sends a change that is stored while the previous change of the same title is being sent', async () => {
    storePendingWrite(storage, ALEX_OWNER, createWatchlistWrite(firstMovie, true))
    const sentBodies: unknown[] = []
    await sendPendingWrites(storage, ALEX_OWNER, async (write) => {
      if (sentBodies.length === 0)
        storePendingWrite(storage, ALEX_OWNER, createWatchlistWrite(firstMovie, false))
      sentBodies.push(write.kind === 'list' && write.body.in_watchlist)
      return 'sent'
    })
    expect(sentBodies).toEqual([true, false])
    expect(listPendingWriteKinds(storage)).toEqual([])
  })

  test('sends each write once when three tabs send at the same time', async () => {
    for (let movieId = 0; movieId < 20; movieId++)
      storePendingWrite(
        storage,
        ALEX_OWNER,
        createWatchlistWrite({ ...firstMovie, id: `${movieId}` } as never, true),
      )
    const { sentWrites, recordWrite } = createWriteRecorder()
    const sendFromTab = () =>
      navigator.locks.request('test-outbox', () => sendPendingWrites(storage, ALEX_OWNER, recordWrite))
    await Promise.all([sendFromTab(), sendFromTab(), sendFromTab()])
    expect(sentWrites.map((write) => 'title' in write && write.title.id)).toEqual(
      Array.from({ length: 20 }, (_, id) => `${id}`),
    )
  })

  test.each<[number, string, SendOutcome]>([
    [0, 'network_error', 'later'],
    [401, 'unauthorized', 'later'],
    [429, 'rate_limited', 'later'],
    [500, 'server_error', 'failed'],
    [502, 'server_error', 'later'],
    [503, 'overloaded', 'later'],
    [403, 'profile_locked', 'later'],
    [403, 'forbidden', 'rejected'],
    [404, 'not_found', 'rejected'],
    [422, 'validation_error', 'rejected'],
  ])('an error with status %i and type %s has the send outcome "%s"', (status, type, outcome) => {
    expect(classifySendError({ status, type })).toBe(outcome)
  })
})
