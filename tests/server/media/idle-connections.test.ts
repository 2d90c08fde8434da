import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createRequestSender, readUpstreamBody } from '../../../server/providers/guarded-request.ts'

/** Starts a server that processes the second request of a connection, but closes the connection without a response. */
async function startClosingServer() {
  const requestCounts = new WeakMap<object, number>()
  const receivedBodies: string[] = []
  const server = createServer(async (request, response) => {
    const requestCount = (requestCounts.get(request.socket) ?? 0) + 1
    requestCounts.set(request.socket, requestCount)
    receivedBodies.push(Buffer.concat(await request.toArray()).toString())
    if (requestCount > 1) request.socket.destroy()
    else response.end('ok')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const url = new URL(`http://127.0.0.1:${port}/`)
  return {
    url,
    receivedBodies,
    sendRequest: createRequestSender(url, async () => [], { isHostTrusted: true }),
  }
}

it('a GET request is sent again on a new connection if the upstream has closed the idle connection', async () => {
  const { url, sendRequest, receivedBodies } = await startClosingServer()
  for (let requestNumber = 1; requestNumber <= 3; requestNumber += 1) {
    const response = await sendRequest(url, {})
    expect((await readUpstreamBody(response)).toString()).toBe('ok')
  }
  // The server received the first request once. It received each of the other two requests twice: on the closed
  // connection and on a new one.
  expect(receivedBodies).toHaveLength(5)
})

it('a POST request never uses an idle connection, so that the upstream receives the request only once', async () => {
  const { url, sendRequest, receivedBodies } = await startClosingServer()
  await readUpstreamBody(await sendRequest(url, {}))
  for (const body of ['first', 'second']) {
    const response = await sendRequest(url, {}, { method: 'POST', body })
    expect((await readUpstreamBody(response)).toString()).toBe('ok')
  }
  expect(receivedBodies).toEqual(['', 'first', 'second'])
})
