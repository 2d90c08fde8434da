/** Imports of the catalogue, as an operator starts, cancels and reads them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService } from './service.ts'

describe('imports', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.stop())

  it('runs the demo importer with its progress and its report; a second run changes nothing', async () => {
    const { admin } = service
    const { importers } = (await admin.get('/api/admin/imports')).body
    expect(importers).toContainEqual({ name: 'demo', unavailable: null, options: [] })
    const first = await service.ended(await admin.post('/api/admin/imports', { importer: 'demo' }))
    expect(first).toMatchObject({ status: 'done', report: { changed: 0, same: 0, skipped: 0, skips: [] } })
    expect(first.report?.['added']).toBe(first.done)
    expect(first.total).toBe(first.done)
    const again = await service.ended(await admin.post('/api/admin/imports', { importer: 'demo' }))
    expect(again.report).toMatchObject({ added: 0, changed: 0, same: first.done })
    const { body } = await admin.get('/api/admin/imports')
    expect(body.results.map((job: { kind: string }) => job.kind)).toEqual(['import_demo', 'import_demo'])
  }, 60_000)

  it('stops where it is when it is cancelled, and goes on another time', async () => {
    const fresh = await startService()
    const started = await fresh.admin.post('/api/admin/imports', { importer: 'demo' })
    const end = fresh.server.deps.bus.subscribe('jobs', ({ job }) => {
      const { done, status } = job as { done: number; status: string }
      if (status !== 'running' || done === 0) return
      end()
      void fresh.admin.post(`/api/jobs/${started.body.job_id}/cancel`)
    })
    const stopped = await fresh.ended(started)
    expect(stopped.status).toBe('cancelled')
    const rest = await fresh.ended(await fresh.admin.post('/api/admin/imports', { importer: 'demo' }))
    expect(rest).toMatchObject({ status: 'done' })
    expect(rest.report?.['same']).toBe(stopped.report?.['added'])
    await fresh.stop()
  }, 60_000)

  it('says in its own words what an importer could not do', async () => {
    const { admin } = service
    const options = { folder: '/no/such/folder', 'min-votes': 5, adult: false }
    const job = await service.ended(await admin.post('/api/admin/imports', { importer: 'imdb', options }))
    expect(job).toMatchObject({ status: 'failed', message: '--folder: /no/such/folder does not exist' })
    const bad = await admin.post('/api/admin/imports', { importer: 'imdb', options: { 'min-votes': 'many' } })
    expect(bad.body.errors).toEqual({ 'options.min-votes': ['invalid_type'] })
  })

  it('refuses what there is not', async () => {
    const { admin } = service
    const asked = async (body: unknown) => (await admin.post('/api/admin/imports', body)).body.errors
    expect(await asked({ importer: 'no' })).toEqual({ importer: ['unknown'] })
    expect(await asked({ importer: 'constructor' })).toEqual({ importer: ['unknown'] })
    expect(await asked({ importer: 'demo', options: { folder: '/etc' } })).toEqual({
      options: ['unrecognized_keys'],
    })
  })
})
