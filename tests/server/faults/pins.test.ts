/** Wrong PINs by the hundred: how many are checked in the first hour, whoever sends them and whatever restarts. */
import { expect, it } from 'vitest'
import { Device } from '../../support/client.ts'
import { addAccount, DATABASES, startServer, type TestServer } from '../../support/server.ts'

const MOST_IN_AN_HOUR = 10
const MINUTE = 60_000
const PIN = '4711'

it.each(DATABASES)(
  'checks at most ten PINs in the first hour, also after a restart (%s)',
  async (_name, open) => {
    const database = await open()
    /* The same database goes on under the second process, so closing the first must not close it. */
    const first = await startServer({ database: { ...database, close: async () => {} } })
    let server: TestServer = first
    try {
      await addAccount(first, 'alice@example.com')
      const four = async (on: TestServer) =>
        Promise.all(
          [1, 2, 3, 4].map(async () => {
            const device = new Device(on)
            await device.login('alice@example.com')
            return device
          }),
        )
      let devices = await four(first)
      const { profile_id } = (await devices[0]?.post('/api/profile', { name: 'Alice' }))?.body ?? {}
      const path = `/api/profile/${profile_id}`
      await devices[0]?.post(`${path}/lock`, { pin: PIN })
      const wrong = (at: number) =>
        devices[at % 4]?.post(`${path}/unlock`, { pin: String(at).padStart(4, '0') })
      const checked = async () =>
        (await database.primary.selectFrom('pin_attempt').selectAll().executeTakeFirst())?.failures ?? 0

      const answers = await Promise.all(Array.from({ length: 200 }, (_, at) => wrong(at)))
      for (const answer of answers) expect([403, 503]).toContain(answer?.status)
      expect(await checked()).toBeLessThanOrEqual(5)
      for (let at = 0; at < 40; at++) {
        if (at === 20) {
          await first.close()
          server = await startServer({ database, keys: first.deps.keys })
          /* The second process goes on where the clock of the first one was. */
          server.advance(at * MINUTE)
          devices = await four(server)
        }
        /* Access tokens live for ten minutes. */
        if (at % 9 === 8) for (const device of devices) await device.login('alice@example.com')
        expect((await wrong(200 + at))?.status).toBe(403)
        server.advance(MINUTE)
      }
      expect(await checked()).toBeGreaterThanOrEqual(5)
      expect(await checked()).toBeLessThanOrEqual(MOST_IN_AN_HOUR)
      for (const device of devices) await device.login('alice@example.com')
      const right = await devices[1]?.post(`${path}/unlock`, { pin: PIN })
      expect([right?.status, right?.body.message]).toEqual([403, 'Invalid PIN'])
    } finally {
      await server.close()
    }
  },
  60_000,
)
