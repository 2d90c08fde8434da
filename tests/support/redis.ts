/** A real Redis of the tests' own; it writes nothing to the disk. */
import { spawn } from 'node:child_process'
import { type Found, findServer, needServers } from '../../scripts/servers.ts'
import { accepts, freePort, type Running, untilOpen } from './running.ts'

export interface Redis extends Running {
  port: number
  url: (database?: number) => string
  pid: () => number
  down: () => Promise<void>
  up: () => Promise<void>
}

export async function startRedis(): Promise<Redis> {
  needServers()
  const found = findServer('redis-server') as Found
  const port = await freePort()
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
  const up = async () => {
    child = spawn(found.file, args, { env: { ...process.env, ...found.env }, stdio: 'ignore' })
    await untilOpen(() => accepts(port))
  }
  const down = async () => {
    const ended = new Promise((resolve) => child?.once('exit', resolve) ?? resolve(null))
    child?.kill('SIGKILL')
    await ended
    child = null
  }
  const killNow = () => child?.kill('SIGKILL')
  process.once('exit', killNow)
  await up()
  return {
    port,
    url: (database = 0) => `redis://127.0.0.1:${port}/${database}`,
    pid: () => child?.pid ?? 0,
    up,
    down,
    pause: () => child?.kill('SIGSTOP'),
    resume: () => child?.kill('SIGCONT'),
    stop: async () => {
      process.off('exit', killNow)
      await down()
    },
  }
}
