/** Limits of the HTTP server, over real sockets: slow requests, malformed requests, and too many requests at once. */
import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { toProblem } from '../../server/core/problem.ts'
import { admission } from '../../server/http/admission.ts'
import { BODY_LIMIT_BYTES, readRawBody } from '../../server/http/body.ts'
import { type BodyLimits, CONNECTION_MEMORY_BYTES } from '../../server/http/body-collector.ts'
import { createHttpServer } from '../../server/http/node-server.ts'
import { waitUntilReady } from '../support/test-service.ts'

/**
 * Number of incomplete bodies of SMALL_BODY_BYTES bytes that the server accepts: from one address, and from all
 * addresses together.
 */
const [MAX_BODIES_PER_ADDRESS, MAX_BODIES_TOTAL] = [4, 8]
const SMALL_BODY_BYTES = CONNECTION_MEMORY_BYTES + 100
const BODY_LIMITS = {
  deadlineMs: 2_500,
  maxBytesPerAddress: MAX_BODIES_PER_ADDRESS * SMALL_BODY_BYTES,
  maxBytesTotal: MAX_BODIES_TOTAL * SMALL_BODY_BYTES,
}
const HEADERS_TIMEOUT_MS = 500
/** Path of an endpoint that accepts bodies above BODY_LIMIT_BYTES. */
const LARGE_BODY_PATH = '/api/large'
const servers: Server[] = []
let port = 0
/** Number of requests whose headers the server has received. */
let receivedCount = 0
/** Number of requests that reached the app. */
let handledCount = 0

/** Starts a server whose app returns the request target, the URL and the length of the body. Returns its port. */
async function startServer(
  options: { headersTimeoutMs?: number; bodyLimits?: BodyLimits } = {},
): Promise<number> {
  const server = createHttpServer({
    config: { host: '127.0.0.1', trustedProxies: ['127.0.0.9'] },
    isUpload: () => false,
    isStopping: () => false,
    bodyLimits: BODY_LIMITS,
    ...options,
    fetch: async (request, env) => {
      handledCount += 1
      try {
        const isLargeBodyAccepted = new URL(request.url).pathname === LARGE_BODY_PATH
        const { length } = await readRawBody(request, isLargeBodyAccepted ? 1024 * 1024 : BODY_LIMIT_BYTES)
        return new Response(`${(env as HttpBindings).incoming.url} of ${request.url}: read ${length}`)
      } catch (error) {
        const problem = toProblem(error)
        return Response.json(problem.toResponseBody(), { status: problem.status })
      }
    },
  })
  servers.push(server)
  server.on('request', () => {
    receivedCount += 1
  })
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 1_024 }, resolve))
  return (server.address() as AddressInfo).port
}

beforeAll(async () => {
  port = await startServer()
})
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})
beforeEach(() => {
  receivedCount = 0
  handledCount = 0
})

/**
 * Resolves when the server has received the headers of `requestCount` requests in the current test, and has started to
 * count the bytes of their bodies.
 */
async function waitUntilReceived(requestCount: number): Promise<void> {
  await waitUntilReady(async () => receivedCount >= requestCount)
  await nextTurn()
}

interface HttpExchange {
  /** Resolves when the connection is closed: with the raw response, or with the error code if nothing was received. */
  response: Promise<string>
  writeText: (requestText: string) => void
  isOpen: () => boolean
  closeConnection: () => void
}

function openExchange(requestText: string, localAddress = '127.0.0.1', toPort = port): HttpExchange {
  const socket = connect({ port: toPort, host: '127.0.0.1', localAddress })
  let receivedText = ''
  socket.on('data', (chunk) => {
    receivedText += chunk
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    receivedText ||= String(error.code)
  })
  socket.write(requestText)
  return {
    response: new Promise((resolve) => socket.on('close', () => resolve(receivedText))),
    writeText: (moreText) => void socket.write(moreText),
    isOpen: () => !socket.destroyed && receivedText === '',
    closeConnection: () => socket.destroy(),
  }
}

