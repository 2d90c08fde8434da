/** The limit on wrong PIN attempts holds across devices, parallel requests and a restart of the server. */
import { expect, it } from 'vitest'
import { DATABASES, insertTestAccount, startTestServer, type TestServer } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'

const MAX_ATTEMPTS_PER_HOUR = 10
const MINUTE_MS = 60_000
const PIN = '4711'

it.each(DATABASES)(
  'at most ten wrong PINs are checked in the first hour, even if the server restarts (%s)',
  async (_name, openTestDatabase) => {
    const database = await openTestDatabase()
    /* Closing the first server must not close the database, because the second server uses the same database. */
    const firstServer = await startTestServer({ database: { ...database, close: async () => {} } })
    let server: TestServer = firstServer
    try {
      await insertTestAccount(firstServer, 'alice@example.com')
      const createFourDevices = async (testServer: TestServer) =>
        Promise.all(
          [1, 2, 3, 4].map(async () => {
            const device = new TestClient(testServer)
            await device.login('alice@example.com')
            return device
          }),
        )
      let devices = await createFourDevices(firstServer)
      const { profile_id } = (await devices[0]?.post('/api/profile', { name: 'Alice' }))?.body ?? {}
      const path = `/api/profile/${profile_id}`
      await devices[0]?.post(`${path}/lock`, { pin: PIN })
      const tryWrongPin = (attempt: number) =>
        devices[attempt % 4]?.post(`${path}/unlock`, { pin: String(attempt).padStart(4, '0') })
      const countCheckedPins = async () =>
        (await database.primary.selectFrom('pin_attempt').selectAll().executeTakeFirst())?.failures ?? 0

      const responses = await Promise.all(Array.from({ length: 200 }, (_, attempt) => tryWrongPin(attempt)))
      for (const response of responses) expect([403, 503]).toContain(response?.status)
      expect(await countCheckedPins()).toBeLessThanOrEqual(5)
      for (let minute = 0; minute < 40; minute++) {
        if (minute === 20) {
          await firstServer.close()
          server = await startTestServer({ database, keys: firstServer.deps.keys })
          /* The clock of the second server continues from the time of the first server. */
          server.advanceClock(minute * MINUTE_MS)
          devices = await createFourDevices(server)
        }
        /* Signs in again, because access tokens expire after ten minutes. */
        if (minute % 9 === 8) for (const device of devices) await device.login('alice@example.com')
        expect((await tryWrongPin(200 + minute))?.status).toBe(403)
        server.advanceClock(MINUTE_MS)
      }
      expect(await countCheckedPins()).toBeGreaterThanOrEqual(5)
      expect(await countCheckedPins()).toBeLessThanOrEqual(MAX_ATTEMPTS_PER_HOUR)
      for (const device of devices) await device.login('alice@example.com')
      const correctPinResponse = await devices[1]?.post(`${path}/unlock`, { pin: PIN })
      expect([correctPinResponse?.status, correctPinResponse?.body.message]).toEqual([403, 'Invalid PIN'])
    } finally {
      await server.close()
    }
  },
  60_000,
)
