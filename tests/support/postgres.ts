/** A real PostgreSQL server for tests, in a temporary folder. Durability is off, because the data is discarded. */
import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, chownSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { ensurePrograms, findProgram, type InstalledProgram } from '../../scripts/servers.ts'
import { listChildProcessIds } from './child-processes.ts'
import { findFreePort, type TestService, waitUntilReady } from './test-service.ts'

const POSTGRES_SETTINGS = `
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
  getUrl: (database?: string) => string
  /** Process ids of the server and of its child processes: background processes and one for each connection. */
  listPids: () => number[]
  /** Stops the server as a power failure would. `start` starts it again with the data that is left. */
  crash: () => Promise<void>
  start: () => Promise<void>
}

/**
 * If this process runs as root, returns the ids of the user `postgres`, because PostgreSQL refuses to run as root.
 * Otherwise returns no ids.
 */
function getPostgresUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const readId = (flag: string) =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout || 65_534)
  return { uid: readId('-u'), gid: readId('-g') }
}

interface PostgresOptions {
  /** Extra lines for postgresql.conf. */
  extraSettings?: string
  /** A running server. The new server becomes a replica of this server. */
  replicaOf?: TestPostgres
  /** Folder in which the data is kept for the next start. Without this folder, `stop` deletes the data. */
  permanentFolder?: string
}

export async function startPostgres({
  extraSettings = '',
  replicaOf,
  permanentFolder,
}: PostgresOptions = {}): Promise<TestPostgres> {
  ensurePrograms()
  const postgresProgram = findProgram('postgres') as InstalledProgram
  const binFolder = dirname(realpathSync(postgresProgram.executable))
  const user = getPostgresUser()
  if (permanentFolder) mkdirSync(permanentFolder, { recursive: true })
  const folder = permanentFolder ?? mkdtempSync(join(tmpdir(), 'marquee-postgres-'))
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? user.uid)
  const dataFolder = join(folder, 'data')
  const env = { ...process.env, ...postgresProgram.env, LC_ALL: 'C.UTF-8' }
  const runTool = (program: string, toolArguments: string[]) => {
    const { status, stderr } = spawnSync(join(binFolder, program), toolArguments, {
      env,
      ...user,
      cwd: folder,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
  }
  if (replicaOf) {
    runTool('pg_basebackup', ['-D', dataFolder, '-d', replicaOf.getUrl(), '-R', '-c', 'fast', '-X', 'stream'])
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
    `${POSTGRES_SETTINGS}port = ${port}\nunix_socket_directories = '${folder}'\n${extraSettings}`,
  )
  const buildUrl = (database = 'postgres') => `postgres://marquee@127.0.0.1:${port}/${database}`
  let serverProcess: ReturnType<typeof spawn> | null = null
  const start = async () => {
    serverProcess = spawn(join(binFolder, 'postgres'), ['-D', dataFolder], {
      env,
      ...user,
      cwd: folder,
      stdio: 'ignore',
    })
    await waitUntilReady(() => isReady(buildUrl()))
  }
  /** SIGQUIT makes PostgreSQL shut down immediately, without a checkpoint. */
  const crash = async () => {
    const exitPromise = new Promise((resolve) => serverProcess?.once('exit', resolve) ?? resolve(null))
    serverProcess?.kill('SIGQUIT')
    await exitPromise
    serverProcess = null
  }
  const killNow = () => serverProcess?.kill('SIGQUIT')
  process.once('exit', killNow)
  await start()
  const listPids = () =>
    serverProcess?.pid ? [serverProcess.pid, ...listChildProcessIds(serverProcess.pid)] : []
  const signalAllProcesses = (signalName: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of listPids()) process.kill(pid, signalName)
  }
  return {
    port,
    getUrl: buildUrl,
    listPids,
    start,
    crash,
    pause: () => signalAllProcesses('SIGSTOP'),
    resume: () => signalAllProcesses('SIGCONT'),
    stop: async () => {
      process.off('exit', killNow)
      await crash()
      if (!permanentFolder) rmSync(folder, { recursive: true, force: true })
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