const formatPostHead = (bodyBytes: number, extraHeaders = '') =>
  `POST /api/x HTTP/1.1\r\nHost: x\r\nContent-Length: ${bodyBytes}\r\nConnection: close\r\n${extraHeaders}\r\n`
const openSlowBodies = (bodyCount: number, localAddress?: string) =>
  Array.from({ length: bodyCount }, () => openExchange(`${formatPostHead(100)}{`, localAddress))

/** Expects an error response in the format of the API. */
function expectProblem(response: string, status: number, problemType: string): void {
  const [head = '', body = ''] = response.split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} \\w`))
  expect(head).toMatch(/content-type: application\/json/i)
  expect(head).toMatch(/connection: close/i)
  expect(JSON.parse(body)).toEqual({
    type: problemType,
    status_code: status,
    message: expect.any(String),
    errors: {},
  })
  if (status === 503 || status === 408) expect(head).toMatch(/retry-after: 1/i)
}

describe('body limits', () => {
  it('a slow body is rejected with 408 after the deadline, before the app receives the request', async () => {
    const [slowBody] = openSlowBodies(1)
    const startedAtMs = performance.now()
    expectProblem((await slowBody?.response) ?? '', 408, 'request_timeout')
    expect(performance.now() - startedAtMs).toBeGreaterThan(BODY_LIMITS.deadlineMs - 50)
    expect(handledCount).toBe(0)
  })

  it('the oldest slow body of an address is rejected when the next request of that address exceeds the limit of slow bodies per address', async () => {
    const slowBodies = openSlowBodies(MAX_BODIES_PER_ADDRESS)
    await waitUntilReceived(MAX_BODIES_PER_ADDRESS)
    const nextExchange = openExchange(`${formatPostHead(4)}12`)
    expectProblem((await slowBodies[0]?.response) ?? '', 503, 'overloaded')
    nextExchange.writeText('34')
    expect(await nextExchange.response).toMatch(/^HTTP\/1.1 200 [\s\S]*read 4$/)
    expect(handledCount).toBe(1)
    for (const exchange of slowBodies) exchange.closeConnection()
  })

  it('a slow body is rejected with 503 when the received bytes of all slow bodies from one address exceed the byte limit per address', async () => {
    const partialBody = ' '.repeat(CONNECTION_MEMORY_BYTES)
    const slowBodies = Array.from({ length: MAX_BODIES_PER_ADDRESS / 2 + 1 }, () =>
      openExchange(formatPostHead(2 * partialBody.length)),
    )
    await waitUntilReceived(slowBodies.length)
    expect(slowBodies.every((exchange) => exchange.isOpen())).toBe(true)
    for (const exchange of slowBodies) exchange.writeText(partialBody)
    expectProblem(await Promise.race(slowBodies.map(({ response }) => response)), 503, 'overloaded')
    expect(slowBodies.filter((exchange) => exchange.isOpen())).toHaveLength(slowBodies.length - 1)
    for (const exchange of slowBodies) exchange.closeConnection()
  })

  it('when the slow bodies of all addresses exceed the total limit, the oldest slow body of the address with the most slow bodies is rejected', async () => {
    const bodiesOfBusyAddress = openSlowBodies(MAX_BODIES_PER_ADDRESS, '127.0.0.2')
    await waitUntilReceived(MAX_BODIES_PER_ADDRESS)
    const bodiesOfOtherAddresses = [...openSlowBodies(3, '127.0.0.3'), ...openSlowBodies(1, '127.0.0.4')]
    await waitUntilReceived(MAX_BODIES_TOTAL)
    const nextExchange = openExchange(`${formatPostHead(4)}12`, '127.0.0.5')
    expectProblem((await bodiesOfBusyAddress[0]?.response) ?? '', 503, 'overloaded')
    expect(bodiesOfOtherAddresses.map((exchange) => exchange.isOpen())).toEqual([true, true, true, true])
    nextExchange.writeText('34')
    expect(await nextExchange.response).toMatch(/read 4$/)
    for (const exchange of [...bodiesOfBusyAddress, ...bodiesOfOtherAddresses]) exchange.closeConnection()
  })

  it('slow bodies that arrive through a trusted proxy are counted by the forwarded address', async () => {
    const openSlowBody = (clientAddress: string) =>
      openExchange(`${formatPostHead(100, `X-Forwarded-For: ${clientAddress}\r\n`)}{`, '127.0.0.9')
    const slowBodies = Array.from({ length: MAX_BODIES_PER_ADDRESS }, () => openSlowBody('203.0.113.1'))
    await waitUntilReceived(MAX_BODIES_PER_ADDRESS)
    const otherExchange = openSlowBody('203.0.113.2')
    await waitUntilReceived(MAX_BODIES_PER_ADDRESS + 1)
    expect(slowBodies.every((exchange) => exchange.isOpen())).toBe(true)
    for (const exchange of [...slowBodies, otherExchange]) exchange.closeConnection()
  })

  it('a body above the size limit is passed to the app, which responds with 413', async () => {
    const contentLengthExchange = openExchange(`${formatPostHead(BODY_LIMIT_BYTES + 1)}{`)
    expect(await contentLengthExchange.response).toMatch(/^HTTP\/1.1 413 /)
    const chunk = 'x'.repeat(BODY_LIMIT_BYTES + 1)
    const chunkedExchange = openExchange(
      'POST /api/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n',
    )
    chunkedExchange.writeText(`${chunk.length.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`)
    expect(await chunkedExchange.response).toMatch(/^HTTP\/1.1 413 /)
  })

  it('the whole body reaches an endpoint that accepts larger bodies, even if the request states no length', async () => {
    const bodyLimits = { ...BODY_LIMITS, maxBytesPerAddress: 1024 * 1024, maxBytesTotal: 1024 * 1024 }
    const exchange = openExchange(
      `POST ${LARGE_BODY_PATH} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`,
      '127.0.0.1',
      await startServer({ bodyLimits }),
    )
    const chunk = 'x'.repeat(BODY_LIMIT_BYTES / 2)
    for (let chunkIndex = 0; chunkIndex < 10; chunkIndex += 1) {
      exchange.writeText(`${chunk.length.toString(16)}\r\n${chunk}\r\n`)
      await nextTurn()
    }
    exchange.writeText('0\r\n\r\nGET /api/next HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    const responses = await exchange.response
    expect(responses).toContain(`read ${10 * chunk.length}`)
    expect(responses).toContain('/api/next')
  })

  it('a burst of complete bodies from one address is accepted', async () => {
    const exchanges = Array.from({ length: 200 }, () => openExchange(`${formatPostHead(4)}1234`))
    const responses = await Promise.all(exchanges.map(({ response }) => response))
    expect(responses.filter((response) => response.endsWith('read 4'))).toHaveLength(200)
  })
})

describe('headers timeout', () => {
  it('rejects slowly sent headers with 408 after the timeout', async () => {
    const shortTimeoutPort = await startServer({ headersTimeoutMs: HEADERS_TIMEOUT_MS })
    const slowExchange = openExchange('GET /api/x HTTP/1.1\r\nHost: x\r\n', '127.0.0.1', shortTimeoutPort)
    const timer = setInterval(() => slowExchange.writeText('X-Slow: 1\r\n'), 100)
    const startedAtMs = performance.now()
    expectProblem(await slowExchange.response, 408, 'request_timeout')
    clearInterval(timer)
    expect(performance.now() - startedAtMs).toBeLessThan(HEADERS_TIMEOUT_MS + 5_000)
  })

  it('closes a connection without a response when the client never sends data', async () => {
    const shortTimeoutPort = await startServer({ headersTimeoutMs: HEADERS_TIMEOUT_MS })
    expect(await openExchange('', '127.0.0.1', shortTimeoutPort).response).toBe('')
  })
})

describe('malformed requests', () => {
  const formatRequest = (requestLine: string, headers = 'Host: x') => `${requestLine}\r\n${headers}\r\n\r\n`
  const MALFORMED_REQUESTS: [string, string, number, string][] = [
    [
      'a request line over 16 KB',
      formatRequest(`GET /api/${'x'.repeat(20_000)} HTTP/1.1`),
      431,
      'headers_too_large',
    ],
    [
      'a request line of 1 MB',
      formatRequest(`GET /api/${'x'.repeat(1_000_000)} HTTP/1.1`),
      431,
      'headers_too_large',
    ],
    [
      'headers over 16 KB',
      formatRequest('GET /api/x HTTP/1.1', `Host: x\r\nX-A: ${'a'.repeat(20_000)}`),
      431,
      'headers_too_large',
    ],
    ['text that is not HTTP', 'hello\r\n\r\n', 400, 'bad_request'],
    [
      'two Content-Length headers',
      formatRequest('POST /api/x HTTP/1.1', 'Host: x\r\nContent-Length: 1\r\nContent-Length: 2'),
      400,
      'bad_request',
    ],
    [
      'a malformed chunk',
      formatRequest('POST /api/x HTTP/1.1', 'Host: x\r\nTransfer-Encoding: chunked\r\n\r\nzz'),
      400,
      'bad_request',
    ],
    ['no Host header', formatRequest('GET /api/x HTTP/1.1', 'Connection: close'), 400, 'bad_request'],
    [
      'two Host headers',
      formatRequest('GET /api/x HTTP/1.1', 'Host: x\r\nHost: y\r\nConnection: close'),
      400,
      'bad_request',
    ],
    [
      'two Host headers of HTTP/1.0',
      formatRequest('GET /api/x HTTP/1.0', 'Host: x\r\nHost: x'),
      400,
      'bad_request',
    ],
    [
      'an invalid Host header',
      formatRequest('GET /api/x HTTP/1.1', 'Host: a b\r\nConnection: close'),
      400,
      'bad_request',
    ],
    ['a CONNECT request', formatRequest('CONNECT example.org:443 HTTP/1.1'), 400, 'bad_request'],
  ]
  it.each(MALFORMED_REQUESTS)(
    'the server rejects %s with an error in the format of the API',
    async (_, requestText, status, type) => {
      expectProblem(await openExchange(requestText).response, status, type)
      expect(handledCount).toBe(0)
    },
  )

  it.each([
    ['http://y:80/api/x?a=1', '/api/x?a=1 of http://y/api/x?a=1'],
    ['HTTPS://y?a=1', '/?a=1 of http://y/?a=1'],
    ['http://y', '/ of http://y/'],
  ])(
    'the absolute request target %s is split into host and path, and the host of the target is used instead of the Host header',
    async (target, expectedBody) => {
      const { response } = openExchange(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      expect((await response).split('\r\n\r\n')[1]).toContain(expectedBody)
    },
  )

  it('a request target with user information is rejected with 400', async () => {
    const { response } = openExchange('GET http://a@y/api/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(await response).toContain('HTTP/1.1 400')
  })

  it('a valid request gets a normal response even if a malformed request follows on the same connection', async () => {
    const response = await openExchange(`GET /api/x HTTP/1.1\r\nHost: x\r\n\r\nhello\r\n\r\n`).response
    expect(response).toMatch(/^HTTP\/1.1 200 [\s\S]*read 0/)
  })
})

describe('an overloaded process', () => {
  it('answers liveness checks with 200, and all other calls with 503 and Retry-After', async () => {
    let admittedCount = 0
    while (admission.tryAdmitRequest('/api/movies')) admittedCount += 1
    try {
      const exchanges = Array.from({ length: 600 }, (_, index) =>
        index % 20 === 0
          ? openExchange('GET /api/health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
          : openExchange(
              index % 2 === 0
                ? `${formatPostHead(4)}1234`
                : 'GET /api/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
            ),
      )
      const responses = await Promise.all(exchanges.map(({ response }) => response))
      for (const [index, response] of responses.entries())
        if (index % 20 === 0) expect(response).toMatch(/^HTTP\/1.1 200 [\s\S]*\{"status":"ok"\}$/)
        else expectProblem(response, 503, 'overloaded')
      expect(handledCount).toBe(0)
    } finally {
      for (; admittedCount > 0; admittedCount -= 1) admission.releaseRequest()
    }
  })
})
