/** What every server that the tests start has in common. */
import { connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface Running {
  /** Stops the clock for it: connections stay open, nothing answers. */
  pause: () => void
  resume: () => void
  /** For good, its folder too. */
  stop: () => Promise<void>
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (!address || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** Asks until the answer is yes. Throws after `timeoutMs`. */
export async function untilOpen(ask: () => Promise<boolean>, timeoutMs = 30_000): Promise<void> {
  const end = performance.now() + timeoutMs
  while (!(await ask())) {
    if (performance.now() > end) throw new Error(`not ready within ${timeoutMs} ms`)
    await pause(25)
  }
}

export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
