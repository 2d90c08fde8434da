import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openPostgresDatabase } from '../../server/db/database.ts'
import { isReady } from '../../server/services/operations/readiness.ts'
import { startTestServer } from '../support/server.ts'

it('the readiness check returns 503 when a stop signal arrives together with the request', async () => {
  const server = await startTestServer()
  let isStopping = false
  server.deps.isStopping = () => isStopping
  expect((await server.request('/api/health/ready')).status).toBe(200)
  // Simulates a stop signal that arrives together with the request. Node.js handles such a signal after the request.
  setImmediate(() => {
    isStopping = true
  })
  const response = await server.request('/api/health/ready')
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
  expect((await server.request('/api/health/live')).status).toBe(200)
  await nextTurn()
  await server.close()
})

it('while the database does not respond, simultaneous readiness checks share one connection attempt, and return false after the timeout', async () => {
  const openSockets = new Set<Socket>()
  let connectionCount = 0
  const silentServer = createServer((socket) => {
    connectionCount += 1
    openSockets.add(socket)
    socket.on('close', () => openSockets.delete(socket))
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => silentServer.listen(0, '127.0.0.1', resolve))
  const { port } = silentServer.address() as AddressInfo
  const database = openPostgresDatabase({
    url: `postgres://marquee@127.0.0.1:${port}/marquee`,
    searchFolder: ':memory:',
  })
  const readinessPromises = Array.from({ length: 20 }, () =>
    isReady({ database, isStopping: () => false }, 200),
  )
  expect(new Set(await Promise.all(readinessPromises))).toEqual(new Set([false]))
  // All checks share one attempt to connect, which has not ended yet.
  expect([connectionCount, openSockets.size]).toEqual([1, 1])
  await database.close()
  silentServer.close()
  for (const socket of openSockets) socket.destroy()
})
