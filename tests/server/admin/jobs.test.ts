/** Jobs on both databases: one of a kind, cancelled, taken up after a crash, lost to another worker. */
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claimJob, insertJob, selectJobById, updateClaimedJob } from '../../../server/queries/job.ts'
import { createRandomId } from '../../../server/services/auth/secret.ts'
import { findJobWorker, JobFailure, type JobHandler } from '../../../server/services/jobs/job-queue.ts'
import { startJobWorker } from '../../../server/services/jobs/job-worker.ts'
import { DATABASES } from '../../support/server.ts'
import { type Service, startService } from './service.ts'

describe.each(DATABASES)('on %s', (_name, open) => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ database: await open() })
  }, 60_000)
  afterAll(() => service.stop())

  const row = (kind: string, more = {}) => ({
    job_id: createRandomId(),
    kind,
    status: 'queued',
    input: '{}',
    created_by: null,
    created_at: Date.now(),
    ...more,
  })
  /** Puts a job of a kind of the test's own in the queue and lets this process run it. */
  async function run(work: JobHandler, more = {}) {
    const { deps, database } = service.server
    startJobWorker(deps, { test: work })
    const inserted = await insertJob(database.primary, row('test', more))
    if (!inserted) throw new Error('one is open')
    return inserted.job_id
  }
  const stateOf = async (jobId: string) =>
    (await selectJobById(service.server.database.primary, jobId))?.status

  it('opens one of a kind at a time, whoever asks at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => service.admin.post('/api/settings/sync-search-engine')),
    )
    expect(answers.filter((one) => one.status === 202)).toHaveLength(1)
    for (const one of answers) expect([202, 409]).toContain(one.status)
    const [won] = answers.filter((one) => one.status === 202)
    expect(await service.ended(won as never)).toMatchObject({ status: 'done' })
    const again = await service.admin.post('/api/settings/sync-search-engine')
    expect(again.status).toBe(202)
    await service.idle()
    const { body } = await service.admin.get('/api/jobs?kind=search_sync')
    expect(body).toMatchObject({ total_results: 2, total_pages: 1 })
  })

  it('keeps what came of it, and why it failed', async () => {
    const done = await run(async ({ reportProgress: progress }) => {
      await progress(3, 4)
      return { message: 'three', report: { skipped: ['a'] } }
    })
    await findJobWorker(service.server.deps)?.tick()
    await service.idle()
    expect((await service.admin.get(`/api/jobs/${done}`)).body).toMatchObject({
      status: 'done',
      done: 3,
      total: 4,
      message: 'three',
      report: { skipped: ['a'] },
      cancelling: false,
    })
    const known = await run(async () => {
      throw new JobFailure('disk_full')
    })
    await findJobWorker(service.server.deps)?.tick()
    await service.idle()
    const unknown = await run(async () => {
      throw new Error('secret detail')
    })
    await findJobWorker(service.server.deps)?.tick()
    await service.idle()
    expect((await service.admin.get(`/api/jobs/${known}`)).body).toMatchObject({
      status: 'failed',
      message: 'disk_full',
    })
    expect((await service.admin.get(`/api/jobs/${unknown}`)).body).toMatchObject({
      status: 'failed',
      message: 'failed',
    })
    expect(service.server.log.join('')).toContain('secret detail')
  })

  it('stops at its next safe point when it is cancelled, and tells those who follow', async () => {
    const heard: string[] = []
    service.server.deps.bus.subscribe('jobs', ({ job }) => heard.push((job as { status: string }).status))
    let rounds = 0
    const jobId = await run(async ({ signal, reportProgress: progress }) => {
      while (!signal.aborted) {
        rounds += 1
        await progress(rounds, null)
        await pause(5)
      }
      return undefined
    })
    await findJobWorker(service.server.deps)?.tick()
    const answer = await service.admin.post(`/api/jobs/${jobId}/cancel`)
    expect(answer.body).toMatchObject({ status: 'running', cancelling: true })
    await service.idle()
    expect(await stateOf(jobId)).toBe('cancelled')
    expect(rounds).toBeGreaterThan(0)
    expect(heard.at(-1)).toBe('cancelled')
    expect((await service.admin.post(`/api/jobs/${jobId}/cancel`)).body.status).toBe('cancelled')
    expect((await service.admin.post('/api/jobs/none/cancel')).status).toBe(404)
  })

  it('never runs what was cancelled in the queue', async () => {
    const { primary } = service.server.database
    const queued = await insertJob(primary, row('nobody_runs_this'))
    const { body } = await service.admin.post(`/api/jobs/${queued?.job_id}/cancel`)
    expect(body.status).toBe('cancelled')
  })

  it('takes up what a dead process left, from where it had come to', async () => {
    const gone = {
      status: 'running',
      worker: `${hostname()}:999999999:x`,
      heartbeat_at: Date.now(),
      attempts: 1,
    }
    let found: unknown
    const jobId = await run(
      async ({ checkpoint }) => {
        found = checkpoint
        return undefined
      },
      { ...gone, checkpoint: '{"after":40}' },
    )
    await findJobWorker(service.server.deps)?.tick()
    await service.idle()
    expect(await stateOf(jobId)).toBe('done')
    expect(found).toEqual({ after: 40 })
  })

  it('takes up what a silent process of another machine left, but not too early', async () => {
    const worker = 'elsewhere:1:x'
    const jobId = await run(async () => undefined, {
      status: 'running',
      worker,
      heartbeat_at: Date.now(),
      attempts: 1,
    })
    await findJobWorker(service.server.deps)?.tick()
    expect(await stateOf(jobId)).toBe('running')
    service.server.advance(31_000)
    await findJobWorker(service.server.deps)?.tick()
    await service.idle()
    expect(await stateOf(jobId)).toBe('done')
  })

  it('gives up what took its process down three times, and what was being cancelled', async () => {
    const gone = { status: 'running', worker: `${hostname()}:999999999:x`, heartbeat_at: Date.now() }
    const worn = await run(async () => undefined, { ...gone, attempts: 3 })
    await findJobWorker(service.server.deps)?.tick()
    expect(await stateOf(worn)).toBe('failed')
    const unwanted = await run(async () => undefined, { ...gone, attempts: 1, cancel_at: Date.now() })
    await findJobWorker(service.server.deps)?.tick()
    expect(await stateOf(unwanted)).toBe('cancelled')
  })

  it('lets a worker write only what is its own', async () => {
    const { primary } = service.server.database
    const inserted = await insertJob(primary, row('elsewhere'))
    const kinds = ['elsewhere']
    const now = Date.now()
    const claims = await Promise.all(
      ['a', 'b', 'c'].map((worker) => claimJob(primary, { worker, kinds, now })),
    )
    expect(claims.filter(Boolean)).toHaveLength(1)
    const jobId = inserted?.job_id ?? ''
    const owner = claims.find(Boolean)?.worker ?? ''
    const other = owner === 'a' ? 'b' : 'a'
    expect(await updateClaimedJob(primary, { jobId, worker: other }, { status: 'done' })).toBeUndefined()
    expect(await updateClaimedJob(primary, { jobId, worker: owner }, { status: 'done' })).toMatchObject({
      status: 'done',
    })
  })

  it('goes back to the queue when the process stops, and its turn does not count', async () => {
    const jobId = await run(async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return undefined
    })
    await findJobWorker(service.server.deps)?.tick()
    await findJobWorker(service.server.deps)?.stop()
    expect(await selectJobById(service.server.database.primary, jobId)).toMatchObject({
      status: 'queued',
      worker: null,
      attempts: 0,
      finished_at: null,
    })
  })
})
