/**
 * The job queue on SQLite and PostgreSQL: one open job per kind, results, cancellation, and recovery after a worker
 * dies.
 */
import { hostname } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { claimJob, insertJob, selectJobById, updateClaimedJob } from '../../../server/queries/job.ts'
import { createRandomId } from '../../../server/services/auth/secret.ts'
import { findJobWorker, JobFailure, type JobHandler } from '../../../server/services/jobs/job-queue.ts'
import { startJobWorker } from '../../../server/services/jobs/job-worker.ts'
import { DATABASES } from '../../support/server.ts'
import { type AdminTestServer, startAdminTestServer } from './admin-test-server.ts'

describe.each(DATABASES)('job queue on %s', (_name, openTestDatabase) => {
  let service: AdminTestServer
  beforeAll(async () => {
    service = await startAdminTestServer({ database: await openTestDatabase() })
  }, 60_000)
  afterAll(() => service.stop())

  const createJobRow = (kind: string, overrides = {}) => ({
    job_id: createRandomId(),
    kind,
    status: 'queued',
    input: '{}',
    created_by: null,
    created_at: Date.now(),
    ...overrides,
  })
  /**
   * Starts a worker that runs jobs of the kind `test` with `handler`, queues a job of this kind, and returns its ID.
   * Throws if a job of this kind is already open.
   */
  async function queueTestJob(handler: JobHandler, overrides = {}) {
    const { deps, database } = service.server
    startJobWorker(deps, { test: handler })
    const insertedJob = await insertJob(database.primary, createJobRow('test', overrides))
    if (!insertedJob) throw new Error('a test job is already open')
    return insertedJob.job_id
  }
  const loadJobStatus = async (jobId: string) =>
    (await selectJobById(service.server.database.primary, jobId))?.status

  it('accepts one of eight parallel requests for the same job, and returns 409 to the others', async () => {
    // The job waits for this lock, so that it cannot end before the last request.
    const releaseLock = service.server.database.searchLock.tryAcquire()
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => service.admin.post('/api/settings/sync-search-engine')),
    )
    releaseLock?.()
    expect(responses.filter((response) => response.status === 202)).toHaveLength(1)
    for (const response of responses) expect([202, 409]).toContain(response.status)
    const [acceptedResponse] = responses.filter((response) => response.status === 202)
    expect(await service.waitForJob(acceptedResponse as never)).toMatchObject({ status: 'done' })
    const nextResponse = await service.admin.post('/api/settings/sync-search-engine')
    expect(nextResponse.status).toBe(202)
    await service.waitForIdleWorker()
    const { body } = await service.admin.get('/api/jobs?kind=search_sync')
    expect(body).toMatchObject({ total_results: 2, total_pages: 1 })
  })

  it('stores results and the codes of known failures in the job, and hides the text of unknown failures', async () => {
    const succeededJobId = await queueTestJob(async ({ reportProgress }) => {
      await reportProgress(3, 4)
      return { message: 'three', report: { skipped: ['a'] } }
    })
    await findJobWorker(service.server.deps)?.releaseAndClaimJobs()
    await service.waitForIdleWorker()
    expect((await service.admin.get(`/api/jobs/${succeededJobId}`)).body).toMatchObject({
      status: 'done',
      done: 3,
      total: 4,
      message: 'three',
      report: { skipped: ['a'] },
      cancelling: false,
    })
    const knownFailureJobId = await queueTestJob(async () => {
      throw new JobFailure('disk_full')
    })
    await findJobWorker(service.server.deps)?.releaseAndClaimJobs()
    await service.waitForIdleWorker()
    const unknownFailureJobId = await queueTestJob(async () => {
      throw new Error('secret detail')
    })
    await findJobWorker(service.server.deps)?.releaseAndClaimJobs()
    await service.waitForIdleWorker()
    expect((await service.admin.get(`/api/jobs/${knownFailureJobId}`)).body).toMatchObject({
      status: 'failed',
      message: 'disk_full',
    })
    expect((await service.admin.get(`/api/jobs/${unknownFailureJobId}`)).body).toMatchObject({
      status: 'failed',
      message: 'failed',
    })
    expect(service.server.logLines.join('')).toContain('secret detail')
  })

  it('a job that fails because the disk is full has the message `disk_full`', async () => {
    const jobId = await queueTestJob(async () => {
      const fullDatabase = new DatabaseSync(':memory:')
      fullDatabase.exec('pragma max_page_count = 1; create table row (id integer)')
      return undefined
    })
    await findJobWorker(service.server.deps)?.releaseAndClaimJobs()
    await service.waitForIdleWorker()
    expect((await service.admin.get(`/api/jobs/${jobId}`)).body).toMatchObject({
      status: 'failed',
      message: 'disk_full',
    })
  })

  it.each([
    ['the connection to the database is lost', () => new Error('Connection terminated unexpectedly')],
    ['the database server stops', () => Object.assign(new Error('terminating'), { code: '57P01' })],
  ])('runs a job again when %s for a moment', async (_name, createError) => {
    let runCount = 0
    let receivedCheckpoint: unknown
    const jobId = await queueTestJob(async ({ checkpoint, saveCheckpoint }) => {
      runCount += 1
      receivedCheckpoint = checkpoint
      await saveCheckpoint({ after: runCount })
      if (runCount === 1) throw createError()
      return { message: 'complete' }
    })
    await findJobWorker(service.server.deps)?.releaseAndClaimJobs()
    await service.waitForIdleWorker()
    await findJobWorker(service.server.deps)?.releaseAndClaimJobs()
    await service.waitForIdleWorker()
    expect((await service.admin.get(`/api/jobs/${jobId}`)).body).toMatchObject({
      status: 'done',
      message: 'complete',
    })
    expect([runCount, receivedCheckpoint]).toEqual([2, { after: 1 }])
  })

  it('a job fails after the connection to the database was lost in each of three attempts', async () => {
    let runCount = 0
    const jobId = await queueTestJob(async () => {
      runCount += 1
      throw new Error('Connection terminated unexpectedly')
    })
    for (let round = 0; round < 4; round += 1) {
      await findJobWorker(service.server.deps)?.releaseAndClaimJobs()
      await service.waitForIdleWorker()
    }
    expect([await loadJobStatus(jobId), runCount]).toEqual(['failed', 3])
  })

  it('aborts a running job and publishes its new status when the job is cancelled', async () => {
    const publishedStatuses: string[] = []
    service.server.deps.bus.subscribe('jobs', ({ job }) =>
      publishedStatuses.push((job as { status: string }).status),
    )
    let roundCount = 0
    const jobId = await queueTestJob(async ({ signal, reportProgress }) => {
      while (!signal.aborted) {
        roundCount += 1
        await reportProgress(roundCount, null)
        await pause(5)
      }
      return undefined
    })
    await findJobWorker(service.server.deps)?.releaseAndClaimJobs()
    const response = await service.admin.post(`/api/jobs/${jobId}/cancel`)
    expect(response.body).toMatchObject({ status: 'running', cancelling: true, already_ended: false })
    await service.waitForIdleWorker()
    expect(await loadJobStatus(jobId)).toBe('cancelled')
    expect(roundCount).toBeGreaterThan(0)
    expect(publishedStatuses.at(-1)).toBe('cancelled')
    expect((await service.admin.post('/api/jobs/none/cancel')).status).toBe(404)
  })

  it('marks a job as failed, not as cancelled, when it fails after its cancellation was requested', async () => {
    const jobId = await queueTestJob(async ({ signal }) => {
      while (!signal.aborted) await pause(5)
      throw new JobFailure('database_damaged')
    })
    await findJobWorker(service.server.deps)?.releaseAndClaimJobs()
    await service.admin.post(`/api/jobs/${jobId}/cancel`)
    await service.waitForIdleWorker()
    const { body } = await service.admin.get(`/api/jobs/${jobId}`)
    expect(body).toMatchObject({ status: 'failed', message: 'database_damaged' })
  })

  it('cancels a queued job immediately, and returns already_ended for a second cancellation', async () => {
    const { primary } = service.server.database
    const queuedJob = await insertJob(primary, createJobRow('nobody_runs_this'))
    const cancelPath = `/api/jobs/${queuedJob?.job_id}/cancel`
    const firstReply = (await service.admin.post(cancelPath)).body
    expect(firstReply).toMatchObject({ status: 'cancelled', already_ended: false })
    expect((await service.admin.post(cancelPath)).body).toEqual({ ...firstReply, already_ended: true })
  })

  it('returns the unchanged job with already_ended when a job that has ended is cancelled', async () => {
    const { primary } = service.server.database
    for (const status of ['done', 'failed', 'cancelled']) {
      const endedRow = createJobRow(`ended_${status}`, { status, finished_at: Date.now() })
      await insertJob(primary, endedRow)
      const { body: jobBeforeCancel } = await service.admin.get(`/api/jobs/${endedRow.job_id}`)
      const { body } = await service.admin.post(`/api/jobs/${endedRow.job_id}/cancel`)
      expect(body).toEqual({ ...jobBeforeCancel, already_ended: true })
      expect(body.status).toBe(status)
    }
  })

  it('resumes the job of a dead process from its checkpoint', async () => {
    const deadWorkerFields = {
      status: 'running',
      worker: `${hostname()}:999999999:x`,
      heartbeat_at: Date.now(),
      attempts: 1,
    }
    let receivedCheckpoint: unknown
    const jobId = await queueTestJob(
      async ({ checkpoint }) => {
        receivedCheckpoint = checkpoint
        return undefined
      },
      { ...deadWorkerFields, checkpoint: '{"after":40}' },
    )
    await findJobWorker(service.server.deps)?.releaseAndClaimJobs()
    await service.waitForIdleWorker()
    expect(await loadJobStatus(jobId)).toBe('done')
    expect(receivedCheckpoint).toEqual({ after: 40 })
  })

  it('runs a job again at the next check of the queue when the result of the job could not be saved', async () => {
    let runCount = 0
    const { deps, database } = service.server
    const jobId = await queueTestJob(async () => {
      runCount += 1
      if (runCount === 1)
        vi.spyOn(database.primary, 'updateTable').mockImplementation(() => {
          throw new Error('The disk is full.')
        })
      return undefined
    })
    await findJobWorker(deps)?.releaseAndClaimJobs()
    await service.waitForIdleWorker()
    vi.restoreAllMocks()
    expect(await loadJobStatus(jobId)).toBe('running')
    await findJobWorker(deps)?.releaseAndClaimJobs()
    await service.waitForIdleWorker()
    expect([await loadJobStatus(jobId), runCount]).toEqual(['done', 2])
  })

  it('takes over a job from a worker on another machine only after the heartbeat of the job times out', async () => {
    const worker = 'elsewhere:1:x'
    const jobId = await queueTestJob(async () => undefined, {
      status: 'running',
      worker,
      heartbeat_at: Date.now(),
      attempts: 1,
    })
    await findJobWorker(service.server.deps)?.releaseAndClaimJobs()
    expect(await loadJobStatus(jobId)).toBe('running')
    service.server.advanceClock(31_000)
    await findJobWorker(service.server.deps)?.releaseAndClaimJobs()
    await service.waitForIdleWorker()
    expect(await loadJobStatus(jobId)).toBe('done')
  })

  it('takes over a running job whose last heartbeat is years in the future, as if the clock of its worker had been ahead', async () => {
    const jobId = await queueTestJob(async () => undefined, {
      status: 'running',
      worker: 'elsewhere:1:x',
      heartbeat_at: service.server.deps.now() + 5 * 365 * 86_400_000,
      attempts: 1,
    })
    await findJobWorker(service.server.deps)?.releaseAndClaimJobs()
    await service.waitForIdleWorker()
    expect(await loadJobStatus(jobId)).toBe('done')
  })

  it('marks a job as failed when the worker of its third attempt dies, and as cancelled when its worker dies during the cancellation', async () => {
    const deadWorkerFields = {
      status: 'running',
      worker: `${hostname()}:999999999:x`,
      heartbeat_at: Date.now(),
    }
    const thirdAttemptJobId = await queueTestJob(async () => undefined, { ...deadWorkerFields, attempts: 3 })
    await findJobWorker(service.server.deps)?.releaseAndClaimJobs()
    expect(await loadJobStatus(thirdAttemptJobId)).toBe('failed')
    const cancellingJobId = await queueTestJob(async () => undefined, {
      ...deadWorkerFields,
      attempts: 1,
      cancel_at: Date.now(),
    })
    await findJobWorker(service.server.deps)?.releaseAndClaimJobs()
    expect(await loadJobStatus(cancellingJobId)).toBe('cancelled')
  })

  it('lets only one worker claim a job, and only the claiming worker update the job', async () => {
    const { primary } = service.server.database
    const insertedJob = await insertJob(primary, createJobRow('elsewhere'))
    const jobKinds = ['elsewhere']
    const nowMs = Date.now()
    const claims = await Promise.all(
      ['a', 'b', 'c'].map((worker) => claimJob(primary, { worker, kinds: jobKinds, nowMs })),
    )
    expect(claims.filter(Boolean)).toHaveLength(1)
    const jobId = insertedJob?.job_id ?? ''
    const owningWorker = claims.find(Boolean)?.worker ?? ''
    const otherWorker = owningWorker === 'a' ? 'b' : 'a'
    expect(
      await updateClaimedJob(primary, { jobId, worker: otherWorker }, { status: 'done' }),
    ).toBeUndefined()
    expect(
      await updateClaimedJob(primary, { jobId, worker: owningWorker }, { status: 'done' }),
    ).toMatchObject({
      status: 'done',
    })
  })

  it('returns a running job to the queue when the process stops, without counting the attempt', async () => {
    const jobId = await queueTestJob(async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return undefined
    })
    await findJobWorker(service.server.deps)?.releaseAndClaimJobs()
    await findJobWorker(service.server.deps)?.stop()
    expect(await selectJobById(service.server.database.primary, jobId)).toMatchObject({
      status: 'queued',
      worker: null,
      attempts: 0,
      finished_at: null,
    })
  })
})
