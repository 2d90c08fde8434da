/** Writes that waited are sent: their order, refusals, and two tabs that send each of them once. */
import { beforeEach, describe, expect, test } from 'vitest'
import {
  classifySendError,
  type PendingWrite,
  type SendOutcome,
  sendPendingWrites,
  storePendingWrite,
  type WriteRequest,
} from '../../src/lib/client/pending-writes.ts'
import { ALEX, film, kinds, list, Memory, progress } from './writes.ts'

let storage: Memory
beforeEach(() => {
  storage = new Memory()
})

describe('sending', () => {
  const sender = (fates: Partial<Record<WriteRequest['kind'], SendOutcome>> = {}) => {
    const sent: PendingWrite[] = []
    const send = async (write: PendingWrite) => {
      await new Promise((resolve) => setTimeout(resolve, 2))
      sent.push(write)
      return fates[write.kind] ?? 'sent'
    }
    return { sent, send }
  }

  test('one after the other, until nothing waits', async () => {
    storePendingWrite(storage, ALEX, list(film, true))
    storePendingWrite(storage, ALEX, progress(film, 10, 1))
    const { sent, send } = sender()
    expect(await sendPendingWrites(storage, ALEX, send)).toBe('done')
    expect(sent.map(({ kind }) => kind)).toEqual(['list', 'progress'])
    expect(kinds(storage)).toEqual([])
  })

  test('what is refused for good is dropped, and the rest goes on', async () => {
    storePendingWrite(storage, ALEX, list(film, true))
    storePendingWrite(storage, ALEX, { kind: 'feedback', title: film, feedback: null })
    const { sent, send } = sender({ list: 'refused' })
    expect(await sendPendingWrites(storage, ALEX, send)).toBe('done')
    expect(sent).toHaveLength(2)
    expect(kinds(storage)).toEqual([])
  })

  test('a server that cannot be asked leaves all that follows in its order', async () => {
    storePendingWrite(storage, ALEX, list(film, true))
    storePendingWrite(storage, ALEX, { kind: 'feedback', title: film, feedback: 'liked' })
    storePendingWrite(storage, ALEX, progress(film, 10, 1))
    const { send } = sender({ feedback: 'later' })
    expect(await sendPendingWrites(storage, ALEX, send)).toBe('later')
    expect(kinds(storage)).toEqual(['feedback', 'progress'])
  })

  test('a newer word that comes while the older one is sent is sent too', async () => {
    storePendingWrite(storage, ALEX, list(film, true))
    const bodies: unknown[] = []
    await sendPendingWrites(storage, ALEX, async (write) => {
      if (bodies.length === 0) storePendingWrite(storage, ALEX, list(film, false))
      bodies.push(write.kind === 'list' && write.body.in_watchlist)
      return 'sent'
    })
    expect(bodies).toEqual([true, false])
    expect(kinds(storage)).toEqual([])
  })

  test('two tabs take turns: each write is sent once', async () => {
    for (let id = 0; id < 20; id++)
      storePendingWrite(storage, ALEX, list({ ...film, id: `${id}` } as never, true))
    const { sent, send } = sender()
    const tab = () => navigator.locks.request('test-outbox', () => sendPendingWrites(storage, ALEX, send))
    await Promise.all([tab(), tab(), tab()])
    expect(sent.map((write) => 'title' in write && write.title.id)).toEqual(
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
  ])('%i %s: %s', (status, type, fate) => {
    expect(classifySendError({ status, type })).toBe(fate)
  })
})
