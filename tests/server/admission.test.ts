/** What a process that cannot keep up does: it finishes what it began, and says at once what it will not begin. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { Admission, MAX_REQUESTS, MIN_REQUESTS, rejectWhenOverloaded } from '../../server/http/admission.ts'

let server: Server | undefined
afterEach(() => server?.close())

const filled = () => {
  const gate = new Admission()
  while (gate.enter('/api/movies'));
  return gate
}

describe('the limit', () => {
  it('is as many calls as were let in and not yet answered', () => {
    const gate = new Admission()
    for (let at = 0; at < MAX_REQUESTS; at += 1) expect(gate.enter('/api/movies')).toBe(true)
    expect(gate.enter('/api/movies')).toBe(false)
    gate.leave()
    expect(gate.enter('/api/movies')).toBe(true)
  })

  it('falls while the event loop is late, never to nothing, and is whole again two seconds after', () => {
    const gate = new Admission()
    gate.recordLoopDelay(500)
    expect(gate.limit).toBeLessThan(MAX_REQUESTS)
    for (let turn = 0; turn < 50; turn += 1) gate.recordLoopDelay(500)
    expect(gate.limit).toBe(MIN_REQUESTS)
    for (let turn = 0; turn < 40; turn += 1) gate.recordLoopDelay(2)
    expect(gate.limit).toBe(MAX_REQUESTS)
  })

  it('falls when what is behind the process is slow, and once for all that come back together', () => {
    const gate = new Admission()
    for (let at = 0; at < 20; at += 1) gate.enter('/api/movies')
    for (let at = 0; at < 20; at += 1) gate.leave(5_000)
    gate.recordLoopDelay(0)
    const once = gate.limit
    expect(once).toBeLessThan(MAX_REQUESTS)
    gate.recordLoopDelay(0)
    expect(gate.limit).toBeGreaterThan(once)
  })

  it('looks at the event loop by itself', async () => {
    const gate = new Admission()
    const watch = gate.startMeasuring()
    for (const end = performance.now() + 400; performance.now() < end; );
    await new Promise((resolve) => setTimeout(resolve, 20))
    clearInterval(watch)
    expect(gate.limit).toBeLessThan(MAX_REQUESTS)
  })

  it('never shuts out who looks after the process', () => {
    const gate = filled()
    expect(gate.isFull('/api/health/ready')).toBe(false)
    expect(gate.isFull('/api/metrics')).toBe(false)
    expect(gate.isFull('/api/healthy-films')).toBe(true)
  })
})

it('refuses calls with 503, Retry-After and the one error object; files are served', async () => {
  const gate = filled()
  server = createServer(rejectWhenOverloaded((_, response) => void response.end('served'), gate))
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const refused = await fetch(`${url}/api/movies`, { method: 'POST', body: 'x'.repeat(100_000) })
  expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('cache-control')]).toEqual([
    503,
    '1',
    'no-store',
  ])
  expect(await refused.json()).toEqual({
    type: 'overloaded',
    status_code: 503,
    message: 'The server is busy. Try again shortly.',
    errors: {},
  })
  expect(await (await fetch(`${url}/_a/app.js`)).text()).toBe('served')
  gate.leave()
  expect(await (await fetch(`${url}/api/movies`)).text()).toBe('served')
})
