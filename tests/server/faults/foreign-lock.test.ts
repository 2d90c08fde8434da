/**
 * While another process holds the write lock of the database, writes wait for a limited time and then return 503. The
 * waiting writes do not block the event loop.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSqliteDatabase } from '../../../server/db/database.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import { createWriteCaller } from '../../support/write-calls.ts'

let dataFolder = ''
let server: TestServer
const createClient = () => new TestClient(server)
beforeAll(async () => {
  dataFolder = mkdtempSync(join(tmpdir(), 'marquee-lock-'))
  server = await startTestServer({ database: openSqliteDatabase(join(dataFolder, 'marquee.db')) })
}, 60_000)
afterAll(async () => {
  await server.close()
  rmSync(dataFolder, { recursive: true, force: true })
})

/** Source code of a process that holds the write lock of a database until the process is killed. */
const LOCK_HOLDER_SOURCE = `
const db = new (require('node:sqlite').DatabaseSync)(process.argv[1])
db.exec('begin immediate')
process.stdout.write('locked')
setInterval(() => {}, 1000)`

it('while another process holds the database lock, the server answers writes with 503, and the event loop of the server is not blocked', async () => {
  const caller = await createWriteCaller(server)
  const lockHolder = spawn(process.execPath, ['-e', LOCK_HOLDER_SOURCE, join(dataFolder, 'marquee.db')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(lockHolder.stdout, 'data')
  const loopDelayHistogram = monitorEventLoopDelay({ resolution: 10 })
  try {
    loopDelayHistogram.enable()
    const device = createClient()
    device.accessToken = caller.accessToken
    device.profileId = caller.profileId
    const writes = [1, 2, 3].map((nameNumber) =>
      device.put(`/api/profile/${caller.profileId}`, { name: `Name ${nameNumber}` }),
    )
    const startedAtMs = performance.now()
    expect((await createClient().get('/api/health/ready')).status).toBe(200)
    expect(performance.now() - startedAtMs).toBeLessThan(2_000)
    for (const response of await Promise.all(writes))
      expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '2'])
    loopDelayHistogram.disable()
    expect(loopDelayHistogram.max / 1e6).toBeLessThan(2_000)
    const delayedWritePromise = device.put(`/api/profile/${caller.profileId}`, { name: 'After the lock' })
    lockHolder.kill('SIGKILL')
    expect((await delayedWritePromise).status).toBe(200)
  } finally {
    lockHolder.kill('SIGKILL')
  }
}, 60_000)
