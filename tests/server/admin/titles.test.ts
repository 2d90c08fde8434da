/** Publishing, deleting with a way back, editing: each shows in every read at once, on both databases. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importTitles } from '../../../server/importers/import-titles.ts'
import { findJobWorker } from '../../../server/services/jobs/job-queue.ts'
import { startDueJobs } from '../../../server/services/operations/maintenance.ts'
import { Device } from '../../support/client.ts'
import { addAccount, DATABASES } from '../../support/server.ts'
import { addMovies, movie, type Service, startService } from './service.ts'

const SOON_MS = 2_000
const NIGHT = movie(1, {
  keywords: ['lighthouse'],
  cast: [{ person: { name: 'Ada Lake' }, character: 'Keeper' }],
})

describe.each(DATABASES)('on %s', (_name, open) => {
  let service: Service
  let viewer: Device
  let kid: Device
  let ids: string[]
  let profile = ''
  beforeAll(async () => {
    service = await startService({ database: await open() })
    ids = await addMovies(service, [NIGHT, movie(2), movie(3), movie(4)])
    await addAccount(service.server, 'viewer@example.com')
    viewer = new Device(service.server)
    await viewer.login('viewer@example.com')
    profile = (await viewer.post('/api/profile', { name: 'Main' })).body.profile_id
    const kidId = (await viewer.post('/api/profile', { name: 'Kid', kids: true })).body.profile_id
    viewer.profileId = profile
    kid = new Device(service.server)
    await kid.login('viewer@example.com')
    kid.profileId = kidId
    const id = ids[0]
    await viewer.put(`/api/profile/${profile}/watchlist/movie/${id}/toggle`)
    const report = { type: 'movie', media_id: id, progress: 600, data: { video_duration: 3_600 } }
    await viewer.post(`/api/profile/${profile}/history`, report)
  }, 60_000)
  afterAll(() => service.stop())

  /** Every place where the first movie shows. */
  async function places(who: Device): Promise<Record<string, boolean>> {
    const id = ids[0]
    const has = ({ body }: { body: { results?: { id?: string; media?: { id: string } }[] } }) =>
      (body.results ?? []).some((one) => (one.media?.id ?? one.id) === id)
    return {
      list: has(await who.get('/api/movies?limit=100')),
      featured: has(await who.get('/api/movies/featured')),
      details: (await who.get(`/api/movies/${id}`)).status === 200,
      slug: (await who.get('/api/movies/slug/lantern-1')).status === 200,
      search: has(await who.get('/api/search?q=Lantern%201')),
      actor: (await who.get('/api/actors/slug/ada-lake')).status === 200,
      ...(who === viewer && {
        watchlist: has(await who.get(`/api/profile/${profile}/watchlist`)),
        continuing: has(await who.get(`/api/profile/${profile}/continue-watching`)),
      }),
    }
  }
  async function soon(who: Device, there: boolean): Promise<void> {
    const began = performance.now()
    for (;;) {
      const found = await places(who)
      const wrong = Object.entries(found).filter(([, shown]) => shown !== there)
      if (wrong.length === 0) return
      if (performance.now() - began > SOON_MS) expect(wrong).toEqual([])
    }
  }

  it('hides and shows a title everywhere within two seconds', async () => {
    await soon(viewer, true)
    const { admin } = service
    const hidden = await admin.post('/api/admin/titles/publish', {
      ids: [ids[0], 'x', '999999'],
      published: false,
    })
    expect(hidden.body).toEqual({ changed: [ids[0]], missing: ['x', '999999'] })
    await soon(viewer, false)
    expect((await admin.get(`/api/admin/titles/${ids[0]}`)).body).toMatchObject({
      published: false,
      title: 'Lantern 1',
    })
    await admin.post('/api/admin/titles/publish', { ids, published: true })
    await soon(viewer, true)
    expect((await admin.patch(`/api/movies/${ids[0]}/publish`, { published: false })).status).toBe(200)
    await soon(viewer, false)
    await admin.put(`/api/admin/titles/${ids[0]}`, { published: true })
    await soon(viewer, true)
    expect((await admin.patch(`/api/series/${ids[0]}/publish`, { published: false })).status).toBe(404)
  })

  it('takes a title back as it was, list, progress and all', async () => {
    const { admin } = service
    const { body } = await admin.post('/api/admin/titles/delete', { ids: [ids[0]] })
    expect(body).toMatchObject({ deleted: [ids[0]], missing: [] })
    expect(Date.parse(body.restorable_until) - Date.now()).toBeGreaterThan(590_000)
    await soon(viewer, false)
    expect((await admin.get('/api/movies?admin=true&limit=100')).body.results).toHaveLength(3)
    expect((await admin.get(`/api/admin/titles/${ids[0]}`)).body.restorable_until).toBe(body.restorable_until)
    expect(
      (await admin.post('/api/admin/titles/publish', { ids: [ids[0]], published: true })).body.missing,
    ).toEqual([ids[0]])
    expect((await admin.put(`/api/admin/titles/${ids[0]}`, { published: true })).status).toBe(404)
    expect((await admin.patch(`/api/movies/${ids[0]}/publish`, { published: true })).status).toBe(404)
    await soon(viewer, false)
    expect((await admin.post(`/api/admin/titles/${ids[0]}/restore`)).body).toMatchObject({
      published: true,
      restorable_until: null,
    })
    await soon(viewer, true)
    expect((await admin.post(`/api/admin/titles/${ids[0]}/restore`)).status).toBe(404)
  })

  it('brings an unpublished title back unpublished', async () => {
    const { admin } = service
    await admin.post('/api/admin/titles/publish', { ids: [ids[1]], published: false })
    expect((await admin.delete(`/api/movies/${ids[1]}`)).status).toBe(204)
    expect((await admin.delete(`/api/movies/${ids[1]}`)).status).toBe(404)
    const { body } = await admin.post('/api/admin/titles/restore', { ids: [ids[1], ids[2]] })
    expect(body).toEqual({ restored: [ids[1]], missing: [ids[2]] })
    expect((await admin.get(`/api/admin/titles/${ids[1]}`)).body.published).toBe(false)
  })

  it('deletes for good once the time to undo is over, and not before', async () => {
    const { admin, server } = service
    await admin.post('/api/settings', { key: 'undo_seconds', value: 30 })
    await admin.post('/api/admin/titles/delete', { ids: [ids[3]] })
    const due = async () => {
      await startDueJobs(server.deps)
      await findJobWorker(server.deps)?.tick()
      await service.idle()
    }
    await due()
    expect((await admin.get(`/api/admin/titles/${ids[3]}`)).status).toBe(200)
    server.advance(31_000)
    await due()
    expect((await admin.get(`/api/admin/titles/${ids[3]}`)).status).toBe(404)
    expect((await admin.post(`/api/admin/titles/${ids[3]}/restore`)).status).toBe(404)
    expect((await admin.get('/api/jobs?kind=title_purge')).body.results[0]).toMatchObject({
      status: 'done',
      message: '1',
    })
  })

  it('shows a kids profile at once what was marked as safe, and imports leave the mark alone', async () => {
    const { admin, server } = service
    await soon(kid, true)
    const guide = [{ category: 'Violence & Gore', severity: 'Moderate', votes: 3 }]
    const { body } = await admin.put(`/api/admin/titles/${ids[0]}`, {
      safe_for_kids: false,
      parental_guide: guide,
    })
    expect(body).toMatchObject({
      safe_for_kids: false,
      parental_guide: guide,
      edited: ['safe_for_kids', 'parental_guide'],
    })
    await soon(kid, false)
    await soon(viewer, true)
    const reads = [{ at: '1', record: { ...NIGHT, rating: 8 } }]
    expect(await importTitles(server.deps, reads, { source: 'test' })).toMatchObject({ changed: 1 })
    expect((await admin.get(`/api/admin/titles/${ids[0]}`)).body).toMatchObject({
      safe_for_kids: false,
      parental_guide: guide,
    })
    expect((await viewer.get(`/api/movies/${ids[0]}`)).body).toMatchObject({
      rating: 8,
      parental_guide: guide,
    })
    await soon(kid, false)
    await admin.put(`/api/admin/titles/${ids[0]}`, { safe_for_kids: true })
    await soon(kid, true)
    const twice = [...guide, ...guide]
    expect((await admin.put(`/api/admin/titles/${ids[0]}`, { parental_guide: twice })).status).toBe(422)
  })

  it('hides what the block list hits within two seconds, and shows it again', async () => {
    const { admin } = service
    for (const rule of [
      { type: 'movie', media_id: ids[0] },
      { type: 'keyword', value: 'lighthouse' },
    ]) {
      const { body } = await admin.post('/api/blocklist', rule)
      await soon(viewer, false)
      expect((await admin.get(`/api/admin/titles/${ids[0]}`)).body.blocked).toBe(true)
      expect((await admin.delete(`/api/blocklist/${body.id}`)).status).toBe(204)
      await soon(viewer, true)
    }
  })
})
