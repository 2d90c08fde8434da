/** Several server processes with one PostgreSQL server and one Redis server, behind a real nginx, as deploy/ configures them. */
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
  pid: () => number
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
  processes?: number
}

/** Prepares a server process on a free port; `start` starts it. */
export async function prepareServerProcess(
  dataDir: string,
  env: Record<string, string>,
): Promise<ServerProcess> {
  const port = await findFreePort()
  mkdirSync(dataDir, { recursive: true })
  let child: ChildProcess | null = null
  let errorOutput = ''
  const waitForExit = () =>
    new Promise<number | null>((resolve) => {
      if (!child || child.exitCode !== null || child.signalCode !== null) resolve(child?.exitCode ?? null)
      else child.once('exit', (code) => resolve(code))
    })
  const start = async () => {
    child = spawn(process.execPath, ['server/main.ts'], {
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
    const startedChild = child
    child.stderr?.on('data', (chunk) => {
      errorOutput += chunk
    })
    await waitUntilReady(async () => {
      if (startedChild.exitCode !== null) throw new Error(`the server process ended: ${errorOutput}`)
      return isReady(`http://127.0.0.1:${port}`)
    }, 120_000)
  }
  process.once('exit', () => child?.kill('SIGKILL'))
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    getErrorOutput: () => errorOutput,
    start,
    kill: async () => {
      child?.kill('SIGKILL')
      await waitForExit()
    },
    terminate: async () => {
      child?.kill('SIGTERM')
      return waitForExit()
    },
    pid: () => child?.pid ?? 0,
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
 * Starts PostgreSQL, Redis, the server processes and nginx. One process fills the empty database with the demo household. When
 * the promise resolves, all processes accept requests.
 */
export async function startTestInstallation({
  env = {},
  processes: count = 2,
}: InstallationOptions = {}): Promise<TestInstallation> {
  ensurePrograms()
  const folder = mkdtempSync(join(tmpdir(), 'marquee-household-'))
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  const commonEnv = {
    DATABASE_URL: postgres.url(),
    REDIS_URL: redis.url(),
    KEYS_SECRET: 'a secret of these tests that nobody else has been given',
    TRUSTED_PROXIES: '127.0.0.1',
    DEMO: '1',
    ...env,
  }
  const dataDirs = Array.from({ length: count }, (_, index) => join(folder, `data${index}`))
  const processes = await Promise.all(dataDirs.map((dataDir) => prepareServerProcess(dataDir, commonEnv)))
  // All processes start at once on an empty database: exactly one must create the tables and the demo household.
  await Promise.all(processes.map((serverProcess) => serverProcess.start()))
  const port = await findFreePort()
  const nginxBinary = findProgram('nginx') as InstalledProgram
  const config = writeNginxConfig({
    folder,
    site: writeSiteConfig(folder),
    port,
    upstreams: processes.map((serverProcess) => serverProcess.port),
  })
  const nginx = spawn(nginxBinary.executable, ['-c', config, '-p', folder, '-g', 'daemon off;'], {
    env: { ...process.env, ...nginxBinary.env },
    stdio: 'ignore',
  })
  process.once('exit', () => nginx.kill('SIGKILL'))
  await waitUntilReady(() => acceptsConnections(port))
  return {
    postgres,
    redis,
    processes,
    url: `http://127.0.0.1:${port}`,
    admin: readFirstSignIn(dataDirs),
    stop: async () => {
      nginx.kill('SIGTERM')
      await Promise.all(processes.map((serverProcess) => serverProcess.kill()))
      await postgres.stop()
      await redis.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Writes the configuration files that nginx includes and that the build normally writes. Tests request no pages. */
function writeSiteConfig(folder: string): string {
  const site = join(folder, 'site')
  mkdirSync(site, { recursive: true })
  writeDeployFiles(site, "default-src 'none'")
  return site
}

/** Reads the first sign-in from `first-sign-in.txt`. Throws unless exactly one process created the demo household. */
export function readFirstSignIn(dataDirs: string[]): TestInstallation['admin'] {
  const notes = dataDirs.flatMap((folder) => {
    try {
      return [readFileSync(join(folder, 'first-sign-in.txt'), 'utf8')]
    } catch {
      return []
    }
  })
  if (notes.length !== 1) throw new Error(`${notes.length} demo households were created`)
  const [note = ''] = notes
  const readField = (label: string) => new RegExp(`${label}: (.+)`).exec(note)?.[1] ?? ''
  return { email: readField('E-mail'), password: readField('Password'), pin: readField('PIN of Robin') }
}
