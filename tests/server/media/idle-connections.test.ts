import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createRequestSender, readUpstreamBody } from '../../../server/providers/guarded-request.ts'

/** Starts a server that closes a connection at its second request, like a server that closes it while idle. */
async function startClosingServer() {
  const requestCounts = new WeakMap<object, number>()
  const receivedBodies: string[] = []
  const server = createServer(async (request, response) => {
    const requestCount = (requestCounts.get(request.socket) ?? 0) + 1
    requestCounts.set(request.socket, requestCount)
    if (requestCount > 1) {
      request.socket.destroy()
      return
    }
    receivedBodies.push(Buffer.concat(await request.toArray()).toString())
    response.end('ok')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: new URL(`http://127.0.0.1:${port}/`), receivedBodies }
}

it('a request on a connection that the upstream has just closed is sent again on a new connection', async () => {
  const { url, receivedBodies } = await startClosingServer()
  const sendRequest = createRequestSender(url, async () => [], { isHostTrusted: true })
  for (const body of ['first', 'second', 'third']) {
    const response = await sendRequest(url, {}, { method: 'POST', body })
    expect((await readUpstreamBody(response)).toString()).toBe('ok')
  }
  expect(receivedBodies).toEqual(['first', 'second', 'third'])
})
