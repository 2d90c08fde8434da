/** WORKERS=n: several processes behind one port of this machine, one per core, say. This process serves nobody itself. */
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from './http/log.ts'
import { passOn } from './providers/cluster-bus.ts'

/** A worker that dies is replaced after this. */
const AGAIN_MS = 200
/** Workers stop by themselves before; one that does not is ended. */
const STOP_MS = 10_000

/**
 * Starts the workers and keeps their number. SIGTERM stops all; SIGHUP replaces one after the other, each by a new one that
 * serves already, so that a new release or setting is taken up without a request lost. `onListening` runs once, after
 * the first serves. Exits with 1 when a worker cannot even start.
 */
export async function lead(workers: number, log: Log, onListening: () => void): Promise<void> {
  let leaving = false
  let served = false
  const replaced = new WeakSet<Worker>()
  passOn()
  const start = () => listening(cluster.fork())
  cluster.on('exit', (worker, code, signal) => {
    if (leaving || replaced.has(worker)) return
    if (!served) process.exit(1)
    log.error('worker ended', { pid: worker.process.pid, code, signal })
    setTimeout(() => leaving || start().catch(() => {}), AGAIN_MS)
  })
  const leave = async () => {
    if (leaving) process.exit(1)
    leaving = true
    await Promise.all(all().map(end))
    process.exit(0)
  }
  process.on('SIGTERM', leave)
  process.on('SIGINT', leave)
  let rolling = false
  process.on('SIGHUP', async () => {
    if (rolling) return
    rolling = true
    await replaceAll().catch((error: unknown) => log.error('workers not replaced', { error: String(error) }))
    rolling = false
  })
  async function replaceAll() {
    for (const old of all()) {
      if (leaving) return
      await start()
      replaced.add(old)
      await end(old)
    }
    log.info('workers replaced', { workers })
  }
  await Promise.all(Array.from({ length: workers }, start))
  served = true
  onListening()
}

const all = () => Object.values(cluster.workers ?? {}).filter((one): one is Worker => one !== undefined)

function listening(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('listening', () => resolve())
    worker.once('exit', () => reject(new Error('a worker ended before it served')))
  })
}

async function end(worker: Worker): Promise<void> {
  const ended = new Promise((resolve) => worker.once('exit', resolve))
  if (worker.isDead()) return
  worker.process.kill('SIGTERM')
  const late = await Promise.race([ended, pause(STOP_MS, 'late', { ref: false })])
  if (late === 'late') worker.process.kill('SIGKILL')
}
