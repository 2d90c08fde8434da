/**
 * Kills the server process at three random moments under write load: no acknowledged write may be lost. Also kills a
 * server after its first start: its compile cache must be kept. bench/faults/run.ts kills the process a hundred times.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runKillRounds } from '../../support/kill-rounds.ts'
import { prepareServerProcess } from '../../support/server-processes.ts'

it('every acknowledged write is kept when the server process is killed three times', async () => {
  const report = await runKillRounds(3)
  expect(report.lostWrites).toEqual([])
  expect(report.acknowledgedWriteCount).toBeGreaterThan(50)
}, 180_000)

it('the compile cache of Node.js is stored for the next start even if the server process is killed after its first start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-compiled-'))
  const compileCacheFolder = join(folder, 'compile-cache')
  const env = { DEMO: '0', NODE_COMPILE_CACHE: compileCacheFolder, DATABASE_URL: '', REDIS_URL: '' }
  const server = await prepareServerProcess(join(folder, 'data'), env)
  try {
    await server.start()
    await server.kill()
    expect(readdirSync(compileCacheFolder, { recursive: true }).length).toBeGreaterThan(300)
  } finally {
    await server.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}, 120_000)
