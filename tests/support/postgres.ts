/** A real PostgreSQL of the tests' own, in a folder that goes with it. Durability off: what it holds is thrown away. */
import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, chownSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { type Found, findServer, needServers } from '../../scripts/servers.ts'
import { childrenOf } from './children.ts'
import { freePort, type Running, untilOpen } from './running.ts'

const SETTINGS = `
listen_addresses = '127.0.0.1'
fsync = off
full_page_writes = off
max_connections = 300
shared_buffers = 128MB
max_wal_senders = 4
`

export interface Postgres extends Running {
  port: number
  /** Of a database that is there. */
  url: (database?: string) => string
  /** Of the server itself and of each connection. */
  pids: () => number[]
  /** Stops it as a power cut would, and `up` starts it again on the same data. */
  down: () => Promise<void>
  up: () => Promise<void>
}

/** PostgreSQL refuses to run as root. */
function otherUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout || 65_534)
  return { uid: id('-u'), gid: id('-g') }
}

interface Options {
  /** Lines of postgresql.conf. */
  settings?: string
  /** Copies this running server and follows it. */
  replicaOf?: Postgres
}

export async function startPostgres({ settings = '', replicaOf }: Options = {}): Promise<Postgres> {
  needServers()
  const found = findServer('postgres') as Found
  const bin = dirname(realpathSync(found.file))
  const user = otherUser()
  const folder = mkdtempSync(join(tmpdir(), 'marquee-postgres-'))
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? user.uid)
  const data = join(folder, 'data')
  const env = { ...process.env, ...found.env, LC_ALL: 'C.UTF-8' }
  const run = (program: string, args: string[]) => {
    const { status, stderr } = spawnSync(join(bin, program), args, {
      env,
      ...user,
      cwd: folder,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
  }
  if (replicaOf) {
    run('pg_basebackup', ['-D', data, '-d', replicaOf.url(), '-R', '-c', 'fast', '-X', 'stream'])
  } else {
    run('initdb', [
      '-D',
      data,
      '-U',
      'marquee',
      '--auth=trust',
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
      '--no-sync',
    ])
  }
  const port = await freePort()
  appendFileSync(
    join(data, 'postgresql.conf'),
    `${SETTINGS}port = ${port}\nunix_socket_directories = '${folder}'\n${settings}`,
  )
  const url = (database = 'postgres') => `postgres://marquee@127.0.0.1:${port}/${database}`
  let child: ReturnType<typeof spawn> | null = null
  const up = async () => {
    child = spawn(join(bin, 'postgres'), ['-D', data], { env, ...user, cwd: folder, stdio: 'ignore' })
    await untilOpen(() => answers(url()))
  }
  /** The postmaster's own signals: SIGQUIT is an immediate shutdown, without saying goodbye to anybody. */
  const down = async () => {
    const ended = new Promise((resolve) => child?.once('exit', resolve) ?? resolve(null))
    child?.kill('SIGQUIT')
    await ended
    child = null
  }
  const killNow = () => child?.kill('SIGQUIT')
  process.once('exit', killNow)
  await up()
  const pids = () => (child?.pid ? [child.pid, ...childrenOf(child.pid)] : [])
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of pids()) process.kill(pid, name)
  }
  return {
    port,
    url,
    pids,
    up,
    down,
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    stop: async () => {
      process.off('exit', killNow)
      await down()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function answers(url: string): Promise<boolean> {
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
