/** A real Redis server for tests, without persistence. */
import { spawn } from 'node:child_process'
import { ensurePrograms, findProgram, type InstalledProgram } from '../../scripts/servers.ts'
import { acceptsConnections, findFreePort, type TestService, waitUntilReady } from './test-service.ts'

export interface TestRedis extends TestService {
  port: number
  url: (database?: number) => string
  pid: () => number
  crash: () => Promise<void>
  start: () => Promise<void>
}

export async function startRedis(): Promise<TestRedis> {
  ensurePrograms()
  const binary = findProgram('redis-server') as InstalledProgram
  const port = await findFreePort()
  const args = [
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
  let child: ReturnType<typeof spawn> | null = null
  const start = async () => {
    child = spawn(binary.executable, args, { env: { ...process.env, ...binary.env }, stdio: 'ignore' })
    await waitUntilReady(() => acceptsConnections(port))
  }
  const crash = async () => {
    const exitPromise = new Promise((resolve) => child?.once('exit', resolve) ?? resolve(null))
    child?.kill('SIGKILL')
    await exitPromise
    child = null
  }
  const killNow = () => child?.kill('SIGKILL')
  process.once('exit', killNow)
  await start()
  return {
    port,
    url: (database = 0) => `redis://127.0.0.1:${port}/${database}`,
    pid: () => child?.pid ?? 0,
    start,
    crash,
    pause: () => child?.kill('SIGSTOP'),
    resume: () => child?.kill('SIGCONT'),
    stop: async () => {
      process.off('exit', killNow)
      await crash()
    },
  }
}
