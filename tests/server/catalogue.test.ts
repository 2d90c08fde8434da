/** The catalogue on both databases: lists, details, kids safety, My List and progress, from the demo's own importer. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedDemoCatalogue } from '../../server/first-run.ts'
import { Device } from '../support/client.ts'
import { addAccount, DATABASES, startServer, type TestServer } from '../support/server.ts'

describe.each(DATABASES)('on %s', (_name, open) => {
  let server: TestServer
  let adult: Device
  let kid: Device
  let adultId = ''
  let kidId = ''
  beforeAll(async () => {
    server = await startServer({ database: await open(), env: { DEMO: '1' } })
    await seedDemoCatalogue(server.deps)
    await addAccount(server, 'alice@example.com', 'admin')
    adult = new Device(server)
    await adult.login('alice@example.com')
    adultId = (await adult.post('/api/profile', { name: 'Alice' })).body.profile_id
    kidId = (await adult.post('/api/profile', { name: 'Kid', kids: true })).body.profile_id
    adult.profileId = adultId
    kid = new Device(server)
    await kid.login('alice@example.com')
    kid.profileId = kidId
  }, 120_000)
  afterAll(() => server.close())

  it('changes nothing when the same catalogue is imported again', async () => {
    const report = await seedDemoCatalogue(server.deps)
    expect(report).toMatchObject({ added: 0, changed: 0, skipped: 0 })
    expect(report.same).toBeGreaterThan(200)
  })

  it('pages, sorts and filters', async () => {
    const first = (await adult.get('/api/movies?limit=5&sort=rating.desc')).body
    const second = (await adult.get('/api/movies?limit=5&sort=rating.desc&page=2')).body
    expect(first.results).toHaveLength(5)
    expect(first.total_pages).toBe(Math.ceil(first.total_results / 5))
    expect(first.results.map((one: { id: string }) => one.id)).not.toEqual(
      second.results.map((one: { id: string }) => one.id),
    )
    const horror = (await adult.get('/api/movies?include-genres=27&exclude-genres=878&limit=100')).body
      .results
    expect(horror.length).toBeGreaterThan(0)
    for (const one of horror) {
      expect(one.genres).toContain(27)
      expect(one.genres).not.toContain(878)
    }
    const dated = (await adult.get('/api/movies?sort=release_date.desc&limit=100')).body.results.map(
      (one: { release_date: string }) => one.release_date,
    )
    expect(dated).toEqual([...dated].sort().reverse())
    expect(
      (await adult.get('/api/series?network=hbo&limit=100')).body.results.every(
        (one: { networks: string[] }) => one.networks.includes('hbo'),
      ),
    ).toBe(true)
    expect((await adult.get('/api/movies?sort=password_hash.asc')).status).toBe(422)
    expect((await adult.get('/api/movies?limit=101')).status).toBe(422)
    expect((await adult.get('/api/movies?start-release-date=2023-02-29')).status).toBe(422)
    expect((await adult.get('/api/movies?paginate=false')).body.total_results).toBeNull()
  })

  it('shows a title whole, by slug and by id', async () => {
    const movie = (await adult.get('/api/movies/slug/inception')).body
    expect(movie).toMatchObject({
      title: 'Inception',
      imdb_id: 'tt1375666',
      year: 2010,
      runtime: 148 * 60,
      rated: '13+',
    })
    expect(movie.cast[0]).toMatchObject({ name: 'Leonardo DiCaprio', character: 'Cobb' })
    expect(movie.parental_guide).toHaveLength(5)
    expect((await adult.get(`/api/movies/${movie.id}`)).body).toEqual(movie)
    expect((await adult.get(`/api/series/${movie.id}`)).status).toBe(404)
    const actor = (await adult.get(`/api/actors/${movie.cast[0].actor_id}`)).body
    expect(actor.movies.map((one: { slug: string }) => one.slug)).toContain('titanic')
    const show = (await adult.get('/api/series/slug/chernobyl')).body
    const episodes = (await adult.get(`/api/seasons/${show.seasons[0].id}/episodes`)).body.results
    expect(episodes).toHaveLength(5)
    expect(episodes[4]).toMatchObject({ episode_number: 5, air_date: '2019-06-03', released: true })
  })

  it('gives a kids profile only safe titles, and all of them, whatever it asks for', async () => {
    for (const [list, type] of [
      ['movies', 'movie'],
      ['series', 'tv'],
    ] as const) {
      const safe = await server.database.primary
        .selectFrom('title')
        .select('title_id')
        .where('type', '=', type)
        .where('safe_for_kids', '=', 1)
        .execute()
      const answer = (await kid.get(`/api/${list}?kids=false&limit=100`)).body
      expect(answer.total_results).toBe(safe.length)
      expect(answer.results.every((one: { safe_for_kids: boolean }) => one.safe_for_kids)).toBe(true)
    }
    const unsafe = (await adult.get('/api/movies/slug/pulp-fiction')).body
    const absent = await kid.get('/api/movies/slug/nothing-of-the-kind')
    for (const path of [
      '/api/movies/slug/pulp-fiction',
      `/api/movies/${unsafe.id}`,
      `/api/recommend/similar/${unsafe.id}`,
      `/api/profile/${kidId}/watchlist/movie/${unsafe.id}`,
      '/proxy/torrent-streamer/stream/movie/tt0110912',
    ]) {
      const answer = await kid.get(path)
      expect([answer.status, answer.body]).toEqual([404, absent.body])
    }
    for (const path of [
      '/api/search?q=pulp',
      `/api/profile/${kidId}/recommend?limit=100`,
      '/api/movies/featured?limit=100',
    ]) {
      expect(JSON.stringify((await kid.get(path)).body)).not.toMatch(/"safe_for_kids":false/)
    }
    expect((await kid.get('/api/movies?admin=true')).status).toBe(403)
  })

  it('hides what is unpublished or blocked from everybody at once', async () => {
    const { id } = (await adult.get('/api/movies/slug/fargo')).body
    expect((await adult.patch(`/api/movies/${id}/publish`, { published: false })).body).toEqual({
      id,
      published: false,
    })
    expect((await adult.get('/api/movies/slug/fargo')).status).toBe(404)
    await adult.patch(`/api/movies/${id}/publish`, { published: true })
    const block = await adult.post('/api/blocklist', { type: 'movie', media_id: id })
    expect(block.status).toBe(201)
    expect((await adult.get(`/api/movies/${id}`)).status).toBe(404)
    expect((await adult.post('/api/blocklist', { type: 'movie', media_id: id })).status).toBe(409)
    expect((await adult.delete(`/api/blocklist/${block.body.id}`)).status).toBe(204)
    expect((await adult.get(`/api/movies/${id}`)).status).toBe(200)
  })

  it('keeps a list, states, likes and progress per profile', async () => {
    const { id } = (await adult.get('/api/movies/slug/arrival')).body
    const entry = `/api/profile/${adultId}/watchlist/movie/${id}`
    expect((await adult.get(entry)).body).toMatchObject({ in_watchlist: false, state: null })
    expect((await adult.put(`${entry}/toggle`, { in_watchlist: true })).body).toMatchObject({
      in_watchlist: true,
      state: 'planned',
    })
    expect((await adult.put(`${entry}/toggle`, { in_watchlist: true })).body.in_watchlist).toBe(true)
    expect((await adult.put(`${entry}/state/completed`)).body.state).toBe('completed')
    expect((await adult.put(`${entry}/state/paused`)).status).toBe(422)
    expect(
      (await adult.get(`/api/profile/${adultId}/watchlist?state=completed`)).body.results[0].media.slug,
    ).toBe('arrival')
    expect(
      (await adult.put(`/api/profile/${adultId}/feedback/movie/${id}`, { feedback: 'like' })).body,
    ).toEqual({ feedback: 'liked' })
    const report = (progress: number, at: string) =>
      adult.post(`/api/profile/${adultId}/history`, {
        type: 'movie',
        media_id: id,
        progress,
        data: { video_duration: 6960 },
        at,
      })
    expect((await report(600, '2026-01-01T10:10:00Z')).body).toMatchObject({ progress: 600, finished: false })
    expect((await report(300, '2026-01-01T10:05:00Z')).body.progress).toBe(600)
    expect((await report(6500, '2026-01-01T12:00:00Z')).body.finished).toBe(true)
    expect((await adult.delete(`/api/profile/${adultId}/history/movie/${id}`)).status).toBe(204)
    expect((await adult.get(`/api/profile/${adultId}/history/movie/${id}`)).body).toEqual({
      latest: null,
      episodes: [],
    })
  })

  it('continues a series with the next episode, over a season’s end', async () => {
    const show = (await adult.get('/api/series/slug/fleabag')).body
    const post = (season: number, episode: number) =>
      adult.post(`/api/profile/${adultId}/history`, {
        type: 'tv',
        media_id: show.id,
        season,
        episode,
        progress: 1600,
        data: { video_duration: 1620 },
      })
    await post(1, 6)
    const cards = (await adult.get(`/api/profile/${adultId}/continue-watching`)).body.results
    expect(cards[0]).toMatchObject({
      media: { slug: 'fleabag' },
      next_episode: { season_number: 2, episode_number: 1 },
    })
    expect((await post(7, 1)).status).toBe(422)
  })

  it('finds by any stored name', async () => {
    for (const [q, slug] of [
      ['incep', 'inception'],
      ['استهلال', 'inception'],
      ['AMELIE', 'amelie'],
      ['千と千尋', 'spirited-away'],
    ]) {
      const found = (await adult.get(`/api/search?q=${encodeURIComponent(q ?? '')}`)).body
      expect(found.results[0].media.slug).toBe(slug)
    }
    for (const q of ['"', '*', 'NEAR(', '%', "O'Neil", '😀'.repeat(90), '\u202eabc']) {
      expect((await adult.get(`/api/search?q=${encodeURIComponent(q)}`)).status).toBe(200)
    }
  })
})
