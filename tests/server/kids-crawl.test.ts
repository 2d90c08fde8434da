/**
 * A kids profile asks for everything that the contract can be asked, in a catalogue half of which carries a marker in every
 * text: no answer holds it, and every safe title can be reached. The profile was no kids profile when it watched the rest.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { importTitles } from '../../server/importers/import-titles.ts'
import type { PersonRecord, TitleRecord } from '../../server/queries/title-record.ts'
import { GUIDE_CATEGORIES } from '../../src/lib/rules/limits.ts'
import { Device, pathOf } from '../support/client.ts'
import { CONTRACT, nameOf, sampleBody } from '../support/contract.ts'
import { addAccount, startServer, type TestServer } from '../support/server.ts'

const MARK = 'zzgrim'
const EACH = 30
const today = () => new Date().toISOString().slice(0, 10)

let server: TestServer
let kid: Device
let kidId = ''
const safe = { ids: new Set<string>(), slugs: new Set<string>() }
const unsafe: { type: 'movie' | 'tv'; id: string; slug: string; imdb: string }[] = []
const ids = { seasons: [] as string[], actors: [] as string[], actorSlugs: [] as string[] }

function record(number: number, type: 'movie' | 'tv', kids: boolean): TitleRecord {
  const mark = kids ? '' : `${MARK} `
  const title = `${mark}Lantern ${number} ${type}`
  const person = (name: string): PersonRecord => ({ name, biography: `${mark}life` })
  return {
    type,
    imdb_id: `tt${9_000_000 + number + (type === 'tv' ? 1_000 : 0)}`,
    original_title: title,
    language: 'en',
    names: [
      { lang: 'en', text: title, role: 'main' },
      { lang: 'ar', text: `${mark}فانوس ${number}`, role: 'main' },
      { lang: 'fr', text: `${mark}Lanterne ${number}`, role: 'aka' },
    ],
    release_date: today(),
    genres: kids ? [16, 10751] : [27, 16, 10751],
    rated: kids ? 'All' : '18+',
    rating: 8,
    rating_votes: 5_000 + number,
    safe_for_kids: kids,
    high_quality: true,
    networks: type === 'tv' ? ['netflix'] : [],
    texts: [{ lang: 'en', overview: `${mark}A lantern is lit.`, tagline: `${mark}Light.` }],
    keywords: [`${mark}lantern`],
    // Everybody knows Common; the others are seen in one kind of title alone.
    cast: [
      { person: { name: 'Common Player' }, character: `${mark}Keeper` },
      { person: person(kids ? `Kind ${number % 5}` : `${MARK} Actor ${number % 5}`) },
    ],
    crew: [{ person: person(kids ? 'Kind Maker' : `${MARK} Maker`), job: 'Director' }],
    parental_guide: GUIDE_CATEGORIES.map((category) => ({
      category,
      severity: kids ? ('None' as const) : ('Severe' as const),
      votes: 3,
    })),
    seasons:
      type === 'tv'
        ? [
            {
              season_number: 1,
              name: `${mark}One`,
              air_date: today(),
              episodes: [1, 2].map((n) => ({
                episode_number: n,
                name: `${mark}Night ${n}`,
                overview: `${mark}Dark.`,
                air_date: today(),
              })),
            },
          ]
        : [],
  }
}

beforeAll(async () => {
  server = await startServer({ env: { DEMO: '1' } })
  const records = Array.from({ length: EACH }, (_, at) => at + 1).flatMap((number) =>
    (['movie', 'tv'] as const).map((type) => record(number * 2 + (number % 2), type, number % 2 === 0)),
  )
  const report = await importTitles(
    server.deps,
    records.map((one, at) => ({ at: String(at), record: one })),
    { source: 'test' },
  )
  expect(report).toMatchObject({ added: EACH * 2, skipped: 0 })
  await addAccount(server, 'ada@example.org')
  kid = new Device(server)
  await kid.login('ada@example.org')
  kid.profileId = (await kid.post('/api/profile', { name: 'Ada', avatar: 1 })).body.profile_id
  kidId = (await kid.post('/api/profile', { name: 'Kit', avatar: 2 })).body.profile_id
  kid.profileId = kidId
  for (const type of ['movies', 'series'] as const) {
    for (const one of (await kid.get(`/api/${type}?limit=100`)).body.results) {
      if (one.safe_for_kids) {
        safe.ids.add(one.id)
        safe.slugs.add(one.slug)
      } else unsafe.push({ type: one.type, id: one.id, slug: one.slug, imdb: '' })
      const details = (await kid.get(`/api/${type}/slug/${one.slug}`)).body
      for (const season of details.seasons ?? []) ids.seasons.push(season.id)
      for (const actor of details.cast) {
        ids.actors.push(actor.actor_id)
        ids.actorSlugs.push(actor.slug)
      }
      const mine = unsafe.find((other) => other.id === one.id)
      if (mine) mine.imdb = details.imdb_id
    }
  }
  for (const { type, id } of unsafe) {
    await kid.put(`/api/profile/${kidId}/watchlist/${type}/${id}/state/watching`)
    await kid.put(`/api/profile/${kidId}/feedback/${type}/${id}`, { feedback: 'like' })
    const place = type === 'tv' ? { season: 1, episode: 1 } : {}
    await kid.post(`/api/profile/${kidId}/history`, {
      type,
      media_id: id,
      ...place,
      progress: 300,
      data: { video_duration: 600 },
    })
  }
  await kid.get(`/api/profile/${kidId}/notifications/movies`)
  await kid.get(`/api/profile/${kidId}/notifications/episodes`)
  await server.deps.recommender.refresh(true)
  expect((await kid.put(`/api/profile/${kidId}`, { kids: true })).status).toBe(200)
}, 120_000)
afterAll(() => server.close())

/** Every way to fill in a call's parameters that could lead to something unsafe. */
function addresses(path: string): string[] {
  const titles = unsafe.slice(0, 8)
  const fill = (sets: Record<string, string>[]) =>
    sets.map((set) => path.replace(/\{(\w+)\}/g, (_, name: string) => set[name] ?? kidId))
  if (path.startsWith('/profile')) {
    return fill(
      titles.map(({ type, id }) => ({ type, mediaId: id, state: 'watching', signal: `liked:${id}` })),
    )
  }
  if (path.startsWith('/seasons')) return fill(ids.seasons.map((id) => ({ id })))
  if (path.startsWith('/actors'))
    return fill([
      ...ids.actors.map((id) => ({ id, slug: 'x' })),
      ...ids.actorSlugs.map((slug) => ({ id: '1', slug })),
    ])
  return fill(
    titles.map(({ id, slug, imdb }) => ({ id, slug, imdbId: imdb, season: '1', episode: '1', key: 'x' })),
  )
}
const QUERIES = [
  '',
  'kids=false',
  'limit=100',
  `search=${MARK}`,
  'sort=rating.desc&limit=100',
  'published=true',
  'admin=true',
  'include-rated=true&limit=100',
  'genres-included=27',
  'include-genres=27',
  'rated=18%2B',
  'sort=title.asc&limit=100&page=2',
]

