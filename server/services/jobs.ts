/** Starts, lists and cancels background jobs, one unfinished job per kind. The worker (jobs/worker.ts) runs them. */
import type { Job } from '../../src/lib/contract/admin.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { cancelJob, insertJob, type JobRow, jobById, listJobs } from '../queries/job.ts'
import { audit } from './audit.ts'
import type { RequestContext } from './context.ts'
import { workerOf } from './job-queue.ts'
import { randomId } from './secret.ts'

export function jobOf(row: JobRow): Job {
  const toIsoTime = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
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
    created_at: new Date(row.created_at).toISOString(),
    started_at: toIsoTime(row.started_at),
    finished_at: toIsoTime(row.finished_at),
  }
}

/** Publishes a job event to open dashboards; call it after the change is committed. */
export function tell({ bus }: Pick<Deps, 'bus'>, row: JobRow): Job {
  const job = jobOf(row)
  bus.publish('jobs', { job })
  return job
}

const buildJobRow = (deps: Deps, kind: string, input: Record<string, unknown>, accountId: string | null) => ({
  job_id: randomId(),
  kind,
  status: 'queued',
  input: JSON.stringify(input),
  created_by: accountId,
  created_at: deps.now(),
})

/** Queues a job and returns it at once. Throws 409 while a job of the same kind is unfinished. */
export async function start(
  { deps, caller, request }: RequestContext,
  kind: string,
  input: Record<string, unknown> = {},
): Promise<Job> {
  const accountId = caller.account.account_id
  const row = await deps.database.primary.transaction().execute(async (trx) => {
    const inserted = await insertJob(trx, buildJobRow(deps, kind, input, accountId))
    if (!inserted)
      throw new Problem('conflict', {
        message: 'A job of this kind is already running.',
        errors: { job: ['running'] },
      })
    const event = { action: kind, target: inserted.job_id, accountId, sid: caller.login.sid }
    await audit(trx, { now: deps.now(), request }, event)
    return inserted
  })
  workerOf(deps)?.wake()
  return tell(deps, row)
}

/** Queues a job without a caller; returns false while a job of the same kind is unfinished. */
export async function startAlone(deps: Deps, kind: string, input: Record<string, unknown> = {}) {
  const inserted = await insertJob(deps.database.primary, buildJobRow(deps, kind, input, null))
  if (!inserted) return false
  workerOf(deps)?.wake()
  tell(deps, inserted)
  return true
}

export async function get({ deps }: Pick<RequestContext, 'deps'>, jobId: string): Promise<Job> {
  const row = await jobById(deps.database.primary, jobId)
  if (!row) throw new Problem('not_found')
  return jobOf(row)
}

export async function list({ deps }: Pick<RequestContext, 'deps'>, query: Parameters<typeof listJobs>[1]) {
  const { rows, total } = await listJobs(deps.database.primary, query)
  const { page, limit } = query
  return {
    page,
    limit,
    total_results: total,
    total_pages: Math.ceil(total / limit),
    results: rows.map(jobOf),
  }
}

/** Cancels a job; returns a finished job unchanged. Throws 404. */
export async function cancel({ deps, caller, request }: RequestContext, jobId: string): Promise<Job> {
  const row = await deps.database.primary.transaction().execute(async (trx) => {
    const cancelled = await cancelJob(trx, jobId, deps.now())
    if (!cancelled) return jobById(trx, jobId)
    const { account, login } = caller
    const event = { action: 'job_cancel', target: jobId, accountId: account.account_id, sid: login.sid }
    await audit(trx, { now: deps.now(), request }, event)
    return cancelled
  })
  if (!row) throw new Problem('not_found')
  workerOf(deps)?.cancel(jobId)
  return tell(deps, row)
}
