/** My List changed from several devices at the same moment: nothing is lost, nothing is half done, nobody waits for ever. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Device } from '../../support/client.ts'
import { addAccount, DATABASES, startServer, type TestServer } from '../../support/server.ts'
import { addMovies, movie } from '../admin/service.ts'

const TITLES = 100

describe.each(DATABASES)('over %s', (_name, open) => {
  let server: TestServer
  let device: Device
  let base = ''
  let ids: string[] = []
  beforeEach(async () => {
    server = await startServer({ database: await open() })
    await addAccount(server, 'alice@example.com')
    device = new Device(server)
    await device.login('alice@example.com')
    device.profileId = (await device.post('/api/profile', { name: 'Alice' })).body.profile_id
    base = `/api/profile/${device.profileId}`
    ids = await addMovies(
      { server },
      Array.from({ length: TITLES }, (_, at) => movie(at + 1)),
    )
  }, 60_000)
  afterEach(() => server.close())

  const put = (entries: object[]) => device.put(`${base}/watchlist`, { entries })
  const total = async (query = '') => (await device.get(`${base}/watchlist${query}`)).body.total_results
  const wishes = (wish: object, of = ids) => of.map((media_id) => ({ type: 'movie', media_id, ...wish }))

  it('two marks set in parallel on the same hundred titles, in opposite order, are both there', async () => {
    await put(wishes({}))
    const answers = await Promise.all(
      [
        wishes({ favorite: true }),
        wishes({ state: 'watching' }).reverse(),
        wishes({ favorite: true }).reverse(),
        wishes({ state: 'watching' }),
      ].map(put),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await total('?favorite=true&state=watching')).toBe(TITLES)
  }, 60_000)

  it('removing all and adding all leave all or nothing, never a part', async () => {
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(
        [
          wishes({ in_watchlist: false }),
          wishes({}).reverse(),
          wishes({ in_watchlist: false }).reverse(),
        ].map(put),
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      expect([0, TITLES]).toContain(await total())
    }
  }, 60_000)

  it('an even number of turns of one title, all at once, changes nothing', async () => {
    const path = `${base}/watchlist/movie/${ids[0]}/toggle`
    const answers = await Promise.all(Array.from({ length: 20 }, () => device.put(path)))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    expect(answers.filter(({ body }) => body.in_watchlist)).toHaveLength(10)
    expect(await total()).toBe(0)
  }, 60_000)
})
