/**
 * Starts, lists and cancels background jobs, which the worker (job-worker.ts) runs. Only one job of a kind can be
 * unfinished.
 */

import type { Job } from '../../../src/lib/contract/admin.ts'
import { toIsoTime, toIsoTimeOrNull } from '../../core/dates.ts'
import { Problem } from '../../core/problem.ts'
import type { Db } from '../../db/database.ts'
import { cancelJob, insertJob, type JobRow, selectJobById, selectJobs } from '../../queries/job.ts'
import { createRandomId } from '../auth/secret.ts'
import type { RequestContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import { recordCallerAction } from '../operations/audit.ts'
import { toPage } from '../page.ts'
import { findJobWorker } from './job-queue.ts'

export function toJob(row: JobRow): Job {
  return {
    job_id: row.job_id,
    kind: row.kind,
    status: row.status as Job['status'],
    done: row.done,
    total: row.total,
    message: row.message,
    input: JSON.parse(row.input) as Job['input'],
    report: row.report === null ? null : (JSON.parse(row.report) as Job['report']),
    cancelling: row.status === 'running' && row.cancel_at !== null,
    created_at: toIsoTime(row.created_at),
    started_at: toIsoTimeOrNull(row.started_at),
    finished_at: toIsoTimeOrNull(row.finished_at),
  }
}

/** Publishes a job event to open dashboards; call it after the change is committed. */
export function publishJob({ bus }: Pick<Deps, 'bus'>, row: JobRow): Job {
  const job = toJob(row)
  bus.publish('jobs', { job })
  return job
}

const buildJobRow = (deps: Deps, kind: string, input: Record<string, unknown>, accountId: string | null) => ({
  job_id: createRandomId(),
  kind,
  status: 'queued',
  input: JSON.stringify(input),
  created_by: accountId,
  created_at: deps.now(),
})

/** Queues a job and returns without waiting for its end. Throws 409 while a job of its kind is unfinished. */
export async function startJob(
  context: RequestContext,
  kind: string,
  input: Record<string, unknown> = {},
): Promise<Job> {
  const { deps, caller } = context
  const row = await deps.database.primary.transaction().execute(async (trx) => {
    const insertedRow = await insertJob(trx, buildJobRow(deps, kind, input, caller.account.account_id))
    if (!insertedRow)
      throw new Problem('conflict', {
        message: 'A job of this kind is already running.',
        errors: { job: ['running'] },
      })
    await recordCallerAction(trx, context, { action: kind, target: insertedRow.job_id })
    return insertedRow
  })
  findJobWorker(deps)?.wake()
  return publishJob(deps, row)
}

/** Queues a job without a caller. Returns false while a job of this kind is unfinished. */
export async function startSystemJob(deps: Deps, kind: string, input: Record<string, unknown> = {}) {
  const insertedRow = await insertJob(deps.database.primary, buildJobRow(deps, kind, input, null))
  if (!insertedRow) return false
  announceSystemJob(deps, insertedRow)
  return true
}

/**
 * Queues a job in the transaction of the change that needs it. Pass the row to `announceSystemJob()` after the commit.
 * Returns undefined while a job of the same kind is unfinished.
 */
export const insertSystemJob = (trx: Db, deps: Deps, kind: string): Promise<JobRow | undefined> =>
  insertJob(trx, buildJobRow(deps, kind, {}, null))

/** Wakes the worker for a queued job and notifies open dashboards. Call it after the job is committed. */
export function announceSystemJob(deps: Deps, row: JobRow): void {
  findJobWorker(deps)?.wake()
  publishJob(deps, row)
}

export async function loadJob({ deps }: Pick<RequestContext, 'deps'>, jobId: string): Promise<Job> {
  const row = await selectJobById(deps.database.primary, jobId)
  if (!row) throw new Problem('not_found')
  return toJob(row)
}

export async function listJobPage(
  { deps }: Pick<RequestContext, 'deps'>,
  query: Parameters<typeof selectJobs>[1],
) {
  const { rows, total } = await selectJobs(deps.database.primary, query)
  return toPage(query, total, rows.map(toJob))
}

/** Cancels a job and returns it. A job that has already ended is not changed. Throws 404 for an unknown job. */
export async function cancelJobById(context: RequestContext, jobId: string) {
  const { deps } = context
  const { row, isAlreadyEnded } = await deps.database.primary.transaction().execute(async (trx) => {
    const cancelledRow = await cancelJob(trx, jobId, deps.now())
    if (!cancelledRow) return { row: await selectJobById(trx, jobId), isAlreadyEnded: true }
    await recordCallerAction(trx, context, { action: 'job_cancel', target: jobId })
    return { row: cancelledRow, isAlreadyEnded: false }
  })
  if (!row) throw new Problem('not_found')
  findJobWorker(deps)?.cancel(jobId)
  return { ...publishJob(deps, row), already_ended: isAlreadyEnded }
}
