/** Reads bodies from upstream servers. A body can be too large or never end. */
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { readUpstreamBody } from '../../../server/providers/upstream.ts'
import { waitForClose } from '../../support/sockets.ts'

let server: Server
afterEach(() => server.close())

/**
 * Sends a request to a server that sends the response with `respond`. Returns the response and the socket of the
 * server.
 */
async function request(
  respond: (write: (bytes: string) => void) => void,
  headers: Record<string, string> = {},
): Promise<{ response: IncomingMessage; serverSocket: Socket }> {
  server = createServer((_request, outgoing) => {
    outgoing.writeHead(200, headers)
    respond((bytes) => outgoing.write(bytes))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const connection = once(server, 'connection')
  const outgoingRequest = get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const [response] = await once(outgoingRequest, 'response')
  // Destroying the response also makes the request emit an error.
  outgoingRequest.on('error', () => {})
  const [serverSocket] = await connection
  return { response, serverSocket }
}

test('a body that arrives byte by byte without end is rejected after the timeout, and the connection is closed', async () => {
  let timer: NodeJS.Timeout | undefined
  const { response, serverSocket } = await request((write) => {
    timer = setInterval(() => write('a'), 10)
  })
  const closePromise = waitForClose(serverSocket)
  await expect(readUpstreamBody(response, 1_000_000, 200)).rejects.toThrow('body timed out')
  await closePromise
  clearInterval(timer)
})

test('a body whose stated length is too large is rejected, and the connection is closed', async () => {
  const { response, serverSocket } = await request((write) => write('a'), { 'Content-Length': '1001' })
  const closePromise = waitForClose(serverSocket)
  await expect(readUpstreamBody(response, 1_000)).rejects.toThrow('response body is too large')
  await closePromise
})
