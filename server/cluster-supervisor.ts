/**
 * Supervises the server processes (workers) that share one port. The setting WORKERS is the number of workers. The
 * supervisor itself serves no requests.
 */
import cluster, { type Worker } from 'node:cluster'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from './core/log.ts'
import { relayClusterMessages, sendToWorker } from './providers/cluster-event-bus.ts'
import { relayMetricsRequests } from './providers/worker-metrics.ts'
import { shutDownOnSignal } from './shutdown-signals.ts'

/** Delay before a crashed worker is replaced. */
const RESTART_DELAY_MS = 200
/**
 * The supervisor kills a worker that has not stopped after this time. The time is longer than DRAIN_TIMEOUT_MS
 * (main.ts), so that the worker can finish its running requests.
 */
const STOP_TIMEOUT_MS = 10_000

/**
 * A worker sends this message after it has closed its listener. The supervisor sends the message back, to confirm that
 * the worker gets no more connections.
 */
const LISTENER_CLOSED_MESSAGE = 'listener closed'
/** Longest time that a stopping worker waits for the reply of the supervisor. */
const CLOSE_CONFIRMATION_TIMEOUT_MS = 2_000
/**
 * While a server closes, it still answers requests on open connections, with `Connection: close`. It closes idle
 * connections at this interval.
 */
const CLOSE_IDLE_INTERVAL_MS = 700

/**
 * Starts the workers and replaces those that crash. SIGTERM or SIGINT stops all of them. SIGHUP replaces the workers
 * one after the other: a worker stops only when its replacement listens. No request is therefore lost while a new
 * release or a new setting is loaded. `onListening` runs once, after all workers listen. If a worker exits before that,
 * the process exits with 1.
 */
export async function superviseWorkers(
  workerCount: number,
  log: Log,
  onListening: () => void,
): Promise<void> {
  // The number of workers changes only with a restart of the supervisor. A new worker must get this number even if
  // WORKERS has changed in `.env` since then.
  const forkWorker = () => cluster.fork({ WORKERS: workerCount })
  let isShuttingDown = false
  let hasStarted = false
  /** Workers that are not restarted when they exit: replaced workers, and replacements that do not listen yet. */
  const surplusWorkers = new WeakSet<Worker>()
  relayClusterMessages()
  relayMetricsRequests()
  cluster.on('message', (worker, message: unknown) => {
    if (message === LISTENER_CLOSED_MESSAGE && worker.isConnected())
      sendToWorker(worker, LISTENER_CLOSED_MESSAGE)
  })
  const startWorker = () => waitUntilListening(forkWorker())
  cluster.on('exit', (worker, exitCode, signal) => {
    if (isShuttingDown || surplusWorkers.has(worker)) return
    if (!hasStarted) process.exit(1)
    log.error('worker exited', { pid: worker.process.pid, code: exitCode, signal })
    setTimeout(() => isShuttingDown || startWorker().catch(() => {}), RESTART_DELAY_MS)
  })
  shutDownOnSignal(async () => {
    isShuttingDown = true
    await Promise.all(listWorkers().map(stopWorker))
    process.exit(0)
  })
  let isReplacingWorkers = false
  process.on('SIGHUP', async () => {
    if (isReplacingWorkers) return
    isReplacingWorkers = true
    await replaceAllWorkers().catch((error: unknown) =>
      log.error('workers not replaced', { error: String(error) }),
    )
    isReplacingWorkers = false
  })
  async function replaceAllWorkers() {
    for (const oldWorker of listWorkers()) {
      if (isShuttingDown) return
      const newWorker = forkWorker()
      surplusWorkers.add(newWorker)
      await waitUntilListening(newWorker)
      // If the old worker crashed while its replacement started, the `exit` listener has restarted it already. The
      // replacement is then the worker that is not needed.
      const surplusWorker = oldWorker.isDead() ? newWorker : oldWorker
      surplusWorkers.delete(newWorker)
      surplusWorkers.add(surplusWorker)
      await stopWorker(surplusWorker)
    }
    log.info('workers replaced', { workers: workerCount })
  }
  await Promise.all(Array.from({ length: workerCount }, startWorker))
  hasStarted = true
  onListening()
}

/**
 * Stops accepting connections, and resolves when all open connections have ended. A worker also waits until the
 * supervisor sends it no more connections. Node.js returns a connection that arrives at a closed listener to the
 * supervisor, which passes the connection to another worker. If the closing worker exited before Node.js returned the
 * connection, the supervisor would keep waiting for the exited worker. The connection would then stay open without a
 * response.
 */
export async function closeListener(server: Server): Promise<void> {
  // http.Server.close() would also close idle connections immediately, although a request may be in transit on them.
  const closePromise = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
  setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_INTERVAL_MS).unref()
  await Promise.all([closePromise, confirmListenerClosed()])
}

async function confirmListenerClosed(): Promise<void> {
  if (!cluster.isWorker || !process.connected) return
  const confirmationPromise = new Promise<void>((resolve) => {
    process.on('message', (message) => message === LISTENER_CLOSED_MESSAGE && resolve())
    process.once('disconnect', () => resolve())
  })
  process.send?.(LISTENER_CLOSED_MESSAGE)
  await Promise.race([confirmationPromise, pause(CLOSE_CONFIRMATION_TIMEOUT_MS)])
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
  const exitPromise = new Promise((resolve) => worker.once('exit', resolve))
  if (worker.isDead()) return
  worker.process.kill('SIGTERM')
  const outcome = await Promise.race([exitPromise, pause(STOP_TIMEOUT_MS, 'timeout', { ref: false })])
  if (outcome === 'timeout') worker.process.kill('SIGKILL')
}
