/** Several processes of the product over one PostgreSQL and one Redis, behind a real nginx: as deploy/ has them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeDeployFiles } from '../../scripts/deploy-files.ts'
import { type Found, findServer, needServers } from '../../scripts/servers.ts'
import { nginxConfig } from './nginx.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { type Redis, startRedis } from './redis.ts'
import { accepts, freePort, untilOpen } from './running.ts'

export interface Process {
  port: number
  url: string
  /** What it wrote to its error output. */
  said: () => string
  up: () => Promise<void>
  /** Ends it without a word (kill -9). */
  kill: () => Promise<void>
  /** Ends it as a rolling restart does, and resolves when it is gone, with its exit code. */
  term: () => Promise<number | null>
  pid: () => number
}

export interface Household {
  postgres: Postgres
  redis: Redis
  processes: Process[]
  /** Of nginx before them. */
  url: string
  /** The administrator that the first start made. */
  admin: { email: string; password: string; pin: string }
  stop: () => Promise<void>
}

interface Options {
  env?: Record<string, string>
  processes?: number
}

/** A process on a port of its own; not started yet. */
export async function makeProcess(dataDir: string, env: Record<string, string>): Promise<Process> {
  const port = await freePort()
  mkdirSync(dataDir, { recursive: true })
  let child: ChildProcess | null = null
  let said = ''
  const gone = () =>
    new Promise<number | null>((resolve) => {
      if (!child || child.exitCode !== null || child.signalCode !== null) resolve(child?.exitCode ?? null)
      else child.once('exit', (code) => resolve(code))
    })
  const up = async () => {
    child = spawn(process.execPath, ['server/main.ts'], {
      env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'error', ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const mine = child
    child.stderr?.on('data', (part) => {
      said += part
    })
    await untilOpen(async () => {
      if (mine.exitCode !== null) throw new Error(`a process ended: ${said}`)
      return isReady(`http://127.0.0.1:${port}`)
    }, 120_000)
  }
  process.once('exit', () => child?.kill('SIGKILL'))
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    said: () => said,
    up,
    kill: async () => {
      child?.kill('SIGKILL')
      await gone()
    },
    term: async () => {
      child?.kill('SIGTERM')
      return gone()
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

/** The first process fills the empty database with the demo household; all are ready when this resolves. */
export async function startHousehold({ env = {}, processes: count = 2 }: Options = {}): Promise<Household> {
  needServers()
  const folder = mkdtempSync(join(tmpdir(), 'marquee-household-'))
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  const common = {
    DATABASE_URL: postgres.url(),
    REDIS_URL: redis.url(),
    KEYS_SECRET: 'a secret of these tests that nobody else has been given',
    TRUSTED_PROXIES: '127.0.0.1',
    DEMO: '1',
    ...env,
  }
  const dataDirs = Array.from({ length: count }, (_, at) => join(folder, `data${at}`))
  const processes = await Promise.all(dataDirs.map((dataDir) => makeProcess(dataDir, common)))
  // All at once, on an empty database: one of them makes the tables and the household.
  await Promise.all(processes.map((one) => one.up()))
  const port = await freePort()
  const found = findServer('nginx') as Found
  const config = nginxConfig({
    folder,
    site: fakeSite(folder),
    port,
    upstreams: processes.map((one) => one.port),
  })
  const nginx = spawn(found.file, ['-c', config, '-p', folder, '-g', 'daemon off;'], {
    env: { ...process.env, ...found.env },
    stdio: 'ignore',
  })
  process.once('exit', () => nginx.kill('SIGKILL'))
  await untilOpen(() => accepts(port))
  return {
    postgres,
    redis,
    processes,
    url: `http://127.0.0.1:${port}`,
    admin: firstSignIn(dataDirs),
    stop: async () => {
      nginx.kill('SIGTERM')
      await Promise.all(processes.map((one) => one.kill()))
      await postgres.stop()
      await redis.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** nginx wants the file of the build; the site itself is not asked for here. */
function fakeSite(folder: string): string {
  const site = join(folder, 'site')
  mkdirSync(site, { recursive: true })
  writeDeployFiles(site, "default-src 'none'")
  return site
}

/** Of the processes that started together, one made the household and kept the note. */
export function firstSignIn(dataDirs: string[]): Household['admin'] {
  const notes = dataDirs.flatMap((folder) => {
    try {
      return [readFileSync(join(folder, 'first-sign-in.txt'), 'utf8')]
    } catch {
      return []
    }
  })
  if (notes.length !== 1) throw new Error(`${notes.length} households were made`)
  const [note = ''] = notes
  const after = (label: string) => new RegExp(`${label}: (.+)`).exec(note)?.[1] ?? ''
  return { email: after('E-mail'), password: after('Password'), pin: after('PIN of Robin') }
}
