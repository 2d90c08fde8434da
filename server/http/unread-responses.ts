/**
 * Limits the response bytes that were sent to a client but not read, per address and in total. The operating system
 * keeps such bytes in its memory for connections. When that memory is used up, all connections of the machine stall.
 *
 * A server cannot observe what its client has read. A new request on a connection shows that the client has read the
 * earlier responses, unless the request was sent before these responses were complete. Until such a request, all bytes
 * of the connection count as unread, up to MAX_BYTES_PER_CONNECTION. Connections of proxies are not counted, because
 * proxies read immediately.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface UnreadLimits {
  /** Number of unread bytes from which on the requests of an address start only at intervals (`tryStartOverLimit`). */
  maxBytesPerAddress: number
  /**
   * Limit for the sum of the unread bytes of all addresses. While the sum is above this limit, the share of each
   * address is this limit divided by the number of addresses with unread bytes. Requests of an address above its share
   * start only at intervals.
   */
  maxBytesTotal: number
  /** Number of unread bytes below which an address is never limited. */
  minBytesPerAddress: number
}
const DEFAULT_LIMITS: UnreadLimits = {
  maxBytesPerAddress: 64 * 1024 * 1024,
  maxBytesTotal: 128 * 1024 * 1024,
  minBytesPerAddress: 4 * 1024 * 1024,
}
/** The operating system buffers about this many bytes that the client has not read (`net.ipv4.tcp_wmem` on Linux). */
const MAX_BYTES_PER_CONNECTION = 4 * 1024 * 1024
/** A connection with fewer unread bytes than this is not counted. */
const MIN_BYTES_PER_CONNECTION = 64 * 1024
/**
 * A connection with unread bytes can be closed while its address is over the limit, if nothing was written to the
 * connection for this long (`tryStartOverLimit`).
 */
const UNREAD_TIMEOUT_MS = 1_000
/** Time between two requests that start for addresses over their limit. */
const START_INTERVAL_MS = 20
/**
 * Minimum time between closing one connection and closing the next. With a shorter time, clients would open new
 * connections faster than the server starts their requests.
 */
const MIN_CLOSE_INTERVAL_MS = 100
/** Age after which the totals of unread bytes are recomputed. */
const MAX_TOTALS_AGE_MS = 5

/**
 * What the server knows about how the client of a connection reads responses. `reads`: the client has read the earlier
 * responses. `unknown`: no response was sent on the connection yet. `doesNotWait`: the client sends requests before
 * earlier responses are complete. When the address is over its limit, requests on connections with a higher value start
 * first.
 */
export const READING_HABITS = { doesNotWait: 0, unknown: 1, reads: 2 } as const
export type ReadingHabit = (typeof READING_HABITS)[keyof typeof READING_HABITS]

interface TrackedConnection {
  address: string
  /** Value of `socket.bytesWritten` up to which the client has read. */
  readBytes: number
  pendingResponseCount: number
  /** Value of `socket.bytesWritten` at the last check. */
  writtenBytes: number
  lastWrittenAtMs: number
}

interface AddressTotals {
  unreadBytes: number
  connections: [Socket, TrackedConnection][]
}

export class UnreadResponses {
  readonly #connections = new Map<Socket, TrackedConnection>()
  /**
   * Sockets that already have a close listener. A socket that was removed from `#connections` is added again with its
   * next request, but must not get a second listener.
   */
  readonly #watchedSockets = new WeakSet<Socket>()
  readonly #limits: UnreadLimits
  #totalsByAddress = new Map<string, AddressTotals>()
  #totalBytes = 0
  #totalledAtMs = Number.NEGATIVE_INFINITY
  #lastStartMs = Number.NEGATIVE_INFINITY
  #lastCloseMs = Number.NEGATIVE_INFINITY

  constructor(limits: UnreadLimits = DEFAULT_LIMITS) {
    this.#limits = limits
  }

