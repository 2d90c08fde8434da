/**
 * The server handles waiting requests of several client addresses in turn.
 * Many requests from one address thus do not delay the requests from other addresses.
 */
import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { MAX_ADMISSION_LIMIT } from '../../server/http/admission.ts'
import {
  MAX_WAIT_OF_NON_READERS_MS,
  MAX_WAITING_MS,
  MAX_WAITING_PER_ADDRESS,
  runRequestsInTurns,
} from '../../server/http/request-turns.ts'
import { waitFor } from '../support/wait-for.ts'

afterEach(() => vi.restoreAllMocks())

class TestSocket extends EventEmitter {
  bytesWritten = 0
  destroy() {
    this.emit('close')
  }
}

/**
 * Creates a listener that handles requests in turn. Records the names of handled requests, and the names and statuses
 * of rejected requests.
 */
function createTurnListener() {
  const handledNames: string[] = []
  const rejectedCalls: string[] = []
  const addressesByRequest = new Map<IncomingMessage, string>()
  const listener = runRequestsInTurns((request) => handledNames.push(request.headers['x-name'] as string), {
    findAddress: (request) => addressesByRequest.get(request) ?? '',
  })
  const sendRequest = (
    address: string,
    name: string,
    { url = '/api/movies', destroyed = false, socket = new TestSocket() } = {},
  ) => {
    const request = { url, method: 'GET', headers: { 'x-name': name }, socket } as unknown as IncomingMessage
    addressesByRequest.set(request, address)
    const response = {
      destroyed,
      once: () => {},
      writeHead: (status: number) => {
        rejectedCalls.push(`${name} ${status}`)
        return response
      },
      end: () => {},
    } as unknown as ServerResponse
    listener(request, response)
  }
  return { handledNames, rejectedCalls, sendRequest }
}

async function runTurns(turnCount: number) {
  for (let turnIndex = 0; turnIndex < turnCount; turnIndex += 1) await nextTurn()
}

