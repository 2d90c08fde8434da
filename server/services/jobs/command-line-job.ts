/** Records the work of a command as a job, so that the dashboard can show and stop the work. */
import { hostname } from 'node:os'
import { insertJob, type JobRow, updateClaimedJob } from '../../queries/job.ts'
import { createRandomId } from '../auth/secret.ts'
import type { Deps } from '../deps.ts'
import { type JobOutcome, toJobMessage } from './job-queue.ts'
import { publishJob } from './jobs.ts'

/** Suffix of the worker id of jobs that a command runs. After a crash, no job worker runs these jobs again. */
export const COMMAND_LINE_WORKER_SUFFIX = ':command-line'
/** Value of the field `from` in the input of a job that a command runs. */
const COMMAND_LINE_ORIGIN = 'command_line'
/** Interval between writes of the progress. Each write is also a heartbeat of the job. */
const PROGRESS_INTERVAL_MS = 1_000

interface CommandLineJob {
  kind: string
  input: Record<string, unknown>
  /** Aborted when an administrator cancels the job. The work then stops at its next safe point. */
  abortController: AbortController
  runTask: (reportProgress: (doneCount: number, totalCount: number | null) => void) => Promise<JobOutcome>
}

/**
 * Runs the work of a command as a job. The job is recorded before the work starts. If another job of this kind is
 * unfinished at the start, the job is recorded only after the work has ended. If `runTask` throws, the job is recorded
 * as failed and the error is thrown again.
 */
export async function runCommandLineJob(
  deps: Deps,
  { kind, input, abortController, runTask }: CommandLineJob,
): Promise<void> {
  const { primary } = deps.database
  const workerId = `${hostname()}:${process.pid}${COMMAND_LINE_WORKER_SUFFIX}`
  const startedAtMs = deps.now()
  const newRow = {
    job_id: createRandomId(),
    kind,
    status: 'running',
    input: JSON.stringify({ ...input, from: COMMAND_LINE_ORIGIN }),
    worker: workerId,
    attempts: 1,
    created_at: startedAtMs,
    started_at: startedAtMs,
    heartbeat_at: startedAtMs,
  }
  const isJobRecorded = (await insertJob(primary, newRow)) !== undefined
  let progress: Pick<JobRow, 'done' | 'total'> = { done: 0, total: null }
  const writeJob = async (change: Partial<JobRow>) => {
    const row = await updateClaimedJob(
      primary,
      { jobId: newRow.job_id, worker: workerId },
      { ...progress, heartbeat_at: deps.now(), ...change },
    )
    if (row?.cancel_at) abortController.abort('cancelled')
    if (row) publishJob(deps, row)
  }
  const finishJob = async (change: Partial<JobRow> & { status: string }) => {
    const finalColumns = { ...progress, ...change, finished_at: deps.now() }
    if (isJobRecorded) await writeJob(finalColumns)
    else await insertJob(primary, { ...newRow, ...finalColumns })
  }
  const timer = setInterval(() => isJobRecorded && void writeJob({}).catch(() => {}), PROGRESS_INTERVAL_MS)
  timer.unref()
  try {
    const { message = null, report } = await runTask((doneCount, totalCount) => {
      progress = { done: doneCount, total: totalCount }
    })
    await finishJob({
      status: abortController.signal.aborted ? 'cancelled' : 'done',
      message,
      report: report ? JSON.stringify(report) : null,
    })
  } catch (error) {
    await finishJob({ status: 'failed', message: toJobMessage(error) }).catch(() => {})
    throw error
  } finally {
    clearInterval(timer)
  }
}
