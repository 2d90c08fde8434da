/** Every call that needs a recently confirmed second factor is rejected without one, and allowed with one. */
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSqliteDatabase } from '../../../server/db/database.ts'
import { STEP_UP_LIFETIME_MS } from '../../../server/services/auth/step-up.ts'
import type { Endpoint } from '../../../src/lib/contract/endpoint.ts'
import { hashDatabase } from '../../support/database-hash.ts'
import { ALL_ENDPOINTS, createSampleBody, getEndpointName } from '../../support/endpoints.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '../../support/server.ts'
import { fillEndpointPath } from '../../support/test-client.ts'
import { createHousehold, type Household, refreshToken } from './household.ts'

const ABSENT_ID = 'AAAAAAAAAAAAAAAAAAAAAA'
const STEP_UP_ENDPOINTS = ALL_ENDPOINTS.filter(({ stepUp }) => stepUp !== undefined)
  .map((endpoint) => [getEndpointName(endpoint), endpoint] as const)
  .sort()

let server: TestServer
let household: Household
let totp: TOTP
beforeAll(async () => {
  server = await startTestServer({ database: openSqliteDatabase(':memory:') })
  household = await createHousehold(server, { role: 'admin', pin: null })
  const { adult } = household
  const { body } = await adult.post('/api/auth/totp', { password: TEST_PASSWORD })
  totp = new TOTP({ secret: Secret.fromBase32(body.secret) })
  const code = totp.generate({ timestamp: server.deps.now() })
  expect((await adult.post('/api/auth/totp/confirm', { code })).status).toBe(200)
}, 60_000)
afterAll(() => server.close())

/** Valid path parameters for the calls of administrators. */
const ADMIN_PARAMS = { field: 'rated', service: 'tmdb' }
const SAMPLE_VALUES = {
  password: TEST_PASSWORD,
  current_password: TEST_PASSWORD,
  new_password: 'short',
  email: 'new@example.com',
  type: 'movie',
  key: 'invitation_days',
  value: 3,
  importer: 'none',
  trailer: 'https://example.com/trailer',
  imdb_id: 'tt7654321',
  address: 'https://example.com',
  options: {},
  user_id: ABSENT_ID,
  preferences: {},
  media_id: ABSENT_ID,
  ids: [ABSENT_ID],
  new_email: 'new@example.com',
  providers: [],
}
const sendRequest = (endpoint: Endpoint) => {
  const id = endpoint.path.startsWith('/profile') ? household.mainId : ABSENT_ID
  const path = fillEndpointPath(endpoint, {
    id,
    key: 'invitation_days',
    device_id: ABSENT_ID,
    ...ADMIN_PARAMS,
  })
  const sampleValues = endpoint.path.startsWith('/auth/passkeys')
    ? { password: TEST_PASSWORD }
    : SAMPLE_VALUES
  return household.adult.send(endpoint.method, path, createSampleBody(endpoint, sampleValues))
}

it('calls for password, second factor, deletion and export, and all writes of administrators, need a recent second factor', () => {
  const endpointNames = STEP_UP_ENDPOINTS.map(([name]) => name)
  expect(endpointNames).toEqual(
    expect.arrayContaining([
      'PUT /api/auth/password',
      'PUT /api/auth/user',
      'DELETE /api/auth/user-account',
      'GET /api/auth/user-account/export',
      'GET /api/profile/{id}/export',
      'POST /api/auth/totp',
      'POST /api/auth/totp/confirm',
      'DELETE /api/auth/totp',
      'POST /api/auth/recovery-codes',
    ]),
  )
  const adminWriteEndpoints = ALL_ENDPOINTS.filter(
    ({ access, method }) => access === 'admin' && method !== 'GET',
  )
  expect(adminWriteEndpoints.map(getEndpointName).filter((name) => !endpointNames.includes(name))).toEqual([])
})

it.each(STEP_UP_ENDPOINTS)(
  '%s is rejected without a recent second factor and changes nothing',
  async (_name, endpoint) => {
    server.advanceClock(STEP_UP_LIFETIME_MS)
    await refreshToken(household.adult)
    const hashBefore = hashDatabase(server)
    const { status, body } = await sendRequest(endpoint)
    expect([status, body.errors]).toEqual([403, { second_factor: ['needed'] }])
    expect(hashDatabase(server)).toBe(hashBefore)
  },
)

it('PUT /api/auth/user requires no recent second factor for `onboarded`, a field that members can change', async () => {
  expect((await household.adult.put('/api/auth/user', { onboarded: true })).status).toBe(200)
})

// The next tests run last, because their calls change data.
const allowedEndpoints = STEP_UP_ENDPOINTS.filter(([name]) => name !== 'DELETE /api/auth/user-account')
it.each(allowedEndpoints)('%s is allowed with a recent second factor', async (_name, endpoint) => {
  server.advanceClock(STEP_UP_LIFETIME_MS)
  await refreshToken(household.adult)
  await server.database.primary.deleteFrom('rate_limit').execute()
  const { primary } = server.database
  await primary.updateTable('login').set({ second_factor_at: server.deps.now() }).execute()
  expect((await sendRequest(endpoint)).body?.errors?.second_factor).toBeUndefined()
})