describe('runRequestsInTurns', () => {
  it('handles a request immediately when it is the first of an event loop turn', async () => {
    const { handledNames, sendRequest } = createTurnListener()
    sendRequest('a', 'first')
    expect(handledNames).toEqual(['first'])
    await runTurns(2)
    sendRequest('a', 'second')
    expect(handledNames).toEqual(['first', 'second'])
  })

  it('handles the requests of a burst in their order of arrival', async () => {
    const { handledNames, sendRequest } = createTurnListener()
    for (let index = 0; index < 5; index += 1) sendRequest('a', `${index}`)
    expect(handledNames).toHaveLength(1)
    await nextTurn()
    await runTurns(10)
    expect(handledNames).toEqual(['0', '1', '2', '3', '4'])
  })

  it('handles a request of another address before the rest of a burst', async () => {
    const { handledNames, sendRequest } = createTurnListener()
    for (let index = 0; index < 100; index += 1) sendRequest('burst', `burst ${index}`)
    for (const address of ['b', 'c']) sendRequest(address, address)
    await runTurns(4)
    expect(handledNames.indexOf('b')).toBeLessThanOrEqual(2)
    expect(handledNames.indexOf('c')).toBeLessThanOrEqual(3)
    await runTurns(110)
    expect(handledNames).toHaveLength(102)
  })

  it('when too many requests of an address wait, rejects the API calls of this address and still accepts its pages and health checks', async () => {
    const { handledNames, rejectedCalls, sendRequest } = createTurnListener()
    for (let index = 0; index <= MAX_WAITING_PER_ADDRESS; index += 1) sendRequest('a', `${index}`)
    sendRequest('a', 'call')
    sendRequest('a', 'page', { url: '/movies/' })
    sendRequest('a', 'health', { url: '/api/health/ready' })
    sendRequest('b', 'other')
    expect(rejectedCalls).toEqual(['call 503'])
    await runTurns(MAX_WAITING_PER_ADDRESS + 10)
    expect(handledNames).toEqual(expect.arrayContaining(['page', 'health', 'other']))
  })

  it('while many calls wait, rejects the calls that have waited too long and handles the newest calls', async () => {
    const { handledNames, rejectedCalls, sendRequest } = createTurnListener()
    const nowSpy = vi.spyOn(performance, 'now').mockReturnValue(0)
    for (let index = 0; index < 400; index += 1) sendRequest('a', `${index}`)
    nowSpy.mockReturnValue(MAX_WAITING_MS + 1)
    await runTurns(420)
    expect(rejectedCalls.length).toBeGreaterThan(150)
    expect(handledNames.length).toBeGreaterThan(150)
    expect(handledNames.length + rejectedCalls.length).toBe(400)
    expect(handledNames.at(-1)).toBe('399')
  })

  it('while many calls wait, handles pages and health checks even if they have waited too long', async () => {
    const { handledNames, rejectedCalls, sendRequest } = createTurnListener()
    const nowSpy = vi.spyOn(performance, 'now').mockReturnValue(0)
    sendRequest('a', 'first')
    sendRequest('a', 'page', { url: '/movies/' })
    sendRequest('a', 'health', { url: '/api/health/ready' })
    for (let index = 0; index < 400; index += 1) sendRequest('a', `${index}`)
    nowSpy.mockReturnValue(MAX_WAITING_MS + 1)
    await runTurns(420)
    expect(handledNames.slice(0, 3)).toEqual(['first', 'page', 'health'])
    expect(rejectedCalls[0]).toBe('0 503')
  })

  it('while no more than MAX_ADMISSION_LIMIT other calls wait, handles calls even if they have waited too long', async () => {
    const { handledNames, rejectedCalls, sendRequest } = createTurnListener()
    const nowSpy = vi.spyOn(performance, 'now').mockReturnValue(0)
    sendRequest('a', 'first')
    for (let index = 0; index <= MAX_ADMISSION_LIMIT; index += 1) sendRequest('a', `${index}`)
    nowSpy.mockReturnValue(MAX_WAITING_MS + 1)
    await runTurns(MAX_ADMISSION_LIMIT + 10)
    expect(rejectedCalls).toEqual([])
    expect(handledNames).toHaveLength(MAX_ADMISSION_LIMIT + 2)
  })

  it('skips requests whose client has disconnected', async () => {
    const { handledNames, rejectedCalls, sendRequest } = createTurnListener()
    sendRequest('a', 'first')
    sendRequest('a', 'gone', { destroyed: true })
    sendRequest('a', 'last')
    await runTurns(4)
    expect(handledNames).toEqual(['first', 'last'])
    expect(rejectedCalls).toEqual([])
  })

  describe('for an address with many unread responses', () => {
    async function createUnreadTurns() {
      const turns = createTurnListener()
      const sockets = Array.from({ length: 20 }, () => new TestSocket())
      for (const [index, socket] of sockets.entries()) {
        turns.sendRequest('unread', `large ${index}`, { socket })
        await nextTurn()
      }
      // The bytes are set after the loop, so that the address exceeds its limit only when all of these requests have
      // started. Otherwise, the next request could have to wait for the interval between two starts.
      for (const socket of sockets) socket.bytesWritten = 4 * 1024 * 1024
      await pause(10)
      turns.handledNames.length = 0
      return { ...turns, sockets }
    }

    it('starts only one request of the address at a time, the newest first, and does not delay requests of other addresses', async () => {
      const { handledNames, sendRequest } = await createUnreadTurns()
      for (let index = 0; index < 50; index += 1) sendRequest('unread', `${index}`)
      sendRequest('other', 'other')
      await runTurns(4)
      expect(handledNames).toEqual(['0', 'other'])
      await waitFor(() => expect(handledNames.slice(2, 4)).toEqual(['49', '48']))
      expect(handledNames.length).toBeLessThan(20)
    })

    it('starts requests of connections that read their responses first, even if other connections sent newer requests', async () => {
      const { handledNames, sendRequest } = await createUnreadTurns()
      const readingSocket = new TestSocket()
      readingSocket.bytesWritten = 1_000
      sendRequest('unread', 'first')
      sendRequest('unread', 'reads', { socket: readingSocket })
      for (let index = 0; index < 50; index += 1) sendRequest('unread', `${index}`)
      await waitFor(() => expect(handledNames.slice(0, 3)).toEqual(['first', 'reads', '49']))
    })

    it('rejects the oldest call, not the newest, when too many requests wait', async () => {
      const { rejectedCalls, sendRequest } = await createUnreadTurns()
      for (let index = 0; index < MAX_WAITING_PER_ADDRESS + 2; index += 1) sendRequest('unread', `${index}`)
      expect(rejectedCalls).toEqual(['1 503'])
    })

    it('starts all waiting requests of the address when the connections with unread responses are closed', async () => {
      const { handledNames, sendRequest, sockets } = await createUnreadTurns()
      for (let index = 0; index < 50; index += 1) sendRequest('unread', `${index}`)
      for (const socket of sockets) socket.destroy()
      await waitFor(() => expect(handledNames).toHaveLength(50))
    })

    it('rejects calls that have waited too long, but no pages', async () => {
      const { handledNames, rejectedCalls, sendRequest } = await createUnreadTurns()
      for (let index = 0; index < 100; index += 1) sendRequest('unread', `${index}`)
      sendRequest('unread', 'page', { url: '/movies/' })
      const nowMs = performance.now()
      vi.spyOn(performance, 'now').mockReturnValue(nowMs + MAX_WAIT_OF_NON_READERS_MS + 1)
      await waitFor(() => expect(rejectedCalls.length).toBeGreaterThan(90))
      expect(handledNames.length + rejectedCalls.length).toBeGreaterThanOrEqual(100)
      expect(rejectedCalls).not.toContain('page 503')
    })
  })
})
