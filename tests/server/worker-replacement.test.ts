/**
 * The server answers every connection while workers are replaced, although the supervisor may give a connection to a
 * worker that is stopping.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findFreePort, waitUntilReady } from '../support/test-service.ts'

const REPLACEMENT_COUNT = 4
const RESPONSE_TIMEOUT_MS = 8_000
let port = 0
let supervisorOutput = ''
let supervisor: ChildProcess

beforeAll(async () => {
  port = await findFreePort()
  supervisor = spawn(process.execPath, ['tests/support/supervised-workers.ts', String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  supervisor.stdout?.on('data', (chunk) => {
    supervisorOutput += chunk
  })
  await waitUntilReady(async () => supervisorOutput.includes('listening'))
})
afterAll(() => supervisor?.kill('SIGTERM'))

/** Returns the protocol and status of the response, or a description of the connection error. */
function requestOnNewConnection(): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let responseText = ''
    socket.setTimeout(RESPONSE_TIMEOUT_MS, () => {
      resolve('no response')
      socket.destroy()
    })
    socket.on('data', (chunk) => {
      responseText += chunk
    })
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'))
    socket.on('close', () => resolve(responseText.slice(0, 12) || 'closed without a response'))
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  })
}

it('the server responds with 200 on every new connection while workers are replaced', async () => {
  const countsByResult: Record<string, number> = {}
  let isRunning = true
  const clients = Array.from({ length: 24 }, async () => {
    while (isRunning) {
      const responseSummary = await requestOnNewConnection()
      countsByResult[responseSummary] = (countsByResult[responseSummary] ?? 0) + 1
    }
  })
  for (let replacementCount = 1; replacementCount <= REPLACEMENT_COUNT; replacementCount += 1) {
    supervisor.kill('SIGHUP')
    await waitUntilReady(async () => supervisorOutput.split('workers replaced').length > replacementCount)
  }
  isRunning = false
  await Promise.all(clients)
  expect(Object.keys(countsByResult)).toEqual(['HTTP/1.1 200'])
  expect(countsByResult['HTTP/1.1 200']).toBeGreaterThan(100)
}, 60_000)
