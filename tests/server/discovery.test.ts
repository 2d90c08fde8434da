import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedDemoCatalogue } from '../../server/first-run.ts'
import { Device } from '../support/client.ts'
import { addAccount, DATABASES, startServer, type TestServer } from '../support/server.ts'

describe.each(DATABASES)('finding on %s', (_, open) => {
  let server: TestServer
  let admin: Device
  let viewer: Device
  let main = ''
  let kid = ''

  beforeAll(async () => {
    server = await startServer({ database: await open() })
    await seedDemoCatalogue(server.deps)
    await server.deps.recommender.refresh()
    await addAccount(server, 'ada@example.org', 'admin')
    admin = new Device(server)
    await admin.login('ada@example.org')
    main = await profile(admin, 'Ada', false)
    kid = await profile(admin, 'Kit', true)
    viewer = new Device(server)
    await viewer.login('ada@example.org')
    admin.profileId = main
    viewer.profileId = main
  }, 120_000)
  afterAll(() => server.close())

  const profile = async (by: Device, name: string, kids: boolean): Promise<string> =>
    (await by.post('/api/profile', { name, kids, avatar: 1, preferences: { language: 'en' } })).body
      .profile_id
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as a stranger would
  const found = async (q: string, more = ''): Promise<any> =>
    (await viewer.get(`/api/search?q=${encodeURIComponent(q)}${more}`)).body
  const slugs = async (q: string, more = ''): Promise<string[]> =>
    // biome-ignore lint/suspicious/noExplicitAny: as above
    (await found(q, more)).results.map((hit: any) => hit.media?.slug ?? hit.actor.slug)
  const idOf = async (slug: string, type = 'movies'): Promise<string> =>
    (await viewer.get(`/api/${type}/slug/${slug}`)).body.id
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const picks = async (more = '', who = main): Promise<any[]> =>
    (await viewer.get(`/api/profile/${who}/recommend?${more.includes('limit=') ? '' : 'limit=40'}${more}`))
      .body.results

  it('forgives a wrong letter, joins words, reads other alphabets', async () => {
    expect((await slugs('inceptoin'))[0]).toBe('inception')
    expect((await slugs('inseption'))[0]).toBe('inception')
    expect((await slugs('انسبشن'))[0]).toBe('inception')
    expect((await slugs('toystory'))[0]).toBe('toy-story')
    expect(await slugs('%')).toEqual([])
  })

  it('learns of every change at once: published, blocked, safe for kids, deleted', async () => {
    const id = await idOf('inception')
    await admin.patch(`/api/movies/${id}/publish`, { published: false })
    expect(await slugs('inception', '&type=movie')).not.toContain('inception')
    await admin.patch(`/api/movies/${id}/publish`, { published: true })
    expect((await slugs('inception'))[0]).toBe('inception')

    const before = (await viewer.get('/api/movies?limit=1')).body.total_results
    const block = await admin.post('/api/blocklist', { type: 'movie', media_id: id })
    expect(block.status).toBe(201)
    expect(await slugs('inception', '&type=movie')).not.toContain('inception')
    expect((await viewer.get('/api/movies?limit=1')).body.total_results).toBe(before - 1)
    expect((await viewer.get('/api/movies?search=inception')).body.results).not.toContainEqual(
      expect.objectContaining({ slug: 'inception' }),
    )
    await admin.delete(`/api/blocklist/${block.body.id}`)
    expect((await viewer.get('/api/movies?limit=1')).body.total_results).toBe(before)
    expect((await viewer.get('/api/movies?search=incepti')).body.results[0].slug).toBe('inception')

    expect((await admin.delete(`/api/movies/${id}`)).status).toBe(204)
    expect(await slugs('inception', '&type=movie')).not.toContain('inception')
    expect((await viewer.get('/api/movies?limit=1')).body.total_results).toBe(before - 1)
    expect((await admin.post(`/api/admin/titles/${id}/restore`)).status).toBeLessThan(300)
    expect((await slugs('inception'))[0]).toBe('inception')
    expect((await viewer.get('/api/movies?limit=1')).body.total_results).toBe(before)
  })

  it('knows an actor while something that one may see has them', async () => {
    const counts = async () => (await found('leonardo dicaprio')).counts.actor
    expect(await counts()).toBeGreaterThan(0)
    expect((await found('leonardo dicaprio', '&kids=true')).counts.actor).toBe(0)
  })

  it('picks by what was liked, says why, and forgets a signal that is switched off', async () => {
    const liked = await idOf('toy-story')
    await viewer.put(`/api/profile/${main}/feedback/movie/${liked}`, { feedback: 'like' })
    const first = await picks()
    expect(first.map((one) => one.id)).not.toContain(liked)
    const because = first.filter((one) =>
      // biome-ignore lint/suspicious/noExplicitAny: as above
      one.reasons.some((reason: any) => reason.signal === `liked:${liked}` && reason.title === 'Toy Story'),
    )
    expect(because.length).toBeGreaterThan(5)
    const off = await viewer.put(`/api/profile/${main}/recommend/signals/liked:${liked}`, { off: true })
    expect(off.status).toBe(204)
    const without = await picks()
    expect(JSON.stringify(without)).not.toContain(`liked:${liked}`)
    expect(without.map((one) => one.id)).not.toEqual(first.map((one) => one.id))
    const listed = (await viewer.get(`/api/profile/${main}/recommend/signals`)).body.results
    expect(listed).toContainEqual({
      signal: `liked:${liked}`,
      kind: 'liked',
      off: true,
      media_id: liked,
      title: 'Toy Story',
    })
    await viewer.put(`/api/profile/${main}/recommend/signals/liked:${liked}`, { off: false })
    expect(await picks()).toEqual(first)
    /* Seen to its end, and marked so in My List: one signal. */
    const seen = await idOf('heat')
    const watched = { type: 'movie', media_id: seen, progress: 100, data: { video_duration: 100 } }
    expect((await viewer.post(`/api/profile/${main}/history`, watched)).status).toBeLessThan(300)
    await viewer.put(`/api/profile/${main}/watchlist/movie/${seen}`, {
      in_watchlist: true,
      state: 'completed',
    })
    const all = (await viewer.get(`/api/profile/${main}/recommend/signals`)).body.results
    expect(all.filter((one: { media_id?: string }) => one.media_id === seen)).toMatchObject([
      { signal: `completed:${seen}` },
    ])
    expect((await viewer.put(`/api/profile/${main}/recommend/signals/x`, { off: true })).status).toBe(422)
  })

  it('never offers what was disliked or finished; what was rated only when asked for', async () => {
    const [one, two, three] = (await picks()).map((pick) => pick)
    await viewer.put(`/api/profile/${main}/feedback/${one.type}/${one.id}`, { feedback: 'dislike' })
    await viewer.put(`/api/profile/${main}/watchlist/${two.type}/${two.id}/state/completed`)
    await viewer.put(`/api/profile/${main}/feedback/${three.type}/${three.id}`, { feedback: 'like' })
    const ids = async (more = '') => (await picks(`&limit=100${more}`)).map((pick) => pick.id)
    expect(await ids()).not.toContain(one.id)
    expect(await ids()).not.toContain(two.id)
    expect(await ids()).not.toContain(three.id)
    const rated = await ids('&include-rated=true')
    expect(rated).toContain(three.id)
    expect(rated).not.toContain(one.id)
    const near = (await viewer.get(`/api/recommend/similar/${three.id}?limit=50`)).body.results
    // biome-ignore lint/suspicious/noExplicitAny: as above
    expect(near.map((pick: any) => pick.id)).not.toContain(one.id)
    expect(near.length).toBeGreaterThan(10)
  })

  it('holds to filters, and to what is safe for kids', async () => {
    for (const pick of await picks('&type=tv&rating=8&genres-included=18&genres-excluded=35')) {
      expect(pick).toMatchObject({ type: 'tv' })
      expect(pick.rating).toBeGreaterThanOrEqual(8)
      expect(pick.genres).toContain(18)
      expect(pick.genres).not.toContain(35)
    }
    viewer.profileId = kid
    const safe = [
      ...(await picks('', kid)),
      ...(await viewer.get(`/api/profile/${kid}/recommend/top-genres`)).body.results.flatMap(
        // biome-ignore lint/suspicious/noExplicitAny: as above
        (row: any) => row.results,
      ),
      ...(await viewer.get(`/api/recommend/similar/${await idOf('toy-story')}`)).body.results,
    ]
    viewer.profileId = main
    expect(safe.length).toBeGreaterThan(60)
    expect(safe.every((one) => one.safe_for_kids)).toBe(true)
  })

  it('answers rows of favourite genres, no title twice', async () => {
    const rows = (await viewer.get(`/api/profile/${main}/recommend/top-genres`)).body.results
    expect(rows.length).toBe(5)
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const ids = rows.flatMap((row: any) => row.results.map((one: any) => one.id))
    expect(new Set(ids).size).toBe(ids.length)
    for (const row of rows) for (const one of row.results) expect(one.genres).toContain(row.genre.id)
  })
})
