/** Between those who ask for a job and the worker: neither knows the other. */
import type { Deps } from '../deps.ts'

export interface JobContext {
  deps: Deps
  input: Record<string, unknown>
  /** Where an earlier run of the same job had come to, if it was interrupted. */
  checkpoint: Record<string, unknown> | null
  /** Aborts when somebody cancels the job, or the process stops. Work ends at its next safe point. */
  signal: AbortSignal
  progress: (done: number, total: number | null) => Promise<void>
  /** Kept on the job; a run after a crash finds it in `checkpoint`. */
  save: (checkpoint: Record<string, unknown>) => Promise<void>
}
export interface Outcome {
  message?: string | null
  report?: Record<string, unknown>
}
/** Throws to fail; the message of a `JobFailure` is kept on the job, any other error is for the log alone. */
export type Work = (context: JobContext) => Promise<Outcome | undefined>

/** A failure that says why, in a code that the dashboard knows words for. */
export class JobFailure extends Error {}

export interface JobWorker {
  /** Something was put in the queue. */
  wake(): void
  /** Stops a running job if it runs here. */
  cancel(jobId: string): void
  /** Takes up what dead workers left, and what is queued; call it every few seconds. */
  tick(): Promise<void>
  /** Gives running jobs back to the queue at their next safe point and takes no more. */
  stop(): Promise<void>
  /** Resolves when nothing runs any more. */
  idle(): Promise<void>
}

const workers = new WeakMap<Deps['database'], JobWorker>()

export function attachWorker(deps: Deps, worker: JobWorker): void {
  workers.set(deps.database, worker)
}

export function workerOf(deps: Deps): JobWorker | undefined {
  return workers.get(deps.database)
}
