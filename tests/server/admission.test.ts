/**
 * Load shedding: an overloaded process finishes the requests that it has accepted, and rejects new requests
 * immediately.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import {
  Admission,
  MAX_ADMISSION_LIMIT,
  MIN_ADMISSION_LIMIT,
  rejectWhenOverloaded,
} from '../../server/http/admission.ts'

let server: Server | undefined
afterEach(() => server?.close())

const createFullAdmission = () => {
  const admission = new Admission()
  while (admission.tryAdmitRequest('/api/movies'));
  return admission
}

describe('Admission', () => {
  it('limits the number of requests in progress', () => {
    const admission = new Admission()
    for (let requestIndex = 0; requestIndex < MAX_ADMISSION_LIMIT; requestIndex += 1)
      expect(admission.tryAdmitRequest('/api/movies')).toBe(true)
    expect(admission.tryAdmitRequest('/api/movies')).toBe(false)
    admission.releaseRequest()
    expect(admission.tryAdmitRequest('/api/movies')).toBe(true)
  })

  it('lowers the limit to its minimum while the event loop is delayed, and restores the maximum within two seconds', () => {
    const admission = new Admission()
    admission.recordLoopDelay(500)
    expect(admission.limit).toBeLessThan(MAX_ADMISSION_LIMIT)
    for (let tick = 0; tick < 50; tick += 1) admission.recordLoopDelay(500)
    expect(admission.limit).toBe(MIN_ADMISSION_LIMIT)
    for (let tick = 0; tick < 40; tick += 1) admission.recordLoopDelay(2)
    expect(admission.limit).toBe(MAX_ADMISSION_LIMIT)
  })

  it('lowers the limit once, not repeatedly, when a batch of requests was slow', () => {
    const admission = new Admission()
    for (let requestIndex = 0; requestIndex < 20; requestIndex += 1) admission.tryAdmitRequest('/api/movies')
    for (let requestIndex = 0; requestIndex < 20; requestIndex += 1) admission.releaseRequest(5_000)
    admission.recordLoopDelay(0)
    const loweredLimit = admission.limit
    expect(loweredLimit).toBeLessThan(MAX_ADMISSION_LIMIT)
    admission.recordLoopDelay(0)
    expect(admission.limit).toBeGreaterThan(loweredLimit)
  })

  it('lowers the limit after a real delay of the event loop', async () => {
    const admission = new Admission()
    const timer = admission.startMeasuringLoopDelay()
    for (const endsAtMs = performance.now() + 400; performance.now() < endsAtMs; );
    await new Promise((resolve) => setTimeout(resolve, 20))
    clearInterval(timer)
    expect(admission.limit).toBeLessThan(MAX_ADMISSION_LIMIT)
  })

  it('always accepts health checks and metrics', () => {
    const admission = createFullAdmission()
    expect(admission.isFull('/api/health/ready')).toBe(false)
    for (const url of ['/api/metrics', '/api/metrics?source=a']) expect(admission.isFull(url)).toBe(false)
    for (const url of ['/api/healthy-films', '/api/metricsx', '/api/metrics/x'])
      expect(admission.isFull(url)).toBe(true)
  })
})

it('while the request limit is reached, API requests are rejected with 503 and Retry-After, and static files are still served', async () => {
  const admission = createFullAdmission()
  server = createServer(rejectWhenOverloaded((_, response) => void response.end('served'), admission))
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const rejectedResponse = await fetch(`${url}/api/movies`, { method: 'POST', body: 'x'.repeat(100_000) })
  expect([
    rejectedResponse.status,
    rejectedResponse.headers.get('retry-after'),
    rejectedResponse.headers.get('cache-control'),
  ]).toEqual([503, '1', 'no-store'])
  expect(await rejectedResponse.json()).toEqual({
    type: 'overloaded',
    status_code: 503,
    message: 'The server is busy. Try again shortly.',
    errors: {},
  })
  expect(await (await fetch(`${url}/_a/app.js`)).text()).toBe('served')
  admission.releaseRequest()
  expect(await (await fetch(`${url}/api/movies`)).text()).toBe('served')
})
