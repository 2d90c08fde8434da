/** Long work that an administrator starts: one of a kind at a time, its progress can be followed. */
import type { Job } from '../../src/lib/contract/admin.ts'
import type { Deps } from '../deps.ts'
import { errorFields } from '../http/log.ts'
import { Problem } from '../problem.ts'
import { failAbandoned, insertJob, type JobRow, jobById, updateJob } from '../queries/job.ts'
import { audit } from './audit.ts'
import type { By } from './profiles.ts'
import { randomId } from './secret.ts'

export type Progress = (done: number, total: number | null) => Promise<void>
type Work = (deps: Deps, progress: Progress) => Promise<string | null>

export function jobOf(row: JobRow): Job {
  return {
    job_id: row.job_id,
    kind: row.kind,
    status: row.status as Job['status'],
    done: row.done,
    total: row.total,
    message: row.message,
    created_at: new Date(row.created_at).toISOString(),
    finished_at: row.finished_at === null ? null : new Date(row.finished_at).toISOString(),
  }
}

/** Starts work and answers at once. Throws 409 while one of the same kind runs. */
export async function start({ deps, caller, request }: By, kind: string, work: Work): Promise<Job> {
  const now = deps.now()
  const row = await deps.database.primary.transaction().execute(async (trx) => {
    const inserted = await insertJob(trx, {
      job_id: randomId(),
      kind,
      status: 'running',
      created_by: caller.account.account_id,
      created_at: now,
      started_at: now,
      input: '{}',
      done: 0,
    })
    if (!inserted)
      throw new Problem('conflict', { message: 'This is running already.', errors: { job: ['running'] } })
    await audit(
      trx,
      { now, request },
      {
        action: kind,
        target: inserted.job_id,
        accountId: caller.account.account_id,
        sid: caller.login.sid,
      },
    )
    return inserted
  })
  void run(deps, row, work)
  return jobOf(row)
}

/** A job whose process does not say so often that it lives is given up, by whichever process notices first. */
const BEAT_MS = 10_000
const DEAD_MS = 60_000

/** Jobs of processes that died: otherwise none of their kind could be started again. */
export async function giveUpAbandoned(deps: Deps): Promise<void> {
  await failAbandoned(deps.database.primary, deps.now() - DEAD_MS, deps.now())
}

async function run(deps: Deps, row: JobRow, work: Work): Promise<void> {
  const { primary } = deps.database
  const beat = setInterval(
    () => void updateJob(primary, row.job_id, { heartbeat_at: deps.now() }).catch(() => {}),
    BEAT_MS,
  )
  beat.unref()
  const progress: Progress = (done, total) =>
    updateJob(primary, row.job_id, { done, total, heartbeat_at: deps.now() })
  try {
    const message = await work(deps, progress)
    await updateJob(primary, row.job_id, { status: 'done', message, finished_at: deps.now() })
  } catch (error) {
    deps.log.error('job failed', { job: row.job_id, kind: row.kind, ...errorFields(error) })
    await updateJob(primary, row.job_id, {
      status: 'failed',
      message: 'failed',
      finished_at: deps.now(),
    }).catch(() => {})
  } finally {
    clearInterval(beat)
    deps.bus.publish('jobs', { job_id: row.job_id, kind: row.kind })
  }
}

export async function get({ deps }: Pick<By, 'deps'>, jobId: string): Promise<Job> {
  const row = await jobById(deps.database.primary, jobId)
  if (!row) throw new Problem('not_found')
  return jobOf(row)
}
