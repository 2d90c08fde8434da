/** Runs queued jobs, a few at a time, and requeues the jobs of dead processes (docs/decisions/0012-jobs.md). */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { isDatabaseUnavailable, isStorageFault } from '../../core/database-unavailable.ts'
import { isHeartbeatExpired } from '../../core/dates.ts'
import { toErrorFields } from '../../core/log.ts'
import { isProcessRunning } from '../../core/process-liveness.ts'
import { claimJob, type JobRow, releaseJob, selectRunningJobs, updateClaimedJob } from '../../queries/job.ts'
import type { Deps } from '../deps.ts'
import { COMMAND_LINE_WORKER_SUFFIX } from './command-line-job.ts'
import { JobFailure, type JobHandler, registerJobWorker, toJobMessage } from './job-queue.ts'
import { publishJob } from './jobs.ts'

const MAX_RUNNING_JOBS = 3
const HEARTBEAT_INTERVAL_MS = 5_000
/** A worker without a heartbeat for this time counts as dead. */
const HEARTBEAT_TIMEOUT_MS = 30_000
/** A job fails after its process has died, or has lost the connection to the database, this many times. */
const MAX_JOB_ATTEMPTS = 3
/** Minimum interval between progress writes to the database. */
const PROGRESS_INTERVAL_MS = 200

type JobHandlers = Readonly<Record<string, JobHandler>>

/** Runs queued jobs in this process until the worker is stopped. */
export function startJobWorker(deps: Deps, handlers: JobHandlers): void {
  const workerId = `${hostname()}:${process.pid}:${randomBytes(6).toString('hex')}`
  const { primary } = deps.database
  const runningJobsById = new Map<
    string,
    { abortController: AbortController; finishedPromise: Promise<void> }
  >()
  let isStopped = false
  let claimPromise: Promise<void> | null = null

  async function claimJobs(): Promise<void> {
    while (!isStopped && runningJobsById.size < MAX_RUNNING_JOBS) {
      const row = await claimJob(primary, {
        worker: workerId,
        kinds: Object.keys(handlers),
        nowMs: deps.now(),
      })
      if (!row) return
      const abortController = new AbortController()
      const finishedPromise = runJob(deps, {
        row,
        workerId,
        abortController,
        handler: handlers[row.kind] as JobHandler,
      })
        .catch((error: unknown) =>
          deps.log.error('job state could not be saved', {
            job: row.job_id,
            kind: row.kind,
            ...toErrorFields(error),
          }),
        )
        .finally(() => {
          runningJobsById.delete(row.job_id)
          if (!isStopped) wakeWorker()
        })
      runningJobsById.set(row.job_id, { abortController, finishedPromise })
    }
  }
  function wakeWorker(): void {
    const nextClaimPromise = (claimPromise ?? Promise.resolve()).then(claimJobs)
    claimPromise = nextClaimPromise.catch((error: unknown) => {
      // Storage faults are not logged here, because the storage monitor logs a full or failing disk.
      if (!isStopped && !isStorageFault(error)) deps.log.error('claiming jobs failed', toErrorFields(error))
    })
  }
  const waitUntilIdle = async () => {
    await claimPromise
    while (runningJobsById.size > 0) {
      await Promise.all([...runningJobsById.values()].map((job) => job.finishedPromise))
      await claimPromise
    }
  }
  /**
   * Releases the jobs of dead workers (`releaseAbandonedJob`). Also releases a job of this worker that is not in
   * `runningJobsById`: its result could not be saved, and the job would otherwise block its kind. Runs between two
   * claims, so that every claimed job is in `runningJobsById`.
   */
  async function releaseAbandonedJobs(): Promise<void> {
    for (const row of await selectRunningJobs(primary)) {
      const isJobAbandoned = row.worker === workerId || isWorkerDead(row, deps.now())
      if (isJobAbandoned && !runningJobsById.has(row.job_id)) await releaseAbandonedJob(deps, row)
    }
  }
  registerJobWorker(deps, {
    wake: wakeWorker,
    cancel: (jobId) => runningJobsById.get(jobId)?.abortController.abort('cancelled'),
    async releaseAndClaimJobs() {
      if (isStopped) return
      const releasePromise = (claimPromise ?? Promise.resolve()).then(releaseAbandonedJobs)
      claimPromise = releasePromise.catch(() => {})
      await releasePromise
      wakeWorker()
      await claimPromise
    },
    async stop() {
      isStopped = true
      for (const { abortController } of runningJobsById.values()) abortController.abort('stopping')
      await waitUntilIdle()
    },
    whenIdle: waitUntilIdle,
  })
}

/** True when the worker's heartbeat has expired, or its process on this machine no longer exists. */
function isWorkerDead(row: JobRow, nowMs: number): boolean {
  if (isHeartbeatExpired(row.heartbeat_at ?? 0, HEARTBEAT_TIMEOUT_MS, nowMs)) return true
  const [host, pid] = (row.worker ?? '').split(':')
  if (host !== hostname() || Number(pid) === process.pid) return false
  return !isProcessRunning(Number(pid))
}

