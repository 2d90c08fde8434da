/** What importers brought, as a viewer meets it: lists, details, search, actors; and what a child meets. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqliteDatabase } from '../../../server/db/database.ts'
import { CATALOGUE_IMPORTERS } from '../../../server/importers/index.ts'
import { Device } from '../../support/client.ts'
import { addAccount } from '../../support/server.ts'
import { SMALL, writeDumps } from './imdb/dumps.ts'
import { invent } from './tmdb/invented.ts'
import { openPlace, type Place } from './tmdb/place.ts'

let place: Place
let adult: Device
let kid: Device
async function device(name: string, kids: boolean): Promise<Device> {
  const one = new Device(place.server)
  await one.login('alice@example.com')
  one.profileId = (await one.post('/api/profile', { name, kids })).body.profile_id
  return one
}
beforeAll(async () => {
  place = await openPlace(openSqliteDatabase(':memory:'))
  invent(place.replay)
  const { bodies } = place.replay
  bodies.set('/movie/1001', { ...bodies.get('/movie/1001'), title: 'Caravan', imdb_id: 'tt9000199' })
  await CATALOGUE_IMPORTERS['imdb']?.run(place.server.deps, { folder: writeDumps(SMALL) })
  await place.run({ movies: '1001' })
  await place.server.deps.searchIndex.catchUp()
  await place.server.deps.searchIndex.whenIdle()
  await addAccount(place.server, 'alice@example.com', 'admin')
  adult = await device('Alice', false)
  kid = await device('Kim', true)
})
afterAll(() => place.close())

const slugs = (body: { results: { slug: string }[] }) => body.results.map(({ slug }) => slug).sort()

describe('imported titles', () => {
  it('are in the lists', async () => {
    expect(slugs((await adult.get('/api/movies')).body)).toEqual(['caravan', 'the-salt-road'])
    expect(slugs((await adult.get('/api/series')).body)).toEqual(['harbour-lights'])
    expect(slugs((await adult.get('/api/movies?language=fr&rated=8%2B')).body)).toEqual(['caravan'])
  })

  it('have details, episodes and actors', async () => {
    const film = (await adult.get('/api/movies/slug/the-salt-road')).body
    expect(film).toMatchObject({ title: 'The Salt Road', original_title: 'La route du sel', runtime: 6720 })
    expect(film.cast[0]).toMatchObject({ name: 'Ada Marsh', character: 'Inès / The Nurse' })
    const series = (await adult.get('/api/series/slug/harbour-lights')).body
    expect(series.seasons).toHaveLength(2)
    const actor = (await adult.get('/api/actors/slug/bo-lind')).body
    expect(actor).toMatchObject({ name: 'Bo Lind' })
  })

  it('are found in every language', async () => {
    for (const q of ['salt road', 'طريق الملح', 'Salzstrase']) {
      const { results } = (await adult.get(`/api/search?q=${encodeURIComponent(q)}`)).body
      expect(JSON.stringify(results)).toContain('"the-salt-road"')
    }
  })

  it('are shown to a child only where film boards say so', async () => {
    expect(slugs((await kid.get('/api/movies')).body)).toEqual(['caravan'])
    expect(slugs((await kid.get('/api/series')).body)).toEqual([])
    expect((await kid.get('/api/movies/slug/the-salt-road')).status).toBe(404)
  })

  it('that are blocked stay hidden when they are imported again', async () => {
    const { id } = (await adult.get('/api/movies/slug/the-salt-road')).body
    const blocked = await adult.post('/api/blocklist', { type: 'movie', media_id: id })
    expect(blocked.status).toBeLessThan(300)
    const changed = (SMALL['title.ratings'] ?? []).map((row) => row.replace('8.1|52000', '8.2|53000'))
    const report = await CATALOGUE_IMPORTERS['imdb']?.run(place.server.deps, {
      folder: writeDumps({ ...SMALL, 'title.ratings': changed }),
    })
    expect(report).toMatchObject({ changed: 1 })
    expect((await adult.get('/api/movies/slug/the-salt-road')).status).toBe(404)
  })
})