const READS = CONTRACT.filter(
  (one) => one.method === 'GET' && one.path !== '/events' && one.access !== 'admin',
)
it.each(READS.map((one) => [nameOf(one), one] as const))('%s holds nothing unsafe', async (_, endpoint) => {
  const searched =
    endpoint.path === '/search'
      ? [`q=${MARK}`, 'q=lantern&limit=100', 'q=common', 'q=فانوس', 'q=18']
      : QUERIES
  for (const address of new Set(addresses(endpoint.path))) {
    for (const query of searched) {
      const answer = await kid.get(`${endpoint.base}${address}${query ? `?${query}` : ''}`)
      const { query: echoed, ...body } = answer.body ?? {}
      expect([address, query, JSON.stringify(body).includes(MARK)]).toEqual([address, query, false])
      expect(answer.status).toBeLessThan(500)
      void echoed
    }
  }
})

const WRITES = CONTRACT.filter((one) => one.method !== 'GET' && one.path.includes('{mediaId}'))
it.each(WRITES.map((one) => [nameOf(one), one] as const))(
  '%s finds nothing unsafe to act on',
  async (_, endpoint) => {
    for (const { type, id } of unsafe) {
      const path = pathOf(endpoint, { id: kidId, type, mediaId: id, state: 'planned' })
      const answer = await kid.send(endpoint.method, path, sampleBody(endpoint, {}))
      expect([path, answer.status]).toEqual([path, 404])
    }
  },
)

it('reaches every safe title by lists, by search and by its people', async () => {
  const reached = { lists: new Set<string>(), search: new Set<string>(), people: new Set<string>() }
  for (const type of ['movies', 'series']) {
    for (let page = 1; page <= 5; page++)
      for (const one of (await kid.get(`/api/${type}?limit=7&page=${page}`)).body.results)
        reached.lists.add(one.id)
  }
  const found = (await kid.get('/api/search?q=lantern&limit=100')).body
  for (const hit of found.results) if (hit.media) reached.search.add(hit.media.id)
  expect(found.counts).toMatchObject({ movie: EACH / 2, tv: EACH / 2 })
  for (const part of ['movies', 'series'])
    for (const one of (await kid.get(`/api/actors/slug/common-player/${part}?limit=100`)).body.results)
      reached.people.add(one.id)
  for (const way of Object.values(reached)) expect([...way].sort()).toEqual([...safe.ids].sort())
})

it('counts only what may be seen', async () => {
  expect((await kid.get('/api/movies')).body.total_results).toBe(EACH / 2)
  expect((await kid.get(`/api/search?q=${MARK}`)).body.counts).toEqual({ all: 0, movie: 0, tv: 0, actor: 0 })
  const list = (await kid.get(`/api/profile/${kidId}/watchlist`)).body
  expect(list).toMatchObject({ total_results: 0, results: [] })
  const notices = (await kid.get(`/api/profile/${kidId}/notifications/movies`)).body
  expect(notices.unseen).toBe(notices.results.length)
})