/**
 * Queues an abandoned job again, unless the job must end. If an administrator has cancelled the job, ends it as
 * cancelled. After MAX_JOB_ATTEMPTS attempts, or if a command ran the job, ends it as failed.
 */
async function releaseAbandonedJob({ database, log, now }: Deps, row: JobRow): Promise<void> {
  log.warn('job interrupted', toJobLogFields(row))
  const changedColumns =
    row.cancel_at !== null
      ? { status: 'cancelled', finished_at: now() }
      : row.attempts >= MAX_JOB_ATTEMPTS || row.worker?.endsWith(COMMAND_LINE_WORKER_SUFFIX)
        ? { status: 'failed', message: 'interrupted', finished_at: now() }
        : { status: 'queued', worker: null }
  await releaseJob(database.primary, row, changedColumns)
}

interface JobRun {
  row: JobRow
  workerId: string
  abortController: AbortController
  handler: JobHandler
}

async function runJob(deps: Deps, { row, workerId, abortController, handler }: JobRun): Promise<void> {
  const { primary } = deps.database
  const claimedJob = { jobId: row.job_id, worker: workerId }
  /** Writes to the job row with a heartbeat, and aborts when the job was cancelled or another worker has claimed it. */
  const writeJob = async (changedColumns: Parameters<typeof updateClaimedJob>[2]) => {
    const updatedRow = await updateClaimedJob(primary, claimedJob, {
      ...changedColumns,
      heartbeat_at: deps.now(),
    })
    if (!updatedRow) return abortController.abort('lost')
    if (updatedRow.cancel_at !== null) abortController.abort('cancelled')
    publishJob(deps, updatedRow)
  }
  const heartbeatTimer = setInterval(() => void writeJob({}).catch(() => {}), HEARTBEAT_INTERVAL_MS)
  heartbeatTimer.unref()
  let lastWriteMs = 0
  let latestProgress = { done: row.done, total: row.total }
  const reportProgress = async (doneCount: number, totalCount: number | null) => {
    latestProgress = { done: doneCount, total: totalCount }
    if (performance.now() - lastWriteMs < PROGRESS_INTERVAL_MS) return
    lastWriteMs = performance.now()
    await writeJob(latestProgress)
  }
  const finishJob = async (changedColumns: Parameters<typeof updateClaimedJob>[2]) => {
    const finishedRow = await updateClaimedJob(primary, claimedJob, {
      ...latestProgress,
      finished_at: deps.now(),
      ...changedColumns,
    })
    if (finishedRow) publishJob(deps, finishedRow)
  }
  try {
    const outcome = await handler({
      deps,
      input: JSON.parse(row.input) as Record<string, unknown>,
      checkpoint: row.checkpoint === null ? null : (JSON.parse(row.checkpoint) as Record<string, unknown>),
      signal: abortController.signal,
      reportProgress,
      saveCheckpoint: (checkpoint) => writeJob({ checkpoint: JSON.stringify(checkpoint) }),
    })
    const finalColumns = {
      message: outcome?.message ?? null,
      report: outcome?.report ? JSON.stringify(outcome.report) : null,
    }
    await finishJob({
      ...finalColumns,
      ...(abortController.signal.aborted
        ? getAbortedJobState(abortController.signal, row)
        : { status: 'done' }),
    })
  } catch (error) {
    // A failure that the handler has thrown is stored, even if the job was cancelled at the same time.
    if (abortController.signal.aborted && !(error instanceof JobFailure))
      await finishJob(getAbortedJobState(abortController.signal, row))
    else if (isJobInterruption(error) && row.attempts < MAX_JOB_ATTEMPTS) {
      deps.log.warn('job interrupted', { ...toJobLogFields(row), ...toErrorFields(error) })
      await finishJob(QUEUED_STATE)
    } else {
      deps.log.error('job failed', { ...toJobLogFields(row), ...toErrorFields(error) })
      await finishJob({ status: 'failed', message: toJobMessage(error) })
    }
  } finally {
    clearInterval(heartbeatTimer)
  }
}

/** The state of a job that is returned to the queue. */
const QUEUED_STATE = { status: 'queued', worker: null, finished_at: null, report: null }

/**
 * True when the database was not available for a moment, for example while it restarted. False for a full or read-only
 * disk, because the job would fail again.
 */
const isJobInterruption = (error: unknown): boolean => isDatabaseUnavailable(error) && !isStorageFault(error)

const toJobLogFields = ({ job_id, kind, attempts }: JobRow) => ({ job: job_id, kind, attempts })

/** Returns the new state of an aborted job: queued again when the process stops, otherwise cancelled. */
function getAbortedJobState(signal: AbortSignal, { attempts }: JobRow) {
  if (signal.reason === 'stopping') {
    return { ...QUEUED_STATE, attempts: attempts - 1 }
  }
  return { status: 'cancelled' }
}
