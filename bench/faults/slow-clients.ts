/**
 * `npm run bench:slow-clients [-- CLIENTS SECONDS KIND...]`: measures response times of signed-in reads while slow
 * clients occupy the server. By default, 2,000 slow clients of each kind connect, first from 1 address and then from 50
 * addresses. Each measurement is compared with a measurement without slow clients just before it, because the speed of
 * a shared machine changes within minutes. Server, slow clients and readers are separate processes. Exits with 1 if a
 * read fails, or if the 99th percentile of the response times is more than twice as high as without slow clients.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { signInAdmin } from '../../tests/scale/scenarios.ts'
import { prepareServerProcess, readFirstSignIn } from '../../tests/support/server-processes.ts'
import { SLOW_CLIENT_KINDS, type SlowClientKind } from '../../tests/support/slow-clients.ts'
import type { LoadResult } from '../scale/load.ts'
import { listReadRequests, printResult, runLoadGenerator } from '../scale/measure.ts'

const [clientCount = 2_000, measuredSeconds = 15] = process.argv.slice(2, 4).map(Number)
const selectedClientKinds = process.argv.slice(4) as SlowClientKind[]
const READS_PER_SECOND = 100
const MAX_SLOWDOWN = 2
/** Time in which the server accepts the slow connections before the measurement begins. */
const CONNECTION_SETTLE_MS = 1_000

const folder = mkdtempSync(join(tmpdir(), 'marquee-slow-clients-'))
const server = await prepareServerProcess(folder, { DEMO: '1' })

async function measureReads(): Promise<LoadResult> {
  const admin = await signInAdmin({ admin: readFirstSignIn([folder]), url: server.url })
  return runLoadGenerator({
    urls: [server.url],
    requests: await listReadRequests(admin),
    connectionCount: 16,
    requestsPerSecond: READS_PER_SECOND,
    seconds: measuredSeconds,
    warmUpSeconds: 1,
  })
}

async function measureWithSlowClients(kind: SlowClientKind, addressCount: number) {
  const processArguments = [server.port, kind, clientCount, addressCount].map(String)
  const slowClients = spawn(process.execPath, ['bench/faults/slow-clients-process.ts', ...processArguments], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let processOutput = ''
  const clientsStartPromise = new Promise<void>((resolve) =>
    slowClients.stdout.on('data', (outputChunk) => {
      processOutput += outputChunk
      resolve()
    }),
  )
  const clientsEndPromise = new Promise((resolve) => slowClients.once('close', resolve))
  try {
    await clientsStartPromise
    await pause(CONNECTION_SETTLE_MS)
    const readsWithClients = await measureReads()
    slowClients.kill('SIGTERM')
    await clientsEndPromise
    return { ...readsWithClients, closedConnections: Number(processOutput.split('\n')[1]) }
  } finally {
    slowClients.kill('SIGKILL')
  }
}

let hasFailed = false
try {
  await server.start()
  await measureReads()
  for (const kind of selectedClientKinds.length > 0 ? selectedClientKinds : SLOW_CLIENT_KINDS)
    for (const addressCount of [1, 50]) {
      const readsWithoutClients = await measureReads()
      const readsWithClients = await measureWithSlowClients(kind, addressCount)
      const slowdown = Math.round((readsWithClients.p99Ms / readsWithoutClients.p99Ms) * 100) / 100
      printResult(`${clientCount} slow clients (${kind}) from ${addressCount} address(es)`, {
        baselineP50Ms: readsWithoutClients.p50Ms,
        baselineP99Ms: readsWithoutClients.p99Ms,
        p50Ms: readsWithClients.p50Ms,
        p99Ms: readsWithClients.p99Ms,
        slowdown,
        statuses: readsWithClients.responseCountsByStatus,
        closedConnections: readsWithClients.closedConnections,
      })
      hasFailed ||=
        slowdown > MAX_SLOWDOWN ||
        Object.keys(readsWithClients.responseCountsByStatus).some((status) => status !== '200')
    }
} finally {
  await server.kill()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(hasFailed ? 1 : 0)
