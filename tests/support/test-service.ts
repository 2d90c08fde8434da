/** Common interface and helpers of the servers that tests start as separate processes. */
import { connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface TestService {
  /** Suspends the process: its connections stay open, but it does not respond. */
  pause: () => void
  resume: () => void
  /** Stops the server, and deletes its temporary folder if it has one. */
  stop: () => Promise<void>
}

/** Returns a port of 127.0.0.1 on which nothing listens at the moment. */
export async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (!address || typeof address === 'string') throw new Error('no free port')
  return address.port
}

/** Calls `isReady` every 25 ms until it returns true. Throws after `timeoutMs`. */
export async function waitUntilReady(isReady: () => Promise<boolean>, timeoutMs = 30_000): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs
  while (!(await isReady())) {
    if (performance.now() > deadlineMs) throw new Error(`not ready within ${timeoutMs} ms`)
    await pause(25)
  }
}

/** True when a TCP connection to `port` succeeds. */
export function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
