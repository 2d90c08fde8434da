/** The load generator of the scaling benchmark. */
import { type AddressInfo, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { generateLoad } from '../../bench/scale/load.ts'

it('after each response with Connection: close, the load generator opens a new connection and sends the next requests', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () =>
      socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok'),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { responseCountsByStatus } = await generateLoad({
    urls: [`http://127.0.0.1:${port}`],
    requests: [{ method: 'GET', path: '/', headers: {} }],
    connectionCount: 2,
    seconds: 1,
  })
  server.close()
  expect(Object.keys(responseCountsByStatus)).toEqual(['200'])
  expect(responseCountsByStatus[200]).toBeGreaterThan(10)
})
