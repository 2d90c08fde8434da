/**
 * The server answers every connection while workers are replaced, although the supervisor may give a connection to a
 * worker that is stopping. The number of workers stays the same when a worker fails during its replacement.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listChildProcessIds } from '../support/child-processes.ts'
import { findFreePort, waitUntilReady } from '../support/test-service.ts'

const REPLACEMENT_COUNT = 4
const RESPONSE_TIMEOUT_MS = 8_000
const folder = mkdtempSync(join(tmpdir(), 'marquee-replacement-'))
/** supervised-workers.ts describes the effect of these files. */
const exitFile = join(folder, 'exit')
const waitFile = join(folder, 'wait')
let port = 0
let supervisorOutput = ''
let supervisor: ChildProcess

beforeAll(async () => {
  port = await findFreePort()
  supervisor = spawn(process.execPath, ['tests/support/supervised-workers.ts', String(port), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  supervisor.stdout?.on('data', (chunk) => {
    supervisorOutput += chunk
  })
  await waitUntilReady(async () => supervisorOutput.includes('listening'))
})
afterAll(() => {
  supervisor?.kill('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

const listWorkerPids = () => listChildProcessIds(supervisor.pid as number)

/** Runs the action and resolves when the log contains one more line with the message. */
async function waitForLogLine(message: string, action: () => void): Promise<void> {
  const countMessages = () => supervisorOutput.split(message).length
  const previousCount = countMessages()
  action()
  await waitUntilReady(async () => countMessages() > previousCount)
}
const replaceWorkers = () => supervisor.kill('SIGHUP')

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
  const clientPromises = Array.from({ length: 24 }, async () => {
    while (isRunning) {
      const responseSummary = await requestOnNewConnection()
      countsByResult[responseSummary] = (countsByResult[responseSummary] ?? 0) + 1
    }
  })
  for (let replacementNumber = 1; replacementNumber <= REPLACEMENT_COUNT; replacementNumber += 1)
    await waitForLogLine('workers replaced', replaceWorkers)
  isRunning = false
  await Promise.all(clientPromises)
  expect(Object.keys(countsByResult)).toEqual(['HTTP/1.1 200'])
  expect(countsByResult['HTTP/1.1 200']).toBeGreaterThan(100)
}, 60_000)

it('two workers remain after a replacement worker has exited before listening', async () => {
  writeFileSync(exitFile, '')
  await waitForLogLine('workers not replaced', replaceWorkers)
  rmSync(exitFile)
  await waitForLogLine('workers replaced', replaceWorkers)
  expect(listWorkerPids()).toHaveLength(2)
}, 60_000)

it('two workers remain after a worker has crashed while its replacement was starting', async () => {
  const [crashingPid] = listWorkerPids()
  writeFileSync(waitFile, '')
  replaceWorkers()
  await waitUntilReady(async () => listWorkerPids().length === 3)
  await waitForLogLine('worker exited', () => process.kill(crashingPid as number, 'SIGKILL'))
  await waitUntilReady(async () => listWorkerPids().length === 3)
  await waitForLogLine('workers replaced', () => rmSync(waitFile))
  expect(listWorkerPids()).toHaveLength(2)
}, 60_000)
