import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
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
