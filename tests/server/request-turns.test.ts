/** Requests of several addresses are handled in turn, so that a burst from one address does not delay other addresses. */
import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  MAX_WAITING_MS,
  MAX_WAITING_PER_ADDRESS,
  MAX_WAITING_UNREAD_MS,
  takeTurns,
} from '../../server/http/request-turns.ts'

afterEach(() => vi.restoreAllMocks())

class TestSocket extends EventEmitter {
  bytesWritten = 0
  destroy() {
    this.emit('close')
  }
}

/** Sends requests to a listener. Records the names of handled requests, and the statuses of rejected requests. */
function createTurns() {
  const handledRequests: string[] = []
  const rejected: string[] = []
  const addresses = new Map<IncomingMessage, string>()
  const listener = takeTurns((request) => handledRequests.push(request.headers['x-name'] as string), {
    findAddress: (request) => addresses.get(request) ?? '',
  })
  const sendRequest = (
    address: string,
    name: string,
    { url = '/api/movies', destroyed = false, socket = new TestSocket() } = {},
  ) => {
    const request = { url, method: 'GET', headers: { 'x-name': name }, socket } as unknown as IncomingMessage
    addresses.set(request, address)
    const response = {
      destroyed,
      once: () => {},
      writeHead: (status: number) => {
        rejected.push(`${name} ${status}`)
        return response
      },
      end: () => {},
    } as unknown as ServerResponse
    listener(request, response)
  }
  return { handled: handledRequests, rejected, send: sendRequest }
}

async function runTurns(count: number) {
  for (let turn = 0; turn < count; turn += 1) await nextTurn()
}

describe('takeTurns', () => {
  it('handles a request at once when it is the first of this event loop turn', async () => {
    const { handled, send } = createTurns()
    send('a', 'first')
    expect(handled).toEqual(['first'])
    await runTurns(2)
    send('a', 'second')
    expect(handled).toEqual(['first', 'second'])
  })

  it('handles the requests of a burst in their order of arrival', async () => {
    const { handled, send } = createTurns()
    for (let index = 0; index < 5; index += 1) send('a', `${index}`)
    expect(handled).toHaveLength(1)
    await nextTurn()
    await runTurns(10)
    expect(handled).toEqual(['0', '1', '2', '3', '4'])
  })

  it('handles a request of another address before the rest of a burst', async () => {
    const { handled, send } = createTurns()
    for (let index = 0; index < 100; index += 1) send('burst', `burst ${index}`)
    for (const address of ['b', 'c']) send(address, address)
    await runTurns(4)
    expect(handled.indexOf('b')).toBeLessThanOrEqual(2)
    expect(handled.indexOf('c')).toBeLessThanOrEqual(3)
    await runTurns(110)
    expect(handled).toHaveLength(102)
  })

  it('rejects calls, but neither pages nor health checks, of an address with too many waiting requests', async () => {
    const { handled, rejected, send } = createTurns()
    for (let index = 0; index <= MAX_WAITING_PER_ADDRESS; index += 1) send('a', `${index}`)
    send('a', 'call')
    send('a', 'page', { url: '/movies/' })
    send('a', 'health', { url: '/api/health/ready' })
    send('b', 'other')
    expect(rejected).toEqual(['call 503'])
    await runTurns(MAX_WAITING_PER_ADDRESS + 10)
    expect(handled).toEqual(expect.arrayContaining(['page', 'health', 'other']))
  })

  it('rejects calls that have waited too long while many calls wait, and handles the latest calls', async () => {
    const { handled, rejected, send } = createTurns()
    const now = vi.spyOn(performance, 'now').mockReturnValue(0)
    for (let index = 0; index < 400; index += 1) send('a', `${index}`)
    now.mockReturnValue(MAX_WAITING_MS + 1)
    await runTurns(420)
    expect(rejected.length).toBeGreaterThan(150)
    expect(handled.length).toBeGreaterThan(150)
    expect(handled.length + rejected.length).toBe(400)
    expect(handled.at(-1)).toBe('399')
  })

  it('skips requests whose client has disconnected', async () => {
    const { handled, rejected, send } = createTurns()
    send('a', 'first')
    send('a', 'gone', { destroyed: true })
    send('a', 'last')
    await runTurns(4)
    expect(handled).toEqual(['first', 'last'])
    expect(rejected).toEqual([])
  })

  describe('for an address that does not read its responses', () => {
    async function createUnreadTurns() {
      const turns = createTurns()
      const sockets = Array.from({ length: 20 }, () => new TestSocket())
      for (const [index, socket] of sockets.entries()) {
        turns.send('unread', `large ${index}`, { socket })
        await nextTurn()
        socket.bytesWritten = 4 * 1024 * 1024
      }
      await pause(10)
      turns.handled.length = 0
      return { ...turns, sockets }
    }

    it('starts one request at a time, the newest first, and all requests of other addresses at once', async () => {
      const { handled, send } = await createUnreadTurns()
      for (let index = 0; index < 50; index += 1) send('unread', `${index}`)
      send('other', 'other')
      await runTurns(4)
      expect(handled).toEqual(['0', 'other'])
      await vi.waitFor(() => expect(handled.slice(2, 4)).toEqual(['49', '48']))
      expect(handled.length).toBeLessThan(20)
    })

    it('starts requests of a connection that has read a response before newer requests of other connections', async () => {
      const { handled, send } = await createUnreadTurns()
      const readingSocket = new TestSocket()
      readingSocket.bytesWritten = 1_000
      send('unread', 'first')
      send('unread', 'reads', { socket: readingSocket })
      for (let index = 0; index < 50; index += 1) send('unread', `${index}`)
      await vi.waitFor(() => expect(handled.slice(0, 3)).toEqual(['first', 'reads', '49']))
    })

    it('rejects the oldest call, not the newest, when too many requests wait', async () => {
      const { rejected, send } = await createUnreadTurns()
      for (let index = 0; index < MAX_WAITING_PER_ADDRESS + 2; index += 1) send('unread', `${index}`)
      expect(rejected).toEqual(['1 503'])
    })

    it('starts all waiting requests when the connections are closed', async () => {
      const { handled, send, sockets } = await createUnreadTurns()
      for (let index = 0; index < 50; index += 1) send('unread', `${index}`)
      for (const socket of sockets) socket.destroy()
      await vi.waitFor(() => expect(handled).toHaveLength(50))
    })

    it('rejects calls that have waited too long, but no pages', async () => {
      const { handled, rejected, send } = await createUnreadTurns()
      for (let index = 0; index < 100; index += 1) send('unread', `${index}`)
      send('unread', 'page', { url: '/movies/' })
      const nowMs = performance.now()
      vi.spyOn(performance, 'now').mockReturnValue(nowMs + MAX_WAITING_UNREAD_MS + 1)
      await vi.waitFor(() => expect(rejected.length).toBeGreaterThan(90))
      expect(handled.length + rejected.length).toBeGreaterThanOrEqual(100)
      expect(rejected).not.toContain('page 503')
    })
  })
})
