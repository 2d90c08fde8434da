/** Counts the bytes of responses that clients have not read, per address and in total. */
import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { READING_HABITS, UnreadResponses } from '../../server/http/unread-responses.ts'

afterEach(() => vi.restoreAllMocks())

const KIB = 1024
const LIMITS = { maxBytesPerAddress: 800 * KIB, maxBytesTotal: 1_000 * KIB, minBytesPerAddress: 100 * KIB }

class TestSocket extends EventEmitter {
  bytesWritten = 0
  isDestroyed = false
  destroy() {
    this.isDestroyed = true
    this.emit('close')
  }
}

/**
 * Creates the counter with a simulated clock. `isOverLimit` first moves the clock by 10 ms, because the counter caches
 * its sum for some milliseconds.
 */
function createUnreadResponses() {
  let nowMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  const unreadResponses = new UnreadResponses(LIMITS)
  const startRequest = (socket: TestSocket, address: string) => {
    const response = new EventEmitter()
    const readingHabit = unreadResponses.track(
      { socket } as unknown as IncomingMessage,
      response as unknown as ServerResponse,
      address,
    )
    return { response, readingHabit }
  }
  /** Simulates a response of `sizeBytes` bytes on a new connection. Returns the socket of the connection. */
  const sendDocument = (address: string, sizeBytes: number, { isComplete = true } = {}) => {
    const socket = new TestSocket()
    const { response } = startRequest(socket, address)
    socket.bytesWritten += sizeBytes
    if (isComplete) response.emit('close')
    return socket
  }
  const advanceTime = (durationMs = 10) => {
    nowMs += durationMs
  }
  const isOverLimit = (address: string) => {
    advanceTime()
    return unreadResponses.isOverLimit(address)
  }
  return { unreadResponses, startRequest, sendDocument, advanceTime, isOverLimit }
}

describe('UnreadResponses', () => {
  it('counts complete and incomplete responses as unread until their connection is closed', () => {
    const { sendDocument, isOverLimit } = createUnreadResponses()
    const firstSocket = sendDocument('a', 500 * KIB)
    sendDocument('a', 400 * KIB, { isComplete: false })
    expect(isOverLimit('a')).toBe(true)
    expect(isOverLimit('b')).toBe(false)
    firstSocket.destroy()
    expect(isOverLimit('a')).toBe(false)
  })

  it('adds only one close listener to a connection, however many requests the connection has', () => {
    const { startRequest } = createUnreadResponses()
    const socket = new TestSocket()
    for (let index = 0; index < 20; index += 1) startRequest(socket, 'a').response.emit('close')
    expect(socket.listenerCount('close')).toBe(1)
  })

  it('treats earlier responses of a connection as read when the next request arrives', () => {
    const { startRequest, sendDocument, isOverLimit } = createUnreadResponses()
    const socket = sendDocument('a', 900 * KIB)
    expect(isOverLimit('a')).toBe(true)
    startRequest(socket, 'a').response.emit('close')
    expect(isOverLimit('a')).toBe(false)
  })

  it('does not treat an incomplete response as read when the next request of its connection arrives', () => {
    const { startRequest, sendDocument, isOverLimit } = createUnreadResponses()
    const socket = sendDocument('a', 900 * KIB, { isComplete: false })
    startRequest(socket, 'a')
    expect(isOverLimit('a')).toBe(true)
  })

  it('does not count connections that are idle after small responses', () => {
    const { sendDocument, isOverLimit } = createUnreadResponses()
    for (let index = 0; index < 1_000; index += 1) sendDocument('a', 10 * KIB)
    expect(isOverLimit('a')).toBe(false)
  })

  it('counts no more unread bytes per connection than the buffers of the operating system can hold', () => {
    const unreadResponses = new UnreadResponses({
      ...LIMITS,
      maxBytesPerAddress: 10_000 * KIB,
      maxBytesTotal: 10_000 * KIB,
    })
    const socket = new TestSocket()
    unreadResponses.track(
      { socket } as unknown as IncomingMessage,
      new EventEmitter() as unknown as ServerResponse,
      'a',
    )
    socket.bytesWritten = 5_000_000 * KIB
    expect(unreadResponses.isOverLimit('a')).toBe(false)
  })

  it('the reading habit of a connection is `unknown` at its first request, `reads` after it has read a response, and `doesNotWait` if it starts a request before the previous response is finished', () => {
    const { startRequest } = createUnreadResponses()
    const socket = new TestSocket()
    const { response, readingHabit } = startRequest(socket, 'a')
    expect(readingHabit).toBe(READING_HABITS.unknown)
    expect(startRequest(socket, 'a').readingHabit).toBe(READING_HABITS.doesNotWait)
    const readingSocket = new TestSocket()
    startRequest(readingSocket, 'a').response.emit('close')
    readingSocket.bytesWritten = 10 * KIB
    expect(startRequest(readingSocket, 'a').readingHabit).toBe(READING_HABITS.reads)
    response.emit('close')
  })

  it('when all addresses together reach the total limit, limits only the addresses that exceed their share', () => {
    const { sendDocument, isOverLimit } = createUnreadResponses()
    for (const address of ['a', 'b', 'c']) sendDocument(address, 330 * KIB)
    sendDocument('d', 110 * KIB)
    expect(['a', 'b', 'c', 'd', 'e'].map(isOverLimit)).toEqual([true, true, true, false, false])
  })

  it('lets the addresses over their limits start one request every 20 ms in total', () => {
    const { unreadResponses, sendDocument, isOverLimit, advanceTime } = createUnreadResponses()
    for (const address of ['a', 'b']) sendDocument(address, 900 * KIB)
    advanceTime(1_000)
    expect([isOverLimit('a'), isOverLimit('b')]).toEqual([true, true])
    expect([unreadResponses.tryStartOverLimit('a'), unreadResponses.tryStartOverLimit('b')]).toEqual([
      true,
      false,
    ])
    advanceTime(20)
    expect(unreadResponses.tryStartOverLimit('b')).toBe(true)
  })

  it('if an address is over its limit, closes a connection that has read nothing for a second, and keeps a connection that reads', () => {
    const { unreadResponses, sendDocument, isOverLimit, advanceTime } = createUnreadResponses()
    const [readingSocket, stalledSocket] = [
      sendDocument('a', 400 * KIB, { isComplete: false }),
      sendDocument('a', 500 * KIB),
    ]
    isOverLimit('a')
    advanceTime(1_100)
    readingSocket.bytesWritten += 1
    isOverLimit('a')
    unreadResponses.tryStartOverLimit('a')
    expect([readingSocket.isDestroyed, stalledSocket.isDestroyed]).toEqual([false, true])
    expect(isOverLimit('a')).toBe(false)
  })
})
