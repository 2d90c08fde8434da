/** Runs queued jobs of the table, a few at once; takes up what a dead process left (docs/decisions/0013-jobs.md). */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Deps } from '../deps.ts'
import { errorFields } from '../http/log.ts'
import { claimJob, type JobRow, releaseJob, runningJobs, updateOwnJob } from '../queries/job.ts'
import { attachWorker, JobFailure, type Work } from './job-queue.ts'
import { tell } from './jobs.ts'

const AT_ONCE = 3
const HEARTBEAT_MS = 5_000
/** A worker that was silent for so long is dead. */
const DEAD_MS = 30_000
/** A job that took its process down so often is given up. */
const ATTEMPTS = 3
/** Progress reaches the database at most so often. */
const PROGRESS_MS = 200

type Kinds = Readonly<Record<string, Work>>

/** From here on, what is put in the queue runs in this process, until it is stopped. */
export function startWorker(deps: Deps, kinds: Kinds): void {
  const worker = `${hostname()}:${process.pid}:${randomBytes(6).toString('hex')}`
  const { primary } = deps.database
  const running = new Map<string, { stop: AbortController; ended: Promise<void> }>()
  let stopped = false
  let claiming: Promise<void> | null = null

  async function claim(): Promise<void> {
    while (!stopped && running.size < AT_ONCE) {
      const row = await claimJob(primary, { worker, kinds: Object.keys(kinds), now: deps.now() })
      if (!row) return
      const stop = new AbortController()
      const ended = run(deps, { row, worker, stop, work: kinds[row.kind] as Work })
        .catch((error: unknown) =>
          deps.log.error('job lost', { job: row.job_id, kind: row.kind, ...errorFields(error) }),
        )
        .finally(() => {
          running.delete(row.job_id)
          if (!stopped) wake()
        })
      running.set(row.job_id, { stop, ended })
    }
  }
  function wake(): void {
    const next = (claiming ?? Promise.resolve()).then(claim)
    claiming = next.catch((error: unknown) => {
      if (!stopped) deps.log.error('jobs stand still', errorFields(error))
    })
  }
  const idle = async () => {
    await claiming
    while (running.size > 0) {
      await Promise.all([...running.values()].map((one) => one.ended))
      await claiming
    }
  }
  attachWorker(deps, {
    wake,
    cancel: (jobId) => running.get(jobId)?.stop.abort('cancelled'),
    async tick() {
      if (stopped) return
      for (const row of await runningJobs(primary))
        if (isDead(row, worker, deps.now())) await takeUp(deps, row)
      wake()
      await claiming
    },
    async stop() {
      stopped = true
      for (const { stop } of running.values()) stop.abort('stopping')
      await idle()
    },
    idle,
  })
}

/** Silent for too long; or a process of this machine that is gone. */
function isDead(row: JobRow, mine: string, now: number): boolean {
  if (row.worker === mine) return false
  if (now - (row.heartbeat_at ?? 0) > DEAD_MS) return true
  const [host, pid] = (row.worker ?? '').split(':')
  if (host !== hostname() || Number(pid) === process.pid) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

async function takeUp({ database, log, now }: Deps, row: JobRow): Promise<void> {
  log.warn('job interrupted', { job: row.job_id, kind: row.kind, attempts: row.attempts })
  const set =
    row.cancel_at !== null
      ? { status: 'cancelled', finished_at: now() }
      : row.attempts >= ATTEMPTS
        ? { status: 'failed', message: 'interrupted', finished_at: now() }
        : { status: 'queued', worker: null }
  await releaseJob(database.primary, row, set)
}

interface Run {
  row: JobRow
  worker: string
  stop: AbortController
  work: Work
}

async function run(deps: Deps, { row, worker, stop, work }: Run): Promise<void> {
  const { primary } = deps.database
  const own = { jobId: row.job_id, worker }
  /** Every write is a sign of life, and learns whether somebody cancelled or the job is another's now. */
  const write = async (set: Parameters<typeof updateOwnJob>[2]) => {
    const kept = await updateOwnJob(primary, own, { ...set, heartbeat_at: deps.now() })
    if (!kept) return stop.abort('lost')
    if (kept.cancel_at !== null) stop.abort('cancelled')
    tell(deps, kept)
  }
  const beat = setInterval(() => void write({}).catch(() => {}), HEARTBEAT_MS)
  beat.unref()
  let told = 0
  let latest = { done: row.done, total: row.total }
  const progress = async (done: number, total: number | null) => {
    latest = { done, total }
    if (performance.now() - told < PROGRESS_MS) return
    told = performance.now()
    await write(latest)
  }
  const end = async (set: Parameters<typeof updateOwnJob>[2]) => {
    const ended = await updateOwnJob(primary, own, { ...latest, finished_at: deps.now(), ...set })
    if (ended) tell(deps, ended)
  }
  try {
    const outcome = await work({
      deps,
      input: JSON.parse(row.input) as Record<string, unknown>,
      checkpoint: row.checkpoint === null ? null : (JSON.parse(row.checkpoint) as Record<string, unknown>),
      signal: stop.signal,
      progress,
      save: (checkpoint) => write({ checkpoint: JSON.stringify(checkpoint) }),
    })
    const said = {
      message: outcome?.message ?? null,
      report: outcome?.report ? JSON.stringify(outcome.report) : null,
    }
    await end({ ...said, ...(stop.signal.aborted ? interrupted(stop.signal, row) : { status: 'done' }) })
  } catch (error) {
    if (stop.signal.aborted) await end(interrupted(stop.signal, row))
    else {
      deps.log.error('job failed', { job: row.job_id, kind: row.kind, ...errorFields(error) })
      await end({ status: 'failed', message: error instanceof JobFailure ? error.message : 'failed' })
    }
  } finally {
    clearInterval(beat)
  }
}

/** What becomes of a job that was told to end: cancelled, or queued again where only the process stops. */
function interrupted(signal: AbortSignal, { attempts }: JobRow) {
  if (signal.reason === 'stopping') {
    return { status: 'queued', worker: null, finished_at: null, report: null, attempts: attempts - 1 }
  }
  return { status: 'cancelled' }
}
