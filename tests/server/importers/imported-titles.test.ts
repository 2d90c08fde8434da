/** Imported titles as the API returns them: in lists, details, search and actors, for adult and kids profiles. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqliteDatabase } from '../../../server/db/database.ts'
import { CATALOGUE_IMPORTERS } from '../../../server/importers/index.ts'
import { insertTestAccount } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import { SMALL_DUMPS, writeDumps } from './imdb/dumps.ts'
import { startTmdbFixture, type TmdbImportFixture } from './tmdb/import-fixture.ts'
import { addSyntheticTitles } from './tmdb/synthetic-titles.ts'

let fixture: TmdbImportFixture
let adult: TestClient
let kid: TestClient
async function createDevice(name: string, isKids: boolean): Promise<TestClient> {
  const device = new TestClient(fixture.server)
  await device.login('alice@example.com')
  device.profileId = (await device.post('/api/profile', { name, kids: isKids })).body.profile_id
  return device
}
beforeAll(async () => {
  fixture = await startTmdbFixture(openSqliteDatabase(':memory:'))
  addSyntheticTitles(fixture.replayServer)
  const { bodies } = fixture.replayServer
  bodies.set('/movie/1001', { ...bodies.get('/movie/1001'), title: 'Caravan', imdb_id: 'tt9000199' })
  await CATALOGUE_IMPORTERS['imdb']?.run(fixture.server.deps, { folder: writeDumps(SMALL_DUMPS) })
  await fixture.runImport({ movies: '1001' })
  await fixture.server.deps.searchIndex.catchUp()
  await fixture.server.deps.searchIndex.whenIdle()
  await insertTestAccount(fixture.server, 'alice@example.com', 'admin')
  adult = await createDevice('Alice', false)
  kid = await createDevice('Kim', true)
})
afterAll(() => fixture.close())

const listSlugs = (body: { results: { slug: string }[] }) => body.results.map(({ slug }) => slug).sort()

describe('imported titles', () => {
  it('imported titles appear in lists and in filtered lists', async () => {
    expect(listSlugs((await adult.get('/api/movies')).body)).toEqual(['caravan', 'the-salt-road'])
    expect(listSlugs((await adult.get('/api/series')).body)).toEqual(['harbour-lights'])
    expect(listSlugs((await adult.get('/api/movies?language=fr&rated=8%2B')).body)).toEqual(['caravan'])
  })

  it('imported titles have details, seasons and actors', async () => {
    const movie = (await adult.get('/api/movies/slug/the-salt-road')).body
    expect(movie).toMatchObject({ title: 'The Salt Road', original_title: 'La route du sel', runtime: 6720 })
    expect(movie.cast[0]).toMatchObject({ name: 'Ada Marsh', character: 'Inès / The Nurse' })
    const series = (await adult.get('/api/series/slug/harbour-lights')).body
    expect(series.seasons).toHaveLength(2)
    const actor = (await adult.get('/api/actors/slug/bo-lind')).body
    expect(actor).toMatchObject({ name: 'Bo Lind' })
  })

  it('imported titles are found by their names in several languages', async () => {
    for (const query of ['salt road', 'طريق الملح', 'Salzstrase']) {
      const { results } = (await adult.get(`/api/search?q=${encodeURIComponent(query)}`)).body
      expect(JSON.stringify(results)).toContain('"the-salt-road"')
    }
  })

  it('imported titles are shown to a kids profile only with a suitable age rating', async () => {
    expect(listSlugs((await kid.get('/api/movies')).body)).toEqual(['caravan'])
    expect(listSlugs((await kid.get('/api/series')).body)).toEqual([])
    expect((await kid.get('/api/movies/slug/the-salt-road')).status).toBe(404)
  })

  it('the next import hides a title that the change list of TMDB marks as adult', async () => {
    const { bodies } = fixture.replayServer
    const movieBody = bodies.get('/movie/1001') ?? {}
    const [year, month, day] = new Date(fixture.server.deps.now()).toISOString().slice(0, 10).split('-')
    for (const fileName of ['movie_ids', 'tv_series_ids'])
      fixture.replayServer.addIdFile(`${fileName}_${month}_${day}_${year}.json.gz`, [])
    await fixture.runImport()
    expect((await kid.get('/api/movies/slug/caravan')).status).toBe(200)
    bodies.set('/movie/1001', { ...movieBody, adult: true })
    bodies.set('/movie/changes', { results: [{ id: 1001, adult: true }], page: 1, total_pages: 1 })
    expect(await fixture.runImport()).toMatchObject({ read: 1, changed: 1 })
    for (const client of [kid, adult]) expect((await client.get('/api/movies/slug/caravan')).status).toBe(404)
    expect(listSlugs((await kid.get('/api/movies')).body)).toEqual([])
    bodies.set('/movie/1001', movieBody)
  })

  it('a blocked title stays hidden when a later import changes it', async () => {
    const { id } = (await adult.get('/api/movies/slug/the-salt-road')).body
    const blockResponse = await adult.post('/api/blocklist', { type: 'movie', media_id: id })
    expect(blockResponse.status).toBeLessThan(300)
    const changedRatings = (SMALL_DUMPS['title.ratings'] ?? []).map((row) =>
      row.replace('8.1|52000', '8.2|53000'),
    )
    const report = await CATALOGUE_IMPORTERS['imdb']?.run(fixture.server.deps, {
      folder: writeDumps({ ...SMALL_DUMPS, 'title.ratings': changedRatings }),
    })
    expect(report).toMatchObject({ changed: 1 })
    expect((await adult.get('/api/movies/slug/the-salt-road')).status).toBe(404)
  })
})
