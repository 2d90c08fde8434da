/** A real Redis server for tests, without persistence. */
import { spawn } from 'node:child_process'
import { ensurePrograms, findProgram, type InstalledProgram } from '../../scripts/servers.ts'
import { acceptsConnections, findFreePort, type TestService, waitUntilReady } from './test-service.ts'

export interface TestRedis extends TestService {
  port: number
  getUrl: (database?: number) => string
  getPid: () => number
  crash: () => Promise<void>
  start: () => Promise<void>
}

export async function startRedis(): Promise<TestRedis> {
  ensurePrograms()
  const redisProgram = findProgram('redis-server') as InstalledProgram
  const port = await findFreePort()
  const redisArguments = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--databases',
    '256',
  ]
  let redisProcess: ReturnType<typeof spawn> | null = null
  const start = async () => {
    redisProcess = spawn(redisProgram.executable, redisArguments, {
      env: { ...process.env, ...redisProgram.env },
      stdio: 'ignore',
    })
    await waitUntilReady(() => acceptsConnections(port))
  }
  const crash = async () => {
    const exitPromise = new Promise((resolve) => redisProcess?.once('exit', resolve) ?? resolve(null))
    redisProcess?.kill('SIGKILL')
    await exitPromise
    redisProcess = null
  }
  const killNow = () => redisProcess?.kill('SIGKILL')
  process.once('exit', killNow)
  await start()
  return {
    port,
    getUrl: (database = 0) => `redis://127.0.0.1:${port}/${database}`,
    getPid: () => redisProcess?.pid ?? 0,
    start,
    crash,
    pause: () => redisProcess?.kill('SIGSTOP'),
    resume: () => redisProcess?.kill('SIGCONT'),
    stop: async () => {
      process.off('exit', killNow)
      await crash()
    },
  }
}
