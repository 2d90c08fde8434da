/** What was reset or cleared comes back, also when the request was sent twice because its answer was lost. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Device } from '../../support/client.ts'
import { addAccount, DATABASES, startServer, type TestServer } from '../../support/server.ts'
import { addMovies, movie } from '../admin/service.ts'

describe.each(DATABASES)('over %s', (_name, open) => {
  let server: TestServer
  let device: Device
  let history = ''
  let ids: string[] = []
  beforeEach(async () => {
    server = await startServer({ database: await open() })
    await addAccount(server, 'alice@example.com')
    device = new Device(server)
    await device.login('alice@example.com')
    device.profileId = (await device.post('/api/profile', { name: 'Alice' })).body.profile_id
    history = `/api/profile/${device.profileId}/history`
    ids = await addMovies({ server }, [movie(1), movie(2)])
    for (const media_id of ids) await watch(media_id, 600)
  })
  afterEach(() => server.close())

  const watch = (media_id: string, progress: number) =>
    device.post(history, { type: 'movie', media_id, progress, data: { video_duration: 6_000 } })
  const places = () =>
    Promise.all(
      ids.map(async (id) => (await device.get(`${history}/movie/${id}`)).body.latest?.progress ?? null),
    )

  it.each([
    ['reset', () => `${history}/movie/${ids[0]}`, [null, 600]],
    ['cleared', () => history, [null, null]],
  ] as const)('%s twice, brought back once', async (_what, address, gone) => {
    expect((await device.delete(address())).status).toBe(204)
    expect((await device.delete(address())).status).toBe(204)
    expect(await places()).toEqual(gone)
    expect((await device.post(`${history}/undo`)).status).toBe(204)
    expect(await places()).toEqual([600, 600])
    expect((await device.post(`${history}/undo`)).status).toBe(404)
  })

  it('of two titles only the last that was reset comes back; what was watched since stays', async () => {
    await device.delete(`${history}/movie/${ids[0]}`)
    await device.delete(`${history}/movie/${ids[1]}`)
    await watch(ids[1] ?? '', 30)
    await device.post(`${history}/undo`)
    expect(await places()).toEqual([null, 30])
  })

  it('a reset of what was never watched brings back nothing of another title', async () => {
    await device.delete(`${history}/movie/${ids[0]}`)
    await device.delete(`${history}/movie/${ids[0]}`)
    await device.delete(`${history}/movie/${ids[1]}`)
    await device.post(`${history}/undo`)
    await device.delete(`${history}/movie/${ids[0]}`)
    expect((await device.post(`${history}/undo`)).status).toBe(404)
    expect(await places()).toEqual([null, 600])
  })
})
