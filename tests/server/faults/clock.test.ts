/**
 * Clocks that are set back or differ between servers: sign-in and PIN locks last at most 30 seconds after the clock is
 * set back, and no progress is lost.
 */
import { expect, it } from 'vitest'
import { insertTestAccount, startTestServer } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import { addMovies, createMovieRecord } from '../admin/admin-test-server.ts'

const DAY_MS = 86_400_000

it('the locks of sign-in and PIN last at most 30 seconds after the clock is set back a day', async () => {
  const server = await startTestServer()
  try {
    await insertTestAccount(server, 'alice@example.com')
    const device = new TestClient(server)
    await device.login('alice@example.com')
    const { profile_id } = (await device.post('/api/profile', { name: 'Alice' })).body
    const path = `/api/profile/${profile_id}`
    await device.post(`${path}/lock`, { pin: '4711' })
    for (let attempt = 0; attempt < 5; attempt++) await device.post(`${path}/unlock`, { pin: '0000' })
    const otherDevice = new TestClient(server)
    for (let attempt = 0; attempt < 10; attempt++)
      await otherDevice.login('alice@example.com', 'Wrong-Word-1')
    server.advanceClock(-DAY_MS)
    const blockedReply = await otherDevice.login('alice@example.com')
    expect([blockedReply.status, Number(blockedReply.headers.get('Retry-After')) <= 30]).toEqual([429, true])
    server.advanceClock(31_000)
    expect((await otherDevice.login('alice@example.com')).status).toBe(200)
    await device.login('alice@example.com')
    const unlockResponse = await device.post(`${path}/unlock`, { pin: '4711' })
    expect([unlockResponse.status, Number(unlockResponse.headers.get('Retry-After')) <= 30]).toEqual([
      403,
      true,
    ])
    server.advanceClock(31_000)
    expect((await device.post(`${path}/unlock`, { pin: '4711' })).status).toBe(200)
  } finally {
    await server.close()
  }
}, 60_000)

it('stores progress that a server with a clock 3 s behind receives after another server', async () => {
  const server = await startTestServer()
  try {
    const [media_id] = await addMovies({ server }, [createMovieRecord(1)])
    await insertTestAccount(server, 'alice@example.com')
    const device = new TestClient(server)
    await device.login('alice@example.com')
    const { profile_id } = (await device.post('/api/profile', { name: 'Alice' })).body
    const reportProgress = (progressSeconds: number) =>
      device.post(`/api/profile/${profile_id}/history`, {
        type: 'movie',
        media_id,
        progress: progressSeconds,
        data: { video_duration: 600 },
      })
    expect((await reportProgress(100)).body.progress).toBe(100)
    server.advanceClock(-3_000)
    expect((await reportProgress(160)).body.progress).toBe(160)
  } finally {
    await server.close()
  }
})