  /** Starts to count the bytes of the response as unread. Returns what is known about the client (READING_HABITS). */
  track({ socket }: IncomingMessage, response: ServerResponse, address: string): ReadingHabit {
    const connection = this.#connections.get(socket) ?? this.#addConnection(socket, address)
    const isPipelined = connection.pendingResponseCount > 0
    if (!isPipelined) connection.readBytes = socket.bytesWritten
    connection.pendingResponseCount += 1
    response.once('close', () => {
      connection.pendingResponseCount -= 1
      if (
        connection.pendingResponseCount === 0 &&
        getUnreadBytes(socket, connection) < MIN_BYTES_PER_CONNECTION
      )
        this.#connections.delete(socket)
    })
    if (isPipelined) return READING_HABITS.doesNotWait
    return socket.bytesWritten > 0 ? READING_HABITS.reads : READING_HABITS.unknown
  }

  isOverLimit(address: string): boolean {
    if (this.#connections.size === 0) return false
    this.#updateTotals()
    const { maxBytesPerAddress, maxBytesTotal, minBytesPerAddress } = this.#limits
    const unreadBytes = this.#totalsByAddress.get(address)?.unreadBytes ?? 0
    if (unreadBytes >= maxBytesPerAddress) return true
    const fairShareBytes = Math.max(
      minBytesPerAddress,
      maxBytesTotal / Math.max(1, this.#totalsByAddress.size),
    )
    return this.#totalBytes >= maxBytesTotal && unreadBytes >= fairShareBytes
  }

  /**
   * Returns true when an address over its limit may start a request. Among all such addresses, one request starts every
   * START_INTERVAL_MS, so that ordinary clients behind the same address are still served. Also closes one connection of
   * the address, if nothing was written to that connection for UNREAD_TIMEOUT_MS. At most one connection is closed
   * every MIN_CLOSE_INTERVAL_MS.
   */
  tryStartOverLimit(address: string): boolean {
    const nowMs = performance.now()
    if (nowMs - this.#lastStartMs < START_INTERVAL_MS) return false
    this.#lastStartMs = nowMs
    if (nowMs - this.#lastCloseMs < MIN_CLOSE_INTERVAL_MS) return true
    const stalledConnection = this.#totalsByAddress
      .get(address)
      ?.connections.find(([, { lastWrittenAtMs }]) => nowMs - lastWrittenAtMs > UNREAD_TIMEOUT_MS)
    if (stalledConnection) {
      this.#lastCloseMs = nowMs
      stalledConnection[0].destroy()
    }
    return true
  }

  #addConnection(socket: Socket, address: string): TrackedConnection {
    const connection = { address, readBytes: 0, pendingResponseCount: 0, writtenBytes: 0, lastWrittenAtMs: 0 }
    this.#connections.set(socket, connection)
    if (!this.#watchedSockets.has(socket)) {
      this.#watchedSockets.add(socket)
      socket.once('close', () => this.#connections.delete(socket))
    }
    return connection
  }

  #updateTotals(): void {
    const nowMs = performance.now()
    if (nowMs - this.#totalledAtMs < MAX_TOTALS_AGE_MS) return
    this.#totalledAtMs = nowMs
    this.#totalsByAddress = new Map()
    this.#totalBytes = 0
    for (const [socket, connection] of this.#connections) {
      if (socket.bytesWritten !== connection.writtenBytes) {
        connection.writtenBytes = socket.bytesWritten
        connection.lastWrittenAtMs = nowMs
      }
      const unreadBytes = getUnreadBytes(socket, connection)
      if (unreadBytes < MIN_BYTES_PER_CONNECTION) continue
      const addressTotals = this.#totalsByAddress.get(connection.address) ?? {
        unreadBytes: 0,
        connections: [],
      }
      addressTotals.unreadBytes += unreadBytes
      addressTotals.connections.push([socket, connection])
      this.#totalsByAddress.set(connection.address, addressTotals)
      this.#totalBytes += unreadBytes
    }
  }
}

const getUnreadBytes = (socket: Socket, { readBytes }: TrackedConnection): number =>
  Math.min(socket.bytesWritten - readBytes, MAX_BYTES_PER_CONNECTION)
