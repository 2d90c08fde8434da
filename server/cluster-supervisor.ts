/** Supervises the WORKERS server processes that share one port. The supervisor itself serves no requests. */
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from './core/log.ts'
import { relayClusterMessages } from './providers/cluster-event-bus.ts'

/** Delay before a crashed worker is replaced. */
const RESTART_DELAY_MS = 200
/** A worker that has not stopped after this time is killed. It exceeds the drain time of main.ts. */
const STOP_TIMEOUT_MS = 10_000

/**
 * Starts the workers and replaces those that crash. SIGTERM stops all of them. SIGHUP replaces one worker after the
 * other: each stops only after its successor listens, so that a new release or setting loses no request.
 * `onListening` runs once, after all workers listen. The process exits with 1 when a worker cannot start.
 */
export async function superviseWorkers(workers: number, log: Log, onListening: () => void): Promise<void> {
  let shuttingDown = false
  let hasServed = false
  const replaced = new WeakSet<Worker>()
  relayClusterMessages()
  const startWorker = () => waitUntilListening(cluster.fork())
  cluster.on('exit', (worker, code, signal) => {
    if (shuttingDown || replaced.has(worker)) return
    if (!hasServed) process.exit(1)
    log.error('worker exited', { pid: worker.process.pid, code, signal })
    setTimeout(() => shuttingDown || startWorker().catch(() => {}), RESTART_DELAY_MS)
  })
  const shutDown = async () => {
    if (shuttingDown) process.exit(1)
    shuttingDown = true
    await Promise.all(listWorkers().map(stopWorker))
    process.exit(0)
  }
  process.on('SIGTERM', shutDown)
  process.on('SIGINT', shutDown)
  let replacing = false
  process.on('SIGHUP', async () => {
    if (replacing) return
    replacing = true
    await replaceAll().catch((error: unknown) => log.error('workers not replaced', { error: String(error) }))
    replacing = false
  })
  async function replaceAll() {
    for (const oldWorker of listWorkers()) {
      if (shuttingDown) return
      await startWorker()
      replaced.add(oldWorker)
      await stopWorker(oldWorker)
    }
    log.info('workers replaced', { workers })
  }
  await Promise.all(Array.from({ length: workers }, startWorker))
  hasServed = true
  onListening()
}

const listWorkers = () =>
  Object.values(cluster.workers ?? {}).filter((worker): worker is Worker => worker !== undefined)

function waitUntilListening(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('listening', () => resolve())
    worker.once('exit', () => reject(new Error('a worker exited before it listened')))
  })
}

async function stopWorker(worker: Worker): Promise<void> {
  const exited = new Promise((resolve) => worker.once('exit', resolve))
  if (worker.isDead()) return
  worker.process.kill('SIGTERM')
  const outcome = await Promise.race([exited, pause(STOP_TIMEOUT_MS, 'late', { ref: false })])
  if (outcome === 'late') worker.process.kill('SIGKILL')
}
