/**
 * Publishing, deleting, restoring and editing titles on SQLite and PostgreSQL. Every kind of read reflects a change
 * within MAX_VISIBILITY_DELAY_MS.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importTitles } from '../../../server/importers/import-titles.ts'
import { insertRows } from '../../../server/queries/insert-rows.ts'
import { insertJob } from '../../../server/queries/job.ts'
import { isTitlePurgeDue } from '../../../server/services/catalogue/publishing.ts'
import { findJobWorker } from '../../../server/services/jobs/job-queue.ts'
import { startDueJobs } from '../../../server/services/operations/maintenance.ts'
import { DATABASES, insertTestAccount } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import {
  type AdminTestServer,
  addMovies,
  createMovieRecord,
  startAdminTestServer,
} from './admin-test-server.ts'

const MAX_VISIBILITY_DELAY_MS = 2_000
const DAY_MS = 86_400_000
const FIRST_MOVIE = createMovieRecord(1, {
  keywords: ['lighthouse'],
  cast: [{ person: { name: 'Ada Lake' }, character: 'Keeper' }],
})

describe.each(DATABASES)('title administration on %s', (_name, openTestDatabase) => {
  let service: AdminTestServer
  let viewer: TestClient
  let kid: TestClient
  let titleIds: string[]
  let profileId = ''
  beforeAll(async () => {
    service = await startAdminTestServer({ database: await openTestDatabase() })
    titleIds = await addMovies(service, [
      FIRST_MOVIE,
      createMovieRecord(2),
      createMovieRecord(3),
      createMovieRecord(4),
    ])
    await insertTestAccount(service.server, 'viewer@example.com')
    viewer = new TestClient(service.server)
    await viewer.login('viewer@example.com')
    profileId = (await viewer.post('/api/profile', { name: 'Main' })).body.profile_id
    const kidId = (await viewer.post('/api/profile', { name: 'Kid', kids: true })).body.profile_id
    viewer.profileId = profileId
    kid = new TestClient(service.server)
    await kid.login('viewer@example.com')
    kid.profileId = kidId
    const movieId = titleIds[0]
    await viewer.put(`/api/profile/${profileId}/watchlist/movie/${movieId}/toggle`)
    const progressReport = {
      type: 'movie',
      media_id: movieId,
      progress: 600,
      data: { video_duration: 3_600 },
    }
    await viewer.post(`/api/profile/${profileId}/history`, progressReport)
  }, 60_000)
  afterAll(() => service.stop())

  const runMaintenance = async () => {
    await startDueJobs(service.server.deps)
    await findJobWorker(service.server.deps)?.releaseAndClaimJobs()
    await service.waitForIdleWorker()
  }
  /**
   * Changes the time of deletion of a title to more than one day ago. The retention period of one day has then ended.
   */
  const endRetentionPeriod = (titleId: string | undefined) =>
    service.server.database.primary
      .updateTable('title')
      .set({ deleted_at: service.server.deps.now() - DAY_MS - 1_000 })
      .where('title_id', '=', Number(titleId))
      .execute()

  it('returns the ids of all titles that match the filters of the dashboard, including hidden titles', async () => {
    const { admin } = service
    const path = '/api/admin/titles/matching?type=movie'
    const loadTitleIds = async (query = '') => (await admin.get(path + query)).body
    expect(await loadTitleIds()).toEqual({ ids: titleIds, total: titleIds.length })
    await admin.post('/api/admin/titles/publish', { ids: [titleIds[1]], published: false })
    expect(await loadTitleIds('&published=false')).toEqual({ ids: [titleIds[1]], total: 1 })
    expect((await loadTitleIds('&published=true')).ids).not.toContain(titleIds[1])
    expect((await loadTitleIds('&search=lantern%202')).ids).toContain(titleIds[1])
    expect(await loadTitleIds('&search=nothing')).toEqual({ ids: [], total: 0 })
    expect(await admin.get('/api/admin/titles/matching?type=tv')).toMatchObject({
      body: { ids: [], total: 0 },
    })
    await admin.post('/api/admin/titles/publish', { ids: [titleIds[1]], published: true })
    expect((await viewer.get(path)).status).toBe(403)
  })

  /** Returns, for each kind of read request, whether the first movie is visible to the device through that request. */
  async function readVisibility(device: TestClient): Promise<Record<string, boolean>> {
    const movieId = titleIds[0]
    const includesMovie = ({ body }: { body: { results?: { id?: string; media?: { id: string } }[] } }) =>
      (body.results ?? []).some((title) => (title.media?.id ?? title.id) === movieId)
    return {
      movieList: includesMovie(await device.get('/api/movies?limit=100')),
      featured: includesMovie(await device.get('/api/movies/featured')),
      details: (await device.get(`/api/movies/${movieId}`)).status === 200,
      slug: (await device.get('/api/movies/slug/lantern-1')).status === 200,
      search: includesMovie(await device.get('/api/search?q=Lantern%201')),
      actor: (await device.get('/api/actors/slug/ada-lake')).status === 200,
      ...(device === viewer && {
        watchlist: includesMovie(await device.get(`/api/profile/${profileId}/watchlist`)),
        continueWatching: includesMovie(await device.get(`/api/profile/${profileId}/continue-watching`)),
      }),
    }
  }
  /**
   * Waits until the first movie is visible through every kind of read request, or through none if `isVisible` is
   * false. Fails after MAX_VISIBILITY_DELAY_MS.
   */
  async function expectVisibility(device: TestClient, isVisible: boolean): Promise<void> {
    const startedAtMs = performance.now()
    for (;;) {
      const visibility = await readVisibility(device)
      const wrongEntries = Object.entries(visibility).filter(([, isShown]) => isShown !== isVisible)
      if (wrongEntries.length === 0) return
      if (performance.now() - startedAtMs > MAX_VISIBILITY_DELAY_MS) expect(wrongEntries).toEqual([])
    }
  }

  it('every read reflects the publication or hiding of a title within two seconds', async () => {
    await expectVisibility(viewer, true)
    const { admin } = service
    const hideResponse = await admin.post('/api/admin/titles/publish', {
      ids: [titleIds[0], 'x', '999999'],
      published: false,
    })
    expect(hideResponse.body).toEqual({ changed: [titleIds[0]], missing: ['x', '999999'] })
    await expectVisibility(viewer, false)
    expect((await admin.get(`/api/admin/titles/${titleIds[0]}`)).body).toMatchObject({
      published: false,
      title: 'Lantern 1',
    })
    await admin.post('/api/admin/titles/publish', { ids: titleIds, published: true })
    await expectVisibility(viewer, true)
    expect((await admin.patch(`/api/movies/${titleIds[0]}/publish`, { published: false })).status).toBe(200)
    await expectVisibility(viewer, false)
    await admin.put(`/api/admin/titles/${titleIds[0]}`, { published: true })
    await expectVisibility(viewer, true)
    expect((await admin.patch(`/api/series/${titleIds[0]}/publish`, { published: false })).status).toBe(404)
  })

  it('when titles are published or hidden, the reply and the audit log omit the titles that were already published or hidden', async () => {
    const { admin } = service
    const setTitlesPublished = async (ids: (string | undefined)[], published: boolean) =>
      (await admin.post('/api/admin/titles/publish', { ids, published })).body
    const countAuditEvents = async (action: string) =>
      (await admin.get(`/api/admin/audit?action=${action}`)).body.total_results
    const [firstId, secondId] = titleIds
    await setTitlesPublished([firstId], false)
    await setTitlesPublished([secondId], true)
    const eventCounts = [await countAuditEvents('unpublish'), await countAuditEvents('publish')]
    expect(await setTitlesPublished([firstId, secondId], false)).toEqual({ changed: [secondId], missing: [] })
    expect(await setTitlesPublished([firstId], false)).toEqual({ changed: [], missing: [] })
    expect(await setTitlesPublished([secondId], true)).toEqual({ changed: [secondId], missing: [] })
    expect([await countAuditEvents('unpublish'), await countAuditEvents('publish')]).toEqual(
      eventCounts.map((count) => count + 1),
    )
    await setTitlesPublished(titleIds, true)
  })

  it('restores a deleted title with its watchlist entry and progress', async () => {
    const { admin } = service
    const { body } = await admin.post('/api/admin/titles/delete', { ids: [titleIds[0]] })
    expect(body).toMatchObject({ deleted: [titleIds[0]], missing: [] })
    expect(Date.parse(body.restorable_until) - Date.now()).toBeGreaterThan(30 * DAY_MS - 10_000)
    await expectVisibility(viewer, false)
    expect((await admin.get('/api/movies?admin=true&limit=100')).body.results).toHaveLength(3)
    expect((await admin.get('/api/admin/titles/deleted')).body.results).toMatchObject([
      {
        id: titleIds[0],
        type: 'movie',
        restorable_until: body.restorable_until,
        kept_by_block_rule: false,
      },
    ])
    expect((await admin.get(`/api/admin/titles/${titleIds[0]}`)).body.restorable_until).toBe(
      body.restorable_until,
    )
    expect(
      (await admin.post('/api/admin/titles/publish', { ids: [titleIds[0]], published: true })).body.missing,
    ).toEqual([titleIds[0]])
    expect((await admin.put(`/api/admin/titles/${titleIds[0]}`, { published: true })).status).toBe(404)
    expect((await admin.patch(`/api/movies/${titleIds[0]}/publish`, { published: true })).status).toBe(404)
    await expectVisibility(viewer, false)
    expect((await admin.post(`/api/admin/titles/${titleIds[0]}/restore`)).body).toMatchObject({
      published: true,
      restorable_until: null,
    })
    await expectVisibility(viewer, true)
    expect((await admin.post(`/api/admin/titles/${titleIds[0]}/restore`)).status).toBe(404)
  })

  it('restores an unpublished title as unpublished', async () => {
    const { admin } = service
    await admin.post('/api/admin/titles/publish', { ids: [titleIds[1]], published: false })
    expect((await admin.delete(`/api/movies/${titleIds[1]}`)).status).toBe(204)
    expect((await admin.delete(`/api/movies/${titleIds[1]}`)).status).toBe(404)
    const { body } = await admin.post('/api/admin/titles/restore', { ids: [titleIds[1], titleIds[2]] })
    expect(body).toEqual({ restored: [titleIds[1]], missing: [titleIds[2]] })
    expect((await admin.get(`/api/admin/titles/${titleIds[1]}`)).body.published).toBe(false)
  })

  it('lists deleted titles in pages and finds them by their names', async () => {
    const { admin } = service
    const records = Array.from({ length: 3 }, (_, index) => createMovieRecord(80 + index))
    const ids = await addMovies(service, records)
    for (const id of ids) {
      await admin.post('/api/admin/titles/delete', { ids: [id] })
      service.server.advanceClock(10)
    }
    const loadBin = async (query: string) => (await admin.get(`/api/admin/titles/deleted?${query}`)).body
    const secondPage = await loadBin('search=LANTERN%208&limit=2&page=2')
    expect(secondPage).toMatchObject({ page: 2, total_results: 3, total_pages: 2, results: [{ id: ids[0] }] })
    expect((await loadBin('search=lantern%2081')).results).toMatchObject([{ id: ids[1] }])
    expect((await loadBin('search=absent')).results).toEqual([])
    await admin.post('/api/admin/titles/restore', { ids })
    await admin.post('/api/admin/titles/publish', { ids, published: false })
  })

  it('purges a deleted title only after the retention period of the bin', async () => {
    const { admin } = service
    await admin.post('/api/settings', { key: 'bin_days', value: 1 })
    await admin.post('/api/admin/titles/delete', { ids: [titleIds[3]] })
    await runMaintenance()
    expect((await admin.get(`/api/admin/titles/${titleIds[3]}`)).status).toBe(200)
    await endRetentionPeriod(titleIds[3])
    await runMaintenance()
    expect((await admin.get(`/api/admin/titles/${titleIds[3]}`)).status).toBe(404)
    expect((await admin.post(`/api/admin/titles/${titleIds[3]}/restore`)).status).toBe(404)
    expect((await admin.get('/api/jobs?kind=title_purge')).body.results[0]).toMatchObject({
      status: 'done',
      message: '1',
    })
  })

  it.each(['cancelled', 'failed'])(
    'a %s purge of titles is due again one hour after it ended',
    async (status) => {
      const { server, admin } = service
      await admin.post('/api/settings', { key: 'bin_days', value: 1 })
      const [titleId = ''] = await addMovies(service, [createMovieRecord(status === 'failed' ? 60 : 61)])
      await admin.post('/api/admin/titles/delete', { ids: [titleId] })
      await endRetentionPeriod(titleId)
      const job = { job_id: `${status}-purge`, kind: 'title_purge', status, input: '{}' }
      const endMs = server.deps.now()
      await insertJob(server.database.primary, { ...job, created_at: endMs, finished_at: endMs })
      expect(await isTitlePurgeDue(server.deps)).toBe(false)
      const timesOneHourAgo = { created_at: endMs - 3_600_000, finished_at: endMs - 3_600_000 }
      await server.database.primary
        .updateTable('job')
        .set(timesOneHourAgo)
        .where('job_id', '=', job.job_id)
        .execute()
      expect(await isTitlePurgeDue(server.deps)).toBe(true)
      await server.database.primary.deleteFrom('job').where('job_id', '=', job.job_id).execute()
      await runMaintenance()
    },
  )

  it('a deleted title on the block list stays in the bin until its block rule is deleted, so that an import cannot publish the title', async () => {
    const { admin, server } = service
    await admin.post('/api/settings', { key: 'bin_days', value: 1 })
    const record = createMovieRecord(62)
    const [titleId = ''] = await addMovies(service, [record])
    const { body: block } = await admin.post('/api/blocklist', { type: 'movie', media_id: titleId })
    await admin.post('/api/admin/titles/delete', { ids: [titleId] })
    await endRetentionPeriod(titleId)
    expect(await isTitlePurgeDue(server.deps)).toBe(false)
    const loadDeletedTitle = async () =>
      (await admin.get('/api/admin/titles/deleted')).body.results.find(
        ({ id }: { id: string }) => id === titleId,
      )
    expect(await loadDeletedTitle()).toMatchObject({ kept_by_block_rule: true })
    await runMaintenance()
    await importTitles(server.deps, [{ location: '1', record }], { source: 'test' })
    const { results } = (await viewer.get('/api/movies?limit=100')).body
    expect(results.map(({ title }: { title: string }) => title)).not.toContain('Lantern 62')
    expect((await admin.get('/api/blocklist')).body.results).toMatchObject([{ label: 'Lantern 62' }])
    await admin.delete(`/api/blocklist/${block.id}`)
    await runMaintenance()
    expect((await admin.get(`/api/admin/titles/${titleId}`)).status).toBe(404)
  })

  it('a profile whose only title rule hides a title is no longer restricted after this title is purged', async () => {
    const { admin } = service
    await admin.post('/api/settings', { key: 'bin_days', value: 1 })
    const [deniedTitleId = ''] = await addMovies(service, [createMovieRecord(40)])
    const { profile_id: teenId } = (await viewer.post('/api/profile', { name: 'Teen' })).body
    const isRestricted = async () =>
      (await viewer.get('/api/profile')).body.results.find(
        (profile: { profile_id: string }) => profile.profile_id === teenId,
      ).restricted
    await viewer.put(`/api/profile/${teenId}/title-rules/movie/${deniedTitleId}`, { rule: 'deny' })
    expect(await isRestricted()).toBe(true)
    await admin.post('/api/admin/titles/delete', { ids: [deniedTitleId] })
    await endRetentionPeriod(deniedTitleId)
    await runMaintenance()
    expect((await admin.get(`/api/admin/titles/${deniedTitleId}`)).status).toBe(404)
    expect(await isRestricted()).toBe(false)
  })

  it('applies an edit of safe_for_kids immediately, and an import does not change edited fields', async () => {
    const { admin, server } = service
    await expectVisibility(kid, true)
    const guide = [{ category: 'Violence & Gore', severity: 'Moderate', votes: 3 }]
    const { body } = await admin.put(`/api/admin/titles/${titleIds[0]}`, {
      safe_for_kids: false,
      parental_guide: guide,
    })
    expect(body).toMatchObject({
      safe_for_kids: false,
      parental_guide: guide,
      edited: ['safe_for_kids', 'parental_guide'],
    })
    await expectVisibility(kid, false)
    await expectVisibility(viewer, true)
    const readResults = [{ location: '1', record: { ...FIRST_MOVIE, rating: 8 } }]
    expect(await importTitles(server.deps, readResults, { source: 'test' })).toMatchObject({ changed: 1 })
    expect((await admin.get(`/api/admin/titles/${titleIds[0]}`)).body).toMatchObject({
      safe_for_kids: false,
      parental_guide: guide,
    })
    expect((await viewer.get(`/api/movies/${titleIds[0]}`)).body).toMatchObject({
      rating: 8,
      parental_guide: guide,
    })
    await expectVisibility(kid, false)
    await admin.put(`/api/admin/titles/${titleIds[0]}`, { safe_for_kids: true })
    await expectVisibility(kid, true)
    const duplicateGuide = [...guide, ...guide]
    expect(
      (await admin.put(`/api/admin/titles/${titleIds[0]}`, { parental_guide: duplicateGuide })).status,
    ).toBe(422)
  })

  it('hides a blocked title within two seconds and shows the title after the block rule is deleted', async () => {
    const { admin } = service
    for (const rule of [
      { type: 'movie', media_id: titleIds[0] },
      { type: 'keyword', value: 'lighthouse' },
    ]) {
      const { body } = await admin.post('/api/blocklist', rule)
      await expectVisibility(viewer, false)
      expect((await admin.get(`/api/admin/titles/${titleIds[0]}`)).body.blocked).toBe(true)
      expect((await admin.delete(`/api/blocklist/${body.id}`)).status).toBe(204)
      await expectVisibility(viewer, true)
    }
  })

  it('finds a title by each of its names, with or without article, accents and punctuation', async () => {
    const { admin } = service
    const [amelieId = ''] = await addMovies(service, [
      createMovieRecord(50, {
        original_title: 'Le Fabuleux Destin d’Amélie Poulain',
        names: [
          { lang: 'en', text: 'The Amélie', role: 'main' },
          { lang: 'fr', text: 'Le Fabuleux Destin d’Amélie Poulain', role: 'main' },
          { lang: 'ar', text: 'أميلي', role: 'main' },
        ],
      }),
    ])
    const [punctuationId = ''] = await addMovies(service, [
      createMovieRecord(51, { original_title: '?!', names: [] }),
    ])
    const listFoundIds = async (search: string) => {
      const query = `search=${encodeURIComponent(search)}`
      const { body } = await admin.get(`/api/movies?admin=true&${query}`)
      const listedIds = body.results.map(({ id }: { id: string }) => id)
      expect((await admin.get(`/api/admin/titles/matching?${query}`)).body).toEqual({
        ids: listedIds,
        total: listedIds.length,
      })
      return listedIds
    }
    for (const search of [
      'The Amélie',
      'amelie',
      'AMÉLIE',
      'Le Fabuleux Destin d’Amélie Poulain',
      'destin d',
      'le fabuleux destin damelie',
      'أميلي',
      'اميلي',
    ])
      expect([search, await listFoundIds(search)]).toEqual([search, [amelieId]])
    expect(await listFoundIds('?!')).toEqual([punctuationId])
    expect(await listFoundIds('les amelie')).toEqual([])
    await admin.post('/api/admin/titles/delete', { ids: [amelieId, punctuationId] })
    expect(await listFoundIds('amelie')).toEqual([])
  })

  it('finds and counts all titles with the same name, even if there are more than 500 of them or their ids are far apart', async () => {
    const { primary } = service.server.database
    const [originalId] = await addMovies(service, [
      createMovieRecord(60, { original_title: 'Regatta', names: [] }),
    ])
    const { title_id: _id, ...columns } = await primary
      .selectFrom('title')
      .selectAll()
      .where('title_id', '=', Number(originalId))
      .executeTakeFirstOrThrow()
    const insertCopies = async (firstId: number) => {
      const copyIds = Array.from({ length: 300 }, (_, index) => firstId + index * 40)
      const rows = copyIds.map((titleId) => ({
        ...columns,
        title_id: titleId,
        slug: `regatta-${titleId}`,
        imdb_id: null,
      }))
      await insertRows(primary, 'title', rows)
      return (await service.admin.get('/api/admin/titles/matching?search=regatta')).body
    }
    // The browse index applies up to 500 changes before a request. After more changes, it would reload in the
    // background, so the copies are inserted in two steps.
    expect((await insertCopies(10_000)).total).toBe(301)
    const { ids, total } = await insertCopies(40_000)
    expect([ids.length, total]).toEqual([601, 601])
    const lastPage = (await service.admin.get('/api/movies?admin=true&search=regatta&limit=100&page=7')).body
    expect([lastPage.total_results, lastPage.results.length]).toEqual([601, 1])
  })

  it('the block list shows a blocked title with its name in the language of the administrator, and a search of the block list finds the title by each of its names', async () => {
    const { admin } = service
    const [foreignId = ''] = await addMovies(service, [
      createMovieRecord(60, {
        original_title: '千と千尋の神隠し',
        names: [
          { lang: 'en', text: 'The Bath House', role: 'main' },
          { lang: 'fr', text: 'La Maison des Bains', role: 'main' },
        ],
      }),
    ])
    const { body: blockEntry } = await admin.post('/api/blocklist', { type: 'movie', media_id: foreignId })
    expect(blockEntry.label).toBe('The Bath House')
    for (const search of ['bath', 'maison des bains', '千尋'])
      expect((await admin.get(`/api/blocklist?search=${encodeURIComponent(search)}`)).body.results).toEqual([
        blockEntry,
      ])
    expect((await admin.get('/api/blocklist?search=nothing')).body.results).toEqual([])
    expect((await admin.delete(`/api/blocklist/${blockEntry.id}`)).status).toBe(204)
  })

  it('a blocked actor is hidden from pages, searches and casts, and the titles of the actor stay visible', async () => {
    const { admin } = service
    const { cast } = (await viewer.get(`/api/movies/${titleIds[0]}`)).body
    expect(cast).toMatchObject([{ slug: 'ada-lake' }])
    const rule = { type: 'actor', media_id: cast[0].actor_id }
    const { body: block } = await admin.post('/api/blocklist', rule)
    expect((await viewer.get('/api/actors/slug/ada-lake')).status).toBe(404)
    const countActors = async () => (await viewer.get('/api/search?q=ada%20lake')).body.counts.actor
    // The search index first applies hundreds of changes that earlier tests have made.
    await expect.poll(countActors, { timeout: 5_000 }).toBe(0)
    const details = await viewer.get(`/api/movies/${titleIds[0]}`)
    expect([details.status, details.body.cast]).toEqual([200, []])
    const { results } = (await viewer.get('/api/movies?limit=100')).body
    expect(results.map(({ id }: { id: string }) => id)).toContain(titleIds[0])
    expect((await admin.delete(`/api/blocklist/${block.id}`)).status).toBe(204)
    expect((await viewer.get('/api/actors/slug/ada-lake')).status).toBe(200)
  })
  it.each([
    ['', false],
    [', and again after the block, even if the index is rebuilt during the block', true],
  ])(
    'a search for the name of an actor finds the titles of the actor, except while the actor is blocked%s',
    async (_, shouldRebuildIndex) => {
      const { admin, server } = service
      const name = shouldRebuildIndex ? 'Odalys Brennigan' : 'Tiberio Vashenko'
      const [id = ''] = await addMovies(service, [
        createMovieRecord(shouldRebuildIndex ? 70 : 71, { cast: [{ person: { name } }] }),
      ])
      const { cast } = (await viewer.get(`/api/movies/${id}`)).body
      const expectCounts = (expectedCounts: { actor: number; movie: number }) =>
        expect
          .poll(async () => (await viewer.get(`/api/search?q=${encodeURIComponent(name)}`)).body.counts, {
            timeout: 5_000,
          })
          .toMatchObject(expectedCounts)
      await expectCounts({ actor: 1, movie: 1 })
      const { body: block } = await admin.post('/api/blocklist', {
        type: 'actor',
        media_id: cast[0].actor_id,
      })
      await expectCounts({ actor: 0, movie: 0 })
      if (shouldRebuildIndex) await server.deps.searchIndex.rebuild()
      await admin.delete(`/api/blocklist/${block.id}`)
      await expectCounts({ actor: 1, movie: 1 })
    },
  )
})
