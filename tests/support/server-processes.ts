/**
 * Several server processes with one PostgreSQL server and one Redis server, behind a real nginx, as deploy/ configures
 * them.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeDeployFiles } from '../../scripts/deploy-files.ts'
import { ensurePrograms, findProgram, type InstalledProgram } from '../../scripts/servers.ts'
import { writeNginxConfig } from './nginx.ts'
import { startPostgres, type TestPostgres } from './postgres.ts'
import { startRedis, type TestRedis } from './redis.ts'
import { acceptsConnections, findFreePort, waitUntilReady } from './test-service.ts'

export interface ServerProcess {
  port: number
  url: string
  /** Everything that the process wrote to stderr. */
  getErrorOutput: () => string
  start: () => Promise<void>
  /** Kills the process with SIGKILL. */
  kill: () => Promise<void>
  /** Sends SIGTERM, as a rolling restart does. Resolves with the exit code when the process has ended. */
  terminate: () => Promise<number | null>
  getPid: () => number
}

export interface TestInstallation {
  postgres: TestPostgres
  redis: TestRedis
  processes: ServerProcess[]
  /** URL of nginx in front of the processes. */
  url: string
  /** The administrator account that the first start created. */
  admin: { email: string; password: string; pin: string }
  stop: () => Promise<void>
}

interface InstallationOptions {
  env?: Record<string, string>
  processCount?: number
}

/** Prepares a server process on a free port; `start` starts it. */
export async function prepareServerProcess(
  dataDir: string,
  env: Record<string, string>,
): Promise<ServerProcess> {
  const port = await findFreePort()
  mkdirSync(dataDir, { recursive: true })
  let childProcess: ChildProcess | null = null
  let errorOutput = ''
  const waitForExit = () =>
    new Promise<number | null>((resolve) => {
      if (!childProcess || childProcess.exitCode !== null || childProcess.signalCode !== null)
        resolve(childProcess?.exitCode ?? null)
      else childProcess.once('exit', (code) => resolve(code))
    })
  const start = async () => {
    childProcess = spawn(process.execPath, ['server/main.ts'], {
      env: {
        ...process.env,
        PORT: String(port),
        DATA_DIR: dataDir,
        LOG_LEVEL: 'error',
        PASSWORD_HASH_COST: 'test',
        ...env,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const startedProcess = childProcess
    childProcess.stderr?.on('data', (chunk) => {
      errorOutput += chunk
    })
    await waitUntilReady(async () => {
      if (startedProcess.exitCode !== null) throw new Error(`the server process ended: ${errorOutput}`)
      return isReady(`http://127.0.0.1:${port}`)
    }, 120_000)
  }
  process.once('exit', () => childProcess?.kill('SIGKILL'))
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    getErrorOutput: () => errorOutput,
    start,
    kill: async () => {
      childProcess?.kill('SIGKILL')
      await waitForExit()
    },
    terminate: async () => {
      childProcess?.kill('SIGTERM')
      return waitForExit()
    },
    getPid: () => childProcess?.pid ?? 0,
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/api/health/ready`, { signal: AbortSignal.timeout(2_000) })).ok
  } catch {
    return false
  }
}

/**
 * Starts PostgreSQL, Redis, the server processes and nginx. One process fills the empty database with the demo
 * household. When the promise resolves, all processes accept requests.
 */
export async function startTestInstallation({
  env = {},
  processCount = 2,
}: InstallationOptions = {}): Promise<TestInstallation> {
  ensurePrograms()
  const folder = mkdtempSync(join(tmpdir(), 'marquee-household-'))
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  const commonEnv = {
    DATABASE_URL: postgres.getUrl(),
    REDIS_URL: redis.getUrl(),
    KEYS_SECRET: 'a secret of these tests that nobody else has been given',
    TRUSTED_PROXIES: '127.0.0.1',
    DEMO: '1',
    ...env,
  }
  const dataDirs = Array.from({ length: processCount }, (_, index) => join(folder, `data${index}`))
  const processes = await Promise.all(dataDirs.map((dataDir) => prepareServerProcess(dataDir, commonEnv)))
  // All processes start on an empty database at the same time: exactly one must create the tables and the demo
  // household.
  await Promise.all(processes.map((serverProcess) => serverProcess.start()))
  const port = await findFreePort()
  const nginxProgram = findProgram('nginx') as InstalledProgram
  const nginxConfigFile = writeNginxConfig({
    folder,
    siteFolder: writeSiteConfig(folder),
    port,
    upstreamPorts: processes.map((serverProcess) => serverProcess.port),
  })
  const nginxProcess = spawn(
    nginxProgram.executable,
    ['-c', nginxConfigFile, '-p', folder, '-g', 'daemon off;'],
    {
      env: { ...process.env, ...nginxProgram.env },
      stdio: 'ignore',
    },
  )
  process.once('exit', () => nginxProcess.kill('SIGKILL'))
  await waitUntilReady(() => acceptsConnections(port))
  return {
    postgres,
    redis,
    processes,
    url: `http://127.0.0.1:${port}`,
    admin: readFirstSignIn(dataDirs),
    stop: async () => {
      nginxProcess.kill('SIGTERM')
      await Promise.all(processes.map((serverProcess) => serverProcess.kill()))
      await postgres.stop()
      await redis.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Writes the configuration files that nginx includes and that the build normally writes. Writes no pages, because the
 * tests request none.
 */
function writeSiteConfig(folder: string): string {
  const siteFolder = join(folder, 'site')
  mkdirSync(siteFolder, { recursive: true })
  writeDeployFiles(siteFolder, "default-src 'none'", [])
  return siteFolder
}

/** Reads the first sign-in from `first-sign-in.txt`. Throws unless exactly one process created the demo household. */
export function readFirstSignIn(dataDirs: string[]): TestInstallation['admin'] {
  const signInFileTexts = dataDirs.flatMap((folder) => {
    try {
      return [readFileSync(join(folder, 'first-sign-in.txt'), 'utf8')]
    } catch {
      return []
    }
  })
  if (signInFileTexts.length !== 1) throw new Error(`${signInFileTexts.length} demo households were created`)
  const [signInFileText = ''] = signInFileTexts
  const readField = (label: string) => new RegExp(`${label}: (.+)`).exec(signInFileText)?.[1] ?? ''
  return { email: readField('Email'), password: readField('Password'), pin: readField('PIN of Robin') }
}
