/** The catalogue import endpoints of the admin API: starting, cancelling and reading imports. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findJobWorker } from '../../../server/services/jobs/job-queue.ts'
import { runCommandLineImport } from '../../../server/services/operations/imports.ts'
import { type AdminTestServer, startAdminTestServer } from './admin-test-server.ts'

describe('catalogue imports', () => {
  let service: AdminTestServer
  beforeAll(async () => {
    service = await startAdminTestServer()
  })
  afterAll(() => service.stop())

  it('an import of the demo catalogue reports its progress and counts, and a second import changes nothing', async () => {
    const { admin } = service
    const { importers } = (await admin.get('/api/admin/imports')).body
    expect(importers).toContainEqual({ name: 'demo', unavailable: null, options: [] })
    const firstRun = await service.waitForJob(await admin.post('/api/admin/imports', { importer: 'demo' }))
    expect(firstRun).toMatchObject({ status: 'done', report: { changed: 0, same: 0, skipped: 0, skips: [] } })
    expect(firstRun.report?.['added']).toBe(firstRun.done)
    expect(firstRun.total).toBe(firstRun.done)
    const secondRun = await service.waitForJob(await admin.post('/api/admin/imports', { importer: 'demo' }))
    expect(secondRun.report).toMatchObject({ added: 0, changed: 0, same: firstRun.done })
    const { body } = await admin.get('/api/admin/imports')
    expect(body.results.map((job: { kind: string }) => job.kind)).toEqual(['import_demo', 'import_demo'])
  }, 60_000)

  it('an import stops when it is cancelled, and the next import adds the remaining titles', async () => {
    const otherService = await startAdminTestServer()
    const startResponse = await otherService.admin.post('/api/admin/imports', { importer: 'demo' })
    const unsubscribe = otherService.server.deps.bus.subscribe('jobs', ({ job }) => {
      const { done, status } = job as { done: number; status: string }
      if (status !== 'running' || done === 0) return
      unsubscribe()
      void otherService.admin.post(`/api/jobs/${startResponse.body.job_id}/cancel`)
    })
    const stoppedJob = await otherService.waitForJob(startResponse)
    expect(stoppedJob.status).toBe('cancelled')
    const resumedJob = await otherService.waitForJob(
      await otherService.admin.post('/api/admin/imports', { importer: 'demo' }),
    )
    expect(resumedJob).toMatchObject({ status: 'done' })
    expect(resumedJob.report?.['same']).toBe(stoppedJob.report?.['added'])
    await otherService.stop()
  }, 60_000)

  it('the job of a failed import contains the error message of the importer, and an import with an invalid option is rejected with 422', async () => {
    const { admin } = service
    const importOptions = { folder: '/no/such/folder', 'min-votes': 5, adult: false }
    const job = await service.waitForJob(
      await admin.post('/api/admin/imports', { importer: 'imdb', options: importOptions }),
    )
    expect(job).toMatchObject({ status: 'failed', message: '--folder: /no/such/folder does not exist' })
    const jobWithDefaultFolder = await service.waitForJob(
      await admin.post('/api/admin/imports', { importer: 'imdb' }),
    )
    expect(jobWithDefaultFolder).toMatchObject({ message: '--folder: the default folder does not exist' })
    const invalidResponse = await admin.post('/api/admin/imports', {
      importer: 'imdb',
      options: { 'min-votes': 'many' },
    })
    expect(invalidResponse.status).toBe(422)
    expect(invalidResponse.body.errors).toEqual({ 'options.min-votes': ['invalid_type'] })
  })

  it('the failed job of an IMDb import names the missing or damaged file, but not the path of its folder', async () => {
    const { admin, folder } = service
    const imdbFolder = join(folder, 'imdb')
    mkdirSync(imdbFolder)
    const importDumps = async () =>
      service.waitForJob(
        await admin.post('/api/admin/imports', { importer: 'imdb', options: { 'min-votes': 0 } }),
      )
    expect(await importDumps()).toMatchObject({
      status: 'failed',
      message: 'the folder has no title.basics.tsv.gz',
    })
    const basicsPath = join(imdbFolder, 'title.basics.tsv.gz')
    writeFileSync(basicsPath, gzipSync('tconst\n'.repeat(5_000)).subarray(0, -20))
    expect(await importDumps()).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/^title\.basics\.tsv\.gz is /),
    })
    rmSync(imdbFolder, { recursive: true })
  })

  it('the job contains the reason when TMDB rejects the token', async () => {
    const tmdbServer = createServer((_request, response) => response.writeHead(401).end())
    await new Promise<void>((resolve) => tmdbServer.listen(0, '127.0.0.1', resolve))
    const { port } = tmdbServer.address() as AddressInfo
    const otherService = await startAdminTestServer({
      env: { TMDB_API_TOKEN: 'rejected', TMDB_API_URL: `http://127.0.0.1:${port}` },
    })
    const job = await otherService.waitForJob(
      await otherService.admin.post('/api/admin/imports', { importer: 'tmdb', options: { movies: '603' } }),
    )
    expect(job).toMatchObject({
      status: 'failed',
      message: 'TMDB rejected TMDB_API_TOKEN: it must be an API read access token.',
    })
    await otherService.stop()
    await new Promise((resolve) => tmdbServer.close(resolve))
  })

  it('an import from the command line is listed while it runs and after it has ended', async () => {
    const { admin, server } = service
    const importOptions = { 'batch-ms': '40' }
    const runImport = () =>
      runCommandLineImport(server.deps, {
        importer: 'demo',
        options: importOptions,
        abortController: new AbortController(),
        onProgress: () => {},
      })
    const loadNewestImport = async () => (await admin.get('/api/admin/imports?limit=1')).body.results[0]
    const report = await runImport()
    expect(await loadNewestImport()).toMatchObject({
      kind: 'import_demo',
      status: 'done',
      input: { from: 'command_line' },
      report: { same: report.same },
    })
    const repeatedImport = runImport()
    expect(await loadNewestImport()).toMatchObject({ status: 'running', input: { from: 'command_line' } })
    expect((await admin.post('/api/admin/imports', { importer: 'demo' })).status).toBe(409)
    await repeatedImport
    await expect(
      runCommandLineImport(server.deps, {
        importer: 'imdb',
        options: { folder: '/no/such/folder' },
        abortController: new AbortController(),
        onProgress: () => {},
      }),
    ).rejects.toThrow('/no/such/folder does not exist')
    expect(await loadNewestImport()).toMatchObject({
      status: 'failed',
      message: '--folder: /no/such/folder does not exist',
      input: { folder: '/no/such/folder', from: 'command_line' },
    })
  }, 60_000)

  it('an import from the command line is marked as failed when its process has died, and is not run again', async () => {
    const { server, admin } = service
    await server.database.primary
      .insertInto('job')
      .values({
        job_id: 'dead-command',
        kind: 'import_tmdb',
        status: 'running',
        input: '{"from":"command_line"}',
        worker: 'another-host:1:command-line',
        attempts: 1,
        created_at: server.deps.now(),
        heartbeat_at: server.deps.now() - 60_000,
      })
      .execute()
    await findJobWorker(server.deps)?.releaseAndClaimJobs()
    await service.waitForIdleWorker()
    expect((await admin.get('/api/jobs/dead-command')).body).toMatchObject({
      status: 'failed',
      message: 'interrupted',
    })
  })

  it('an import with an unknown importer or an unknown option is rejected', async () => {
    const { admin } = service
    const postAndGetErrors = async (body: unknown) =>
      (await admin.post('/api/admin/imports', body)).body.errors
    expect(await postAndGetErrors({ importer: 'no' })).toEqual({ importer: ['unknown'] })
    expect(await postAndGetErrors({ importer: 'constructor' })).toEqual({ importer: ['unknown'] })
    expect(await postAndGetErrors({ importer: 'demo', options: { folder: '/etc' } })).toEqual({
      options: ['unrecognized_keys'],
    })
  })
})
