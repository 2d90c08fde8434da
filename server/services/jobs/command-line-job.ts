/** Records the work of a command as a job, so that the dashboard can show and stop the work. */
import { hostname } from 'node:os'
import { insertJob, type JobRow, updateClaimedJob } from '../../queries/job.ts'
import { createRandomId } from '../auth/secret.ts'
import type { Deps } from '../deps.ts'
import { type JobOutcome, toJobMessage } from './job-queue.ts'
import { publishJob } from './jobs.ts'

/** Suffix of the worker id of jobs that a command runs. After a crash, no job worker runs these jobs again. */
export const COMMAND_LINE_WORKER = ':command-line'
/** Value of the field `from` in the input of a job that a command runs. */
const COMMAND_LINE = 'command_line'
/** Interval between writes of the progress. Each write is also a heartbeat of the job. */
const PROGRESS_INTERVAL_MS = 1_000

interface CommandLineJob {
  kind: string
  input: Record<string, unknown>
  /** Aborts the work at its next safe point. Also aborted when an administrator cancels the job. */
  abort: AbortController
  run: (reportProgress: (done: number, total: number | null) => void) => Promise<JobOutcome>
}

/**
 * Runs the work of a command as a job. If another job of this kind is unfinished, this job is recorded only
 * when it ends. If `run` throws, the job is recorded as failed and the error is thrown again.
 */
export async function runCommandLineJob(
  deps: Deps,
  { kind, input, abort, run }: CommandLineJob,
): Promise<void> {
  const { primary } = deps.database
  const worker = `${hostname()}:${process.pid}${COMMAND_LINE_WORKER}`
  const startedAt = deps.now()
  const newRow = {
    job_id: createRandomId(),
    kind,
    status: 'running',
    input: JSON.stringify({ ...input, from: COMMAND_LINE }),
    worker,
    attempts: 1,
    created_at: startedAt,
    started_at: startedAt,
    heartbeat_at: startedAt,
  }
  const isRecorded = (await insertJob(primary, newRow)) !== undefined
  let progress: Pick<JobRow, 'done' | 'total'> = { done: 0, total: null }
  const write = async (change: Partial<JobRow>) => {
    const row = await updateClaimedJob(
      primary,
      { jobId: newRow.job_id, worker },
      { ...progress, heartbeat_at: deps.now(), ...change },
    )
    if (row?.cancel_at) abort.abort('cancelled')
    if (row) publishJob(deps, row)
  }
  const finish = async (change: Partial<JobRow> & { status: string }) => {
    const end = { ...progress, ...change, finished_at: deps.now() }
    if (isRecorded) await write(end)
    else await insertJob(primary, { ...newRow, ...end })
  }
  const timer = setInterval(() => isRecorded && void write({}).catch(() => {}), PROGRESS_INTERVAL_MS)
  timer.unref()
  try {
    const { message = null, report } = await run((done, total) => {
      progress = { done, total }
    })
    await finish({
      status: abort.signal.aborted ? 'cancelled' : 'done',
      message,
      report: report ? JSON.stringify(report) : null,
    })
  } catch (error) {
    await finish({ status: 'failed', message: toJobMessage(error) }).catch(() => {})
    throw error
  } finally {
    clearInterval(timer)
  }
}
