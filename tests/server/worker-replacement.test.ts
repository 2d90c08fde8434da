/** Replacing workers while clients open connections. The supervisor may hand a connection to a worker that is stopping. */
import { type ChildProcess, spawn } from 'node:child_process'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findFreePort, waitUntilReady } from '../support/test-service.ts'

const REPLACEMENTS = 4
const RESPONSE_TIMEOUT_MS = 8_000
let port = 0
let output = ''
let supervisor: ChildProcess

beforeAll(async () => {
  port = await findFreePort()
  supervisor = spawn(process.execPath, ['tests/support/supervised-workers.ts', String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  supervisor.stdout?.on('data', (chunk) => {
    output += chunk
  })
  await waitUntilReady(async () => output.includes('listening'))
})
afterAll(() => supervisor?.kill('SIGTERM'))

/** Returns the protocol and status of the response, or a description of the connection error. */
function requestOnNewConnection(): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let response = ''
    socket.setTimeout(RESPONSE_TIMEOUT_MS, () => {
      resolve('no response')
      socket.destroy()
    })
    socket.on('data', (chunk) => {
      response += chunk
    })
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'))
    socket.on('close', () => resolve(response.slice(0, 12) || 'closed without a response'))
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  })
}

it('answers every connection while workers are replaced', async () => {
  const counts: Record<string, number> = {}
  let isRunning = true
  const clients = Array.from({ length: 24 }, async () => {
    while (isRunning) {
      const result = await requestOnNewConnection()
      counts[result] = (counts[result] ?? 0) + 1
    }
  })
  for (let count = 1; count <= REPLACEMENTS; count += 1) {
    supervisor.kill('SIGHUP')
    await waitUntilReady(async () => output.split('workers replaced').length > count)
  }
  isRunning = false
  await Promise.all(clients)
  expect(Object.keys(counts)).toEqual(['HTTP/1.1 200'])
  expect(counts['HTTP/1.1 200']).toBeGreaterThan(100)
}, 60_000)
