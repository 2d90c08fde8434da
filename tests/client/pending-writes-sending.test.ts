/** Sending of pending writes: order, rejected writes, and several tabs that share one outbox. */
import { beforeEach, describe, expect, test } from 'vitest'
import {
  classifySendError,
  type PendingWrite,
  type SendOutcome,
  sendPendingWrites,
  storePendingWrite,
  type WriteRequest,
} from '../../src/lib/client/pending-writes.ts'
import {
  ALEX,
  createProgressWrite,
  createWatchlistWrite,
  firstMovie,
  listPendingKinds,
  MemoryStorage,
} from './pending-write-examples.ts'

let storage: MemoryStorage
beforeEach(() => {
  storage = new MemoryStorage()
})

describe('sending pending writes', () => {
  const createSender = (outcomes: Partial<Record<WriteRequest['kind'], SendOutcome>> = {}) => {
    const sentWrites: PendingWrite[] = []
    const recordWrite = async (write: PendingWrite) => {
      await new Promise((resolve) => setTimeout(resolve, 2))
      sentWrites.push(write)
      return outcomes[write.kind] ?? 'sent'
    }
    return { sentWrites, send: recordWrite }
  }

  test('sends the writes one after the other and leaves the outbox empty', async () => {
    storePendingWrite(storage, ALEX, createWatchlistWrite(firstMovie, true))
    storePendingWrite(storage, ALEX, createProgressWrite(firstMovie, 10, 1))
    const { sentWrites, send } = createSender()
    expect(await sendPendingWrites(storage, ALEX, send)).toBe('done')
    expect(sentWrites.map(({ kind }) => kind)).toEqual(['list', 'progress'])
    expect(listPendingKinds(storage)).toEqual([])
  })

  test('deletes a permanently rejected write and sends the rest', async () => {
    storePendingWrite(storage, ALEX, createWatchlistWrite(firstMovie, true))
    storePendingWrite(storage, ALEX, { kind: 'feedback', title: firstMovie, feedback: null })
    const { sentWrites, send } = createSender({ list: 'refused' })
    expect(await sendPendingWrites(storage, ALEX, send)).toBe('done')
    expect(sentWrites).toHaveLength(2)
    expect(listPendingKinds(storage)).toEqual([])
  })

  test('keeps the remaining writes in order when the server is unavailable', async () => {
    storePendingWrite(storage, ALEX, createWatchlistWrite(firstMovie, true))
    storePendingWrite(storage, ALEX, { kind: 'feedback', title: firstMovie, feedback: 'liked' })
    storePendingWrite(storage, ALEX, createProgressWrite(firstMovie, 10, 1))
    const { send } = createSender({ feedback: 'later' })
    expect(await sendPendingWrites(storage, ALEX, send)).toBe('later')
    expect(listPendingKinds(storage)).toEqual(['feedback', 'progress'])
  })

  test('also sends a change that is stored while the previous change of the same title is being sent', async () => {
    storePendingWrite(storage, ALEX, createWatchlistWrite(firstMovie, true))
    const bodies: unknown[] = []
    await sendPendingWrites(storage, ALEX, async (write) => {
      if (bodies.length === 0) storePendingWrite(storage, ALEX, createWatchlistWrite(firstMovie, false))
      bodies.push(write.kind === 'list' && write.body.in_watchlist)
      return 'sent'
    })
    expect(bodies).toEqual([true, false])
    expect(listPendingKinds(storage)).toEqual([])
  })

  test('sends each write once when three tabs send at the same time', async () => {
    for (let id = 0; id < 20; id++)
      storePendingWrite(storage, ALEX, createWatchlistWrite({ ...firstMovie, id: `${id}` } as never, true))
    const { sentWrites, send } = createSender()
    const sendFromTab = () =>
      navigator.locks.request('test-outbox', () => sendPendingWrites(storage, ALEX, send))
    await Promise.all([sendFromTab(), sendFromTab(), sendFromTab()])
    expect(sentWrites.map((write) => 'title' in write && write.title.id)).toEqual(
      Array.from({ length: 20 }, (_, id) => `${id}`),
    )
  })

  test.each<[number, string, SendOutcome]>([
    [0, 'network_error', 'later'],
    [401, 'unauthorized', 'later'],
    [429, 'rate_limited', 'later'],
    [500, 'server_error', 'later'],
    [503, 'overloaded', 'later'],
    [403, 'profile_locked', 'later'],
    [403, 'forbidden', 'refused'],
    [404, 'not_found', 'refused'],
    [422, 'validation_error', 'refused'],
  ])('classifies an error with status %i and type %s as "%s"', (status, type, outcome) => {
    expect(classifySendError({ status, type })).toBe(outcome)
  })
})
