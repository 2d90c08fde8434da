/** A slow push service of one account must not delay the notices of other accounts. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pushNewNotices } from '../../../server/services/notices/deliver-notices.ts'
import { createPushBrowser } from '../../support/push-service.ts'
import { insertTestAccount, startTestServer, type TestServer } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import { addMovies } from '../admin/admin-test-server.ts'
import { createSeriesRecord, formatDay } from '../calendar/calendar-household.ts'

const ACCOUNT_COUNT = 2
let server: TestServer
let pushService: Server
let requestCount = 0

beforeAll(async () => {
  // The push service responds only after the requests of all accounts have arrived.
  const { promise: allArrivedPromise, resolve } = Promise.withResolvers<void>()
  pushService = createServer(async (_request, response) => {
    requestCount += 1
    if (requestCount === ACCOUNT_COUNT) resolve()
    await allArrivedPromise
    response.writeHead(201).end()
  })
  await new Promise<void>((resolveStart) => pushService.listen(0, '127.0.0.1', resolveStart))
  const origin = `http://127.0.0.1:${(pushService.address() as AddressInfo).port}`
  server = await startTestServer({ env: { PUSH_ORIGINS: origin } })
  const [seriesId] = await addMovies({ server }, [createSeriesRecord(1, [formatDay(-400)])])
  for (let memberNumber = 0; memberNumber < ACCOUNT_COUNT; memberNumber += 1) {
    const email = `member${memberNumber}@example.com`
    await insertTestAccount(server, email)
    const device = new TestClient(server)
    await device.login(email)
    device.profileId = (await device.post('/api/profile', { name: 'Member' })).body.profile_id
    const profilePath = `/api/profile/${device.profileId}`
    await device.put(`${profilePath}/watchlist/tv/${seriesId}`)
    const { subscription } = createPushBrowser(origin, `/send/${memberNumber}`)
    expect((await device.put(`${profilePath}/notifications/devices`, subscription)).status).toBe(200)
  }
}, 60_000)

afterAll(async () => {
  await server.close()
  pushService.closeAllConnections()
  await new Promise<void>((resolve) => pushService.close(() => resolve()))
})

it('when the push service responds slowly, the notices of several accounts are sent in parallel', async () => {
  await addMovies({ server }, [createSeriesRecord(1, [formatDay(-400), formatDay(0)])])
  server.advanceClock(11 * 60_000)
  await pushNewNotices(server.deps)
  expect(requestCount).toBe(ACCOUNT_COUNT)
  // With one account at a time, the first request would get no response before its timeout, which counts as a failure.
  const rows = await server.database.primary.selectFrom('push_subscription').select('failures').execute()
  expect(rows).toEqual(Array.from({ length: ACCOUNT_COUNT }, () => ({ failures: 0 })))
})
