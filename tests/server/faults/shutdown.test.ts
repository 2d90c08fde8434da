/** A server process that receives several stop signals stops gracefully. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { prepareServerProcess, type ServerProcess } from '../../support/server-processes.ts'

let dataDir: string
let serverProcess: ServerProcess
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'marquee-shutdown-'))
  serverProcess = await prepareServerProcess(dataDir, { DATABASE_URL: '', REDIS_URL: '' })
  await serverProcess.start()
}, 120_000)
afterEach(async () => {
  await serverProcess.kill()
  rmSync(dataDir, { recursive: true, force: true })
})

it('when several SIGTERM and SIGINT signals arrive together, the server stops gracefully with exit code 0', async () => {
  process.kill(serverProcess.getPid(), 'SIGINT')
  process.kill(serverProcess.getPid(), 'SIGTERM')
  expect(await serverProcess.terminate()).toBe(0)
})
