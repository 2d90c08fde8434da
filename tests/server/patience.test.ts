/** Requests that come slowly, over real sockets: a file may take its time while it keeps coming, nothing else may. */
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isUploadRequest } from '../../server/app.ts'
import { enforceRequestTimeout } from '../../server/http/request-timeout.ts'

const MS = 200
let server: Server
beforeAll(async () => {
  server = createServer({ requestTimeout: 0 }, (request, response) => {
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
    })
    request.on('end', () => response.end(String(size)))
  })
  enforceRequestTimeout(server, ({ url }) => url === '/file', { timeoutMs: MS, minBytes: 50 })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
})
afterAll(() => server.close())

/** What the server says to a body of ten parts, `gap` ms apart; `parts` fewer than ten are all that ever come. */
async function send(
  path: string,
  { gap, bytes, parts = 10 }: { gap: number; bytes: number; parts?: number },
) {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let said = ''
  socket.on('data', (chunk) => {
    said += chunk
  })
  socket.on('error', () => {})
  const closed = new Promise((done) => socket.on('close', done))
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${10 * bytes}\r\nConnection: close\r\n\r\n`,
  )
  for (let part = 0; part < parts && !socket.destroyed; part++) {
    socket.write('x'.repeat(bytes))
    await pause(gap)
  }
  await closed
  return said
}

it('answers a body that is there in time', async () => {
  expect(await send('/call', { gap: 1, bytes: 20 })).toMatch(/^HTTP\/1.1 200[\s\S]*200$/)
})

it('ends a body that comes drop by drop', async () => {
  expect(await send('/call', { gap: MS / 3, bytes: 20 })).toMatch(/^HTTP\/1.1 408/)
  expect(await send('/file', { gap: MS / 3, bytes: 1 })).toMatch(/^HTTP\/1.1 408/)
})

it('takes a file for as long as it keeps coming', async () => {
  expect(await send('/file', { gap: MS / 2, bytes: 100 })).toMatch(/^HTTP\/1.1 200[\s\S]*1000$/)
})

it('ends a file that stops coming', async () => {
  expect(await send('/file', { gap: 1, bytes: 100, parts: 3 })).toMatch(/^HTTP\/1.1 408/)
})

it('knows by the contract what brings a file', () => {
  const ask = (method: string, url: string) => isUploadRequest({ method, url })
  expect(ask('POST', '/api/profile/abc/import?name=x.csv')).toBe(true)
  expect(ask('GET', '/api/profile/abc/import')).toBe(false)
  expect(ask('POST', '/api/profile/abc/import/1/apply')).toBe(false)
  expect(ask('POST', '/api/auth/login')).toBe(false)
})
