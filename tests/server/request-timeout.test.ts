/**
 * Slow requests over real sockets. Only an upload may take longer than the request timeout.
 * The client of the upload must continue to send data.
 */
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isUploadRequest } from '../../server/app.ts'
import { enforceRequestTimeout } from '../../server/http/request-timeout.ts'

const TIMEOUT_MS = 200
let server: Server
beforeAll(async () => {
  server = createServer({ requestTimeout: 0 }, (request, response) => {
    let sizeBytes = 0
    request.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length
    })
    request.on('end', () => response.end(String(sizeBytes)))
  })
  enforceRequestTimeout(server, ({ url }) => url === '/file', {
    timeoutMs: TIMEOUT_MS,
    minBytesPerPeriod: 50,
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => server.close())

/**
 * Sends a request whose Content-Length is ten chunks of `chunkBytes` bytes.
 * Sends `chunkCount` chunks at intervals of `gapMs`. Returns the response as raw text.
 */
async function sendSlowly(
  path: string,
  { gapMs, chunkBytes, chunkCount = 10 }: { gapMs: number; chunkBytes: number; chunkCount?: number },
) {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let responseText = ''
  socket.on('data', (chunk) => {
    responseText += chunk
  })
  socket.on('error', () => {})
  const closePromise = new Promise((resolve) => socket.on('close', resolve))
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${10 * chunkBytes}\r\nConnection: close\r\n\r\n`,
  )
  for (let sentCount = 0; sentCount < chunkCount && !socket.destroyed; sentCount++) {
    socket.write('x'.repeat(chunkBytes))
    await pause(gapMs)
  }
  await closePromise
  return responseText
}

it('the server accepts a body that arrives within the timeout', async () => {
  expect(await sendSlowly('/call', { gapMs: 1, chunkBytes: 20 })).toMatch(/^HTTP\/1.1 200[\s\S]*200$/)
})

it('a body that arrives too slowly is rejected with 408', async () => {
  expect(await sendSlowly('/call', { gapMs: TIMEOUT_MS / 3, chunkBytes: 20 })).toMatch(/^HTTP\/1.1 408/)
  expect(await sendSlowly('/file', { gapMs: TIMEOUT_MS / 3, chunkBytes: 1 })).toMatch(/^HTTP\/1.1 408/)
})

it('the server accepts an upload that takes longer than the timeout but continues to send data', async () => {
  expect(await sendSlowly('/file', { gapMs: TIMEOUT_MS / 2, chunkBytes: 100 })).toMatch(
    /^HTTP\/1.1 200[\s\S]*1000$/,
  )
})

it('an upload that stops sending data is rejected with 408', async () => {
  expect(await sendSlowly('/file', { gapMs: 1, chunkBytes: 100, chunkCount: 3 })).toMatch(/^HTTP\/1.1 408/)
})

it('isUploadRequest recognises upload requests by the contract', () => {
  const isUpload = (method: string, url: string) => isUploadRequest({ method, url })
  expect(isUpload('POST', '/api/profile/abc/import?name=x.csv')).toBe(true)
  expect(isUpload('GET', '/api/profile/abc/import')).toBe(false)
  expect(isUpload('POST', '/api/profile/abc/import/1/apply')).toBe(false)
  expect(isUpload('POST', '/api/auth/login')).toBe(false)
})
