/**
 * The interface between the services that start jobs and the worker that runs them. Without it, the services and
 * the worker would import each other.
 */
import { isDiskFull } from '../../core/database-unavailable.ts'
import type { Deps } from '../deps.ts'

export interface JobContext {
  deps: Deps
  input: Record<string, unknown>
  /** Last checkpoint that an interrupted earlier run of this job has stored; null if there is none. */
  checkpoint: Record<string, unknown> | null
  /** Aborts when the job is cancelled or the process stops. The handler returns at its next safe point. */
  signal: AbortSignal
  reportProgress: (doneCount: number, totalCount: number | null) => Promise<void>
  /** Stores a checkpoint; a run after a crash receives it as `checkpoint`. */
  saveCheckpoint: (checkpoint: Record<string, unknown>) => Promise<void>
}
export interface JobOutcome {
  message?: string | null
  report?: Record<string, unknown>
}
/**
 * Runs one job. Throws when the job fails. The message of a `JobFailure` is stored with the job; for other errors,
 * `disk_full` or `failed` is stored.
 */
export type JobHandler = (context: JobContext) => Promise<JobOutcome | undefined>

/** A failure whose message is a code that the dashboard translates. */
export class JobFailure extends Error {}

/** Returns the message that is stored with a failed job. */
export function toJobMessage(error: unknown): string {
  if (error instanceof JobFailure) return error.message
  return isDiskFull(error) ? 'disk_full' : 'failed'
}

export interface JobWorker {
  /** Looks for queued jobs now. */
  wake(): void
  /** Aborts a job if it runs in this process. */
  cancel(jobId: string): void
  /** Requeues or ends the jobs of dead workers, and claims queued jobs. Call it every few seconds. */
  releaseAndClaimJobs(): Promise<void>
  /** Claims no more jobs. Returns running jobs to the queue at their next safe point. */
  stop(): Promise<void>
  /** Resolves when no job is running. */
  whenIdle(): Promise<void>
}

const workersByDatabase = new WeakMap<Deps['database'], JobWorker>()

export function registerJobWorker(deps: Deps, worker: JobWorker): void {
  workersByDatabase.set(deps.database, worker)
}

export function findJobWorker(deps: Deps): JobWorker | undefined {
  return workersByDatabase.get(deps.database)
}
