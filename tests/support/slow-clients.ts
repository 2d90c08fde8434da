/** Clients that keep connections of a server occupied over real sockets. Tests and bench/faults/ use them. */
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export const SLOW_CLIENT_KINDS = ['headers', 'body', 'idle', 'reading'] as const
export type SlowClientKind = (typeof SLOW_CLIENT_KINDS)[number]

const KEEP_ALIVE_REQUEST = 'GET /api/health/live HTTP/1.1\r\nHost: x\r\n\r\n'
const LARGE_RESPONSE_REQUEST = 'GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'
/**
 * For each kind of client, the first text that the client sends on a connection, and the text that it then adds every
 * SEND_INTERVAL_MS. If the second text is empty, the client sends only the first text.
 */
const MESSAGES_BY_KIND: Record<SlowClientKind, { firstMessage: string; nextMessage: string }> = {
  headers: { firstMessage: 'GET /api/movies HTTP/1.1\r\nHost: x\r\n', nextMessage: 'X-Slow: 1\r\n' },
  body: {
    firstMessage:
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{',
    nextMessage: ' ',
  },
  idle: { firstMessage: KEEP_ALIVE_REQUEST, nextMessage: '' },
  reading: { firstMessage: LARGE_RESPONSE_REQUEST.repeat(4), nextMessage: '' },
}
const SEND_INTERVAL_MS = 1_000
/** Number of groups of clients. Each group sends at another moment of the interval. */
const SEND_GROUP_COUNT = 50
const RECONNECT_DELAY_MS = 1_000
/**
 * Number of connections after which a short pause follows, so that the server's queue for new connections does not
 * overflow.
 */
const CONNECT_BATCH_SIZE = 50

interface SlowClientsOptions {
  port: number
  kind: SlowClientKind
  count: number
  /** Loopback addresses from which the connections are opened, in turn. */
  addresses: string[]
}

export interface SlowClients {
  /** Number of connections that the server closed or reset. The clients open a new connection for each of them. */
  getClosedConnectionCount: () => number
  stop: () => void
}

/** Returns `count` loopback addresses. The whole network 127.0.0.0/8 belongs to the loopback interface on Linux. */
export const listLoopbackAddresses = (count: number) =>
  Array.from({ length: count }, (_, index) => `127.0.1.${index + 1}`)

/** Opens the connections. Until `stop`, replaces each closed connection after RECONNECT_DELAY_MS. */
export async function startSlowClients({
  port,
  kind,
  count,
  addresses,
}: SlowClientsOptions): Promise<SlowClients> {
  const sockets = new Set<Socket>()
  let [isRunning, closedCount] = [true, 0]
  const openConnection = (localAddress: string) => {
    if (!isRunning) return
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    sockets.add(socket)
    socket.on('error', () => {})
    socket.write(MESSAGES_BY_KIND[kind].firstMessage)
    if (kind === 'reading') socket.pause()
    else socket.resume()
    socket.on('close', () => {
      sockets.delete(socket)
      if (!isRunning) return
      closedCount += 1
      setTimeout(openConnection, RECONNECT_DELAY_MS, localAddress)
    })
  }
  for (let index = 0; index < count; index += 1) {
    openConnection(addresses[index % addresses.length] as string)
    if (index % CONNECT_BATCH_SIZE === CONNECT_BATCH_SIZE - 1) await pause(20)
  }
  // Spreads the clients over the interval, because real clients do not all send at the same moment.
  let groupIndex = 0
  const timer = setInterval(() => {
    groupIndex += 1
    let index = 0
    for (const socket of sockets)
      if (
        index++ % SEND_GROUP_COUNT === groupIndex % SEND_GROUP_COUNT &&
        socket.writable &&
        MESSAGES_BY_KIND[kind].nextMessage
      )
        socket.write(MESSAGES_BY_KIND[kind].nextMessage)
  }, SEND_INTERVAL_MS / SEND_GROUP_COUNT)
  return {
    getClosedConnectionCount: () => closedCount,
    stop: () => {
      isRunning = false
      clearInterval(timer)
      for (const socket of sockets) socket.destroy()
    },
  }
}
