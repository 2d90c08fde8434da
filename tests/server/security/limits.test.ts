/** Rate limits and the maximum number of logins, on SQLite and PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { truncateAddress } from '../../../server/http/request.ts'
import { createKeys } from '../../../server/providers/keys.ts'
import { ATTEMPT_LIMITS, decideAttempt } from '../../../server/services/auth/attempt-limit.ts'
import { MAX_LOGINS_PER_ACCOUNT } from '../../../server/services/auth/create-login.ts'
import { computeAddressKey } from '../../../server/services/auth/password-check.ts'
import { DATABASES, startTestServer, type TestServer } from '../../support/server.ts'
import { createHousehold } from './household.ts'

const MINUTE_MS = 60_000

describe('computeAddressKey', () => {
  const keys = createKeys()
  it.each([
    [
      'a compressed prefix',
      ['2a0c:9a40::a:b:c:d', '2a0c:9a40::b:b:c:d', '2a0c:9a40::1', '2A0C:9a40:0:0:0:0:0:2'],
    ],
    ['a prefix with one zero group', ['2a0c:9a40:1:0:a:b:c:d', '2a0c:9a40:1::1', '2a0c:9a40:1:0::']],
    ['a complete prefix', ['2a0c:9a40:1:2:a:b:c:d', '2a0c:9a40:1:2::1']],
    ['a link-local prefix', ['fe80::a:b:c:d', 'fe80::1', 'fe80::1%eth0']],
  ])('returns the same key for all IPv6 addresses of a /64 network: %s', (_, addresses) => {
    expect(new Set(addresses.map((address) => computeAddressKey(keys, address))).size).toBe(1)
  })

  it('returns different keys for different /64 networks and for IPv4 addresses', () => {
    const addresses = [
      '2a0c:9a40::1',
      '2a0c:9a40:0:1::1',
      '2a0c:9a41::1',
      'fe80::1',
      '192.0.2.1',
      '192.0.2.2',
    ]
    expect(new Set(addresses.map((address) => computeAddressKey(keys, address))).size).toBe(addresses.length)
  })
})

describe('truncateAddress', () => {
  it.each([
    ['192.0.2.17', '192.0.2.0'],
    ['2a0c:9a40:1:2:a:b:c:d', '2a0c:9a40:1::'],
    ['2a0c:9a40:0:1:a:b:c:d', '2a0c:9a40::'],
    ['2a0c:9a40::a:b:c:d', '2a0c:9a40::'],
    ['2A0C:9A40:10::1', '2a0c:9a40:10::'],
    ['::1', '::'],
  ])('returns the network of %s as %s', (address, network) => expect(truncateAddress(address)).toBe(network))
})

describe('decideAttempt', () => {
  it('doubles the delay after each attempt above the limit, up to an hour', () => {
    const attemptLimit = ATTEMPT_LIMITS.passwordAccount
    let nowMs = 1_000_000
    let storedAttempts: Parameters<typeof decideAttempt>[1]
    const delaysSeconds: number[] = []
    for (let attempt = 0; attempt < 20; attempt++) {
      const nextDecision = decideAttempt(attemptLimit, storedAttempts, nowMs)
      if ('waitMs' in nextDecision) throw new Error(`attempt ${attempt} was rejected`)
      storedAttempts = nextDecision
      const delayMs = Math.max(0, nextDecision.blocked_until - nowMs)
      delaysSeconds.push(delayMs / 1_000)
      if (delayMs > 0)
        expect(decideAttempt(attemptLimit, storedAttempts, nowMs + delayMs - 1)).toEqual({ waitMs: 1 })
      nowMs += delayMs
    }
    expect(delaysSeconds.slice(0, 9)).toEqual(Array(9).fill(0))
    expect(delaysSeconds.slice(9)).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600, 3600])
  })

  it('restarts the count of attempts one hour after the end of the last delay', () => {
    const storedAttempts = { count: 12, window_ends_at: 0, blocked_until: 1_000 }
    const hourMs = 60 * MINUTE_MS
    expect(decideAttempt(ATTEMPT_LIMITS.passwordAccount, storedAttempts, 999 + hourMs)).toMatchObject({
      count: 13,
    })
    expect(decideAttempt(ATTEMPT_LIMITS.passwordAccount, storedAttempts, 1_000 + hourMs)).toMatchObject({
      count: 1,
    })
  })
})

describe.each(DATABASES)('limits of refreshes and logins on %s', (_name, openTestDatabase) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ database: await openTestDatabase() })
  }, 60_000)
  afterAll(() => server.close())

  it('the 61st refresh of a login within a minute returns 429, but another login can refresh', async () => {
    const { signIn } = await createHousehold(server)
    const [busyDevice, otherDevice] = [await signIn(), await signIn()]
    const statuses: number[] = []
    for (let refreshIndex = 0; refreshIndex < 62; refreshIndex++)
      statuses.push((await busyDevice.post('/api/auth/refresh')).status)
    expect(statuses).toEqual([...Array(60).fill(200), 429, 429])
    expect((await otherDevice.post('/api/auth/refresh')).status).toBe(200)
    server.advanceClock(MINUTE_MS)
    expect((await busyDevice.post('/api/auth/refresh')).status).toBe(200)
  })

  it('when a sign-in exceeds the limit of 100 logins per account, the least recently used login of the account ends', async () => {
    const { signIn, adult, accountId } = await createHousehold(server)
    const oldestDevice = await signIn()
    server.advanceClock(2 * MINUTE_MS)
    await adult.get('/api/auth/me')
    for (let loginIndex = 0; loginIndex < MAX_LOGINS_PER_ACCOUNT - 1; loginIndex++) await signIn()
    expect([
      (await oldestDevice.get('/api/auth/me')).status,
      (await adult.get('/api/auth/me')).status,
    ]).toEqual([401, 200])
    const loginsQuery = server.database.primary.selectFrom('login').where('account_id', '=', accountId)
    expect(await loginsQuery.select('sid').execute()).toHaveLength(MAX_LOGINS_PER_ACCOUNT)
  })
})
