/** A real PostgreSQL server for tests, in a temporary folder. Durability is off, because the data is discarded. */
import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, chownSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { ensurePrograms, findProgram, type InstalledProgram } from '../../scripts/servers.ts'
import { listChildProcessIds } from './child-processes.ts'
import { findFreePort, type TestService, waitUntilReady } from './test-service.ts'

const SETTINGS = `
listen_addresses = '127.0.0.1'
fsync = off
full_page_writes = off
max_connections = 300
shared_buffers = 128MB
max_wal_senders = 4
`

export interface TestPostgres extends TestService {
  port: number
  /** Connection URL of an existing database. */
  url: (database?: string) => string
  /** Process ids of the server and of each of its connections. */
  listPids: () => number[]
  /** Stops the server as a power failure would. `start` starts it again with the data that is left. */
  crash: () => Promise<void>
  start: () => Promise<void>
}

/** Returns the ids of the user `postgres` when this process runs as root, because PostgreSQL refuses to run as root. */
function getPostgresUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const readId = (flag: string) =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout || 65_534)
  return { uid: readId('-u'), gid: readId('-g') }
}

interface PostgresOptions {
  /** Extra lines for postgresql.conf. */
  settings?: string
  /** A running server. The new server copies its data and replicates it. */
  replicaOf?: TestPostgres
  /** Folder in which the data is kept for the next start. Without it, the data is temporary. */
  keepIn?: string
}

export async function startPostgres({
  settings = '',
  replicaOf,
  keepIn,
}: PostgresOptions = {}): Promise<TestPostgres> {
  ensurePrograms()
  const binary = findProgram('postgres') as InstalledProgram
  const binFolder = dirname(realpathSync(binary.executable))
  const user = getPostgresUser()
  if (keepIn) mkdirSync(keepIn, { recursive: true })
  const folder = keepIn ?? mkdtempSync(join(tmpdir(), 'marquee-postgres-'))
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? user.uid)
  const dataFolder = join(folder, 'data')
  const env = { ...process.env, ...binary.env, LC_ALL: 'C.UTF-8' }
  const runTool = (program: string, args: string[]) => {
    const { status, stderr } = spawnSync(join(binFolder, program), args, {
      env,
      ...user,
      cwd: folder,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
  }
  if (replicaOf) {
    runTool('pg_basebackup', ['-D', dataFolder, '-d', replicaOf.url(), '-R', '-c', 'fast', '-X', 'stream'])
  } else if (!existsSync(dataFolder)) {
    runTool('initdb', [
      '-D',
      dataFolder,
      '-U',
      'marquee',
      '--auth=trust',
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
      '--no-sync',
    ])
  }
  const port = await findFreePort()
  appendFileSync(
    join(dataFolder, 'postgresql.conf'),
    `${SETTINGS}port = ${port}\nunix_socket_directories = '${folder}'\n${settings}`,
  )
  const buildUrl = (database = 'postgres') => `postgres://marquee@127.0.0.1:${port}/${database}`
  let child: ReturnType<typeof spawn> | null = null
  const start = async () => {
    child = spawn(join(binFolder, 'postgres'), ['-D', dataFolder], {
      env,
      ...user,
      cwd: folder,
      stdio: 'ignore',
    })
    await waitUntilReady(() => isReady(buildUrl()))
  }
  /** SIGQUIT makes PostgreSQL shut down immediately, without a checkpoint. */
  const crash = async () => {
    const exitPromise = new Promise((resolve) => child?.once('exit', resolve) ?? resolve(null))
    child?.kill('SIGQUIT')
    await exitPromise
    child = null
  }
  const killNow = () => child?.kill('SIGQUIT')
  process.once('exit', killNow)
  await start()
  const listPids = () => (child?.pid ? [child.pid, ...listChildProcessIds(child.pid)] : [])
  const signalAll = (signalName: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of listPids()) process.kill(pid, signalName)
  }
  return {
    port,
    url: buildUrl,
    listPids,
    start,
    crash,
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    stop: async () => {
      process.off('exit', killNow)
      await crash()
      if (!keepIn) rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function isReady(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
