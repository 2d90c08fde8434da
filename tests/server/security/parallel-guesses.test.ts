/**
 * Guesses every secret many times at once, through two servers that share a database as two processes do. The servers check no
 * secret more often than its limit allows. While the limit is exceeded, they refuse the right secret too.
 */
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../../../server/db/database.ts'
import { insertInvitation } from '../../../server/queries/invitation.ts'
import { insertPasswordReset } from '../../../server/queries/password-reset.ts'
import { ATTEMPT_LIMITS } from '../../../server/services/auth/attempt-limit.ts'
import { createRandomId, createRandomToken, sha256 } from '../../../server/services/auth/secret.ts'
import { openEmptyDatabase, usesPostgres } from '../../support/databases.ts'
import { ALL_ENDPOINTS, createSampleBody, getEndpointName } from '../../support/endpoints.ts'
import { createPostgresDatabase } from '../../support/postgres-databases.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '../../support/server.ts'
import { fillEndpointPath, TestClient, type TestResponse } from '../../support/test-client.ts'
import { createHousehold, type Household, PIN } from './household.ts'

const PARALLEL = 60
const FREE_PIN_GUESSES = 5

let servers: [TestServer, TestServer]
let closeDatabases: () => Promise<void>
beforeAll(async () => {
  const postgres = usesPostgres ? await createPostgresDatabase() : undefined
  const openServerDatabase = () =>
    postgres ? openDatabase({ dataDir: 'data/local/test', url: postgres.url }) : openEmptyDatabase()
  const first = await startTestServer({ database: await openServerDatabase() })
  // The servers share one SQLite connection: two connections to one file would block each other in one thread.
  const database = postgres ? await openServerDatabase() : first.database
  servers = [first, await startTestServer({ database, keys: first.deps.keys })]
  closeDatabases = async () => {
    for (const server of postgres ? servers : [first]) await server.close()
    await postgres?.drop()
  }
}, 60_000)
afterAll(() => closeDatabases())

/** Returns a client with the session of `device` on the server with this index. */
function onServer(device: TestClient, index: number): TestClient {
  const { accessToken, cookie, profileId } = device
  return Object.assign(new TestClient(servers[index % 2] as TestServer), { accessToken, cookie, profileId })
}

/** Sends requests at once, in turn to both servers, and returns their responses. */
const sendAll = (count: number, send: (index: number) => Promise<TestResponse>) =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)))

/** Counts the responses to guesses that were checked. A 429 or 503 means that the guess was not checked. */
const countChecked = (responses: readonly TestResponse[]) =>
  responses.filter(({ status }) => status !== 429 && status !== 503).length

const logIn = (client: TestClient, email: string, password: string) =>
  client.post('/api/auth/login', { email, password })
const clearLimits = () => servers[0].database.primary.deleteFrom('rate_limit').execute()
const createTestHousehold = async (): Promise<Household> => {
  await clearLimits()
  return createHousehold(servers[0])
}

it('checks at most ten wrong passwords of an account at sign-in', async () => {
  const { email } = await createTestHousehold()
  const guessPassword = (index: number) =>
    logIn(new TestClient(servers[index % 2] as TestServer), email, 'Wrong12345')
  const responses = await sendAll(PARALLEL, guessPassword)
  expect(countChecked(responses)).toBeLessThanOrEqual(ATTEMPT_LIMITS.passwordAccount.allowed)
  expect(countChecked(responses)).toBeGreaterThan(0)
  expect((await logIn(new TestClient(servers[1]), email, TEST_PASSWORD)).status).toBe(429)
})

it('checks at most 30 passwords from one address when they are for many accounts', async () => {
  await clearLimits()
  const guessPassword = (index: number) =>
    logIn(new TestClient(servers[index % 2] as TestServer), `nobody${index}@example.org`, 'Wrong12345')
  const responses = [...(await sendAll(PARALLEL, guessPassword)), ...(await sendAll(PARALLEL, guessPassword))]
  expect(countChecked(responses)).toBeLessThanOrEqual(ATTEMPT_LIMITS.passwordAddress.allowed)
})

it('gives a device of another account no additional guesses, whether it is signed in or not', async () => {
  const { email } = await createTestHousehold()
  const otherHousehold = await createHousehold(servers[0])
  const devices = await Promise.all(Array.from({ length: 6 }, otherHousehold.signIn))
  for (const device of devices.slice(3)) {
    const { cookie } = device
    await device.post('/api/auth/logout')
    device.cookie = cookie
  }
  await clearLimits()
  const guessPassword = async (index: number) => {
    const device = onServer(devices[index % devices.length] as TestClient, index)
    return logIn(Object.assign(device, { accessToken: null }), email, 'Wrong12345')
  }
  expect(countChecked(await sendAll(PARALLEL, guessPassword))).toBeLessThanOrEqual(
    ATTEMPT_LIMITS.passwordAccount.allowed,
  )
})

it('gives a device that is signed in to the account its own limit, which other devices cannot use up', async () => {
  const { email, adult } = await createTestHousehold()
  await sendAll(PARALLEL, (index) =>
    logIn(new TestClient(servers[index % 2] as TestServer), email, 'Wrong12345'),
  )
  expect((await logIn(new TestClient(servers[0]), email, TEST_PASSWORD)).status).toBe(429)
  expect((await logIn(onServer(adult, 1), email, TEST_PASSWORD)).status).toBe(200)
})

const PASSWORD_ENDPOINTS = ALL_ENDPOINTS.filter(
  ({ access, method, upload, proof, path }) =>
    access !== 'admin' && method !== 'GET' && !upload && (proof !== undefined || path.endsWith('/unlock')),
)

/** Guesses the password with requests that require it as a proof. */
function guessProof(device: TestClient, kidId: string, index: number): Promise<TestResponse> {
  const endpoint = PASSWORD_ENDPOINTS[index % PASSWORD_ENDPOINTS.length]
  if (!endpoint) throw new Error('no endpoint accepts a password')
  const values = { password: 'Wrong12345', current_password: 'Wrong12345', pin: PIN, language: 'fr' }
  const media_id = endpoint.path.endsWith('/viewings') ? '1' : null
  const body = createSampleBody(endpoint, { ...values, ...UPDATE_VALUES, media_id }) as Record<
    string,
    unknown
  >
  const params = {
    id: kidId,
    type: 'movie',
    mediaId: '1',
    signal: 'liked:1',
    import_id: 'A',
    n: '1',
    kind: 'list',
    itemId: 'A',
  }
  return onServer(device, index).send(endpoint.method, fillEndpointPath(endpoint, params), body)
}
const UPDATE_VALUES = {
  new_email: 'new@example.org',
  profile_id: null,
  current_pin: PIN,
  new_pin: PIN,
  content_genres: { movie: [], tv: [] },
  home_rows: [],
  text_size: 100,
  quiet_start: 1_200,
  quiet_end: 420,
  time_zone: 'UTC',
  interface_language: 'fr',
  title_language: 'fr',
}

it.each(PASSWORD_ENDPOINTS.map((endpoint, index) => [getEndpointName(endpoint), index] as const))(
  'checks ten passwords of one device in %s',
  async (_name, endpointIndex) => {
    const { signIn, kidId } = await createTestHousehold()
    const device = Object.assign(await signIn(), { profileId: kidId })
    const responses = await sendAll(24, (index) => {
      return guessProof(device, kidId, endpointIndex + index * PASSWORD_ENDPOINTS.length)
    })
    const wrongCount = responses.filter(({ body }) => body?.errors?.password?.[0] === 'wrong').length
    expect(wrongCount).toBe(countChecked(responses))
    expect(wrongCount).toBeLessThanOrEqual(ATTEMPT_LIMITS.passwordDevice.allowed)
    expect(wrongCount).toBeGreaterThan(0)
  },
)

it('checks ten passwords of one device in all requests together, and 30 of all devices', async () => {
  const { signIn, kidId } = await createTestHousehold()
  const devices = await Promise.all(Array.from({ length: 6 }, signIn))
  for (const device of devices) device.profileId = kidId
  const [first] = devices
  if (!first) throw new Error('no device')
  const ofFirst = await sendAll(PARALLEL, (index) => guessProof(first, kidId, index))
  expect(countChecked(ofFirst)).toBeLessThanOrEqual(ATTEMPT_LIMITS.passwordDevice.allowed)
  const ofAll: TestResponse[] = []
  for (let round = 0; round < 3; round++)
    ofAll.push(
      ...(await sendAll(PARALLEL, (index) =>
        guessProof(devices[1 + (index % (devices.length - 1))] as TestClient, kidId, index),
      )),
    )
  expect(countChecked([...ofFirst, ...ofAll])).toBeLessThanOrEqual(ATTEMPT_LIMITS.passwordDevices.allowed)
  const rightPassword = { current_password: TEST_PASSWORD, new_password: 'Melies1902' }
  expect((await onServer(first, 1).put('/api/auth/password', rightPassword)).status).toBe(429)
})

it('checks five PINs of a profile from all devices and requests together', async () => {
  const { signIn, adult, mainId } = await createTestHousehold()
  const devices = await Promise.all(Array.from({ length: 4 }, signIn))
  const guessPin = (index: number) => {
    const pin = String(index).padStart(4, '0')
    const device = onServer(devices[index % devices.length] as TestClient, index)
    const acting = onServer(adult, index)
    if (index % 3 === 0) return device.post(`/api/profile/${mainId}/unlock`, { pin })
    if (index % 3 === 1)
      return acting.put(`/api/profile/${mainId}/update-lock`, { current_pin: pin, new_pin: '0000' })
    return acting.put(`/api/profile/${mainId}/remove-lock`, { pin })
  }
  const responses = await sendAll(PARALLEL, guessPin)
  const checkedResponses = responses.filter(({ headers }) => !headers.has('retry-after'))
  expect(checkedResponses.length).toBeLessThanOrEqual(FREE_PIN_GUESSES)
  expect(new Set(responses.map(({ body }) => body.type))).toEqual(new Set(['invalid_pin']))
  const rightPin = await onServer(devices[0] as TestClient, 1).post(`/api/profile/${mainId}/unlock`, {
    pin: PIN,
  })
  expect([rightPin.status, rightPin.body.type]).toEqual([403, 'invalid_pin'])
})

it('checks five exit PINs of an account from all devices together, and refuses the right PIN afterwards', async () => {
  const { signIn, adult, kidId } = await createTestHousehold()
  const teenId = (await adult.post('/api/profile', { name: 'Teen' })).body.profile_id
  await adult.put('/api/user/family/exit-pin', { pin: '9731' })
  const devices = await Promise.all(Array.from({ length: 4 }, signIn))
  for (const device of devices)
    await Object.assign(device, { profileId: kidId }).get(`/api/profile/${kidId}/continue-watching`)
  const guessExitPin = (index: number, pin: string) =>
    onServer(devices[index % devices.length] as TestClient, index).post(`/api/profile/${teenId}/unlock`, {
      pin,
    })
  const responses = await sendAll(PARALLEL, (index) => guessExitPin(index, String(index).padStart(4, '0')))
  const checkedResponses = responses.filter(({ headers }) => !headers.has('retry-after'))
  expect(checkedResponses.length).toBeGreaterThan(0)
  expect(checkedResponses.length).toBeLessThanOrEqual(ATTEMPT_LIMITS.exitPin.allowed)
  expect(new Set(responses.map(({ body }) => body.type))).toEqual(new Set(['invalid_pin']))
  expect((await guessExitPin(1, '9731')).status).toBe(403)
})

it.each(['/api/auth/validate-invitation', '/api/auth/register'])(
  '%s checks at most 20 parallel invitation tokens from one address, and then rejects a valid token too',
  async (path) => {
    await clearLimits()
    const body = path.endsWith('register') ? { email: 'new@example.org', password: TEST_PASSWORD } : {}
    const presentInvitation = (index: number, token: string) =>
      new TestClient(servers[index % 2] as TestServer).send('POST', path, body, {
        Authorization: `Bearer ${token}`,
      })
    const responses = await sendAll(PARALLEL, (index) => presentInvitation(index, createRandomToken()))
    expect(countChecked(responses)).toBeLessThanOrEqual(ATTEMPT_LIMITS.invitationAddress.allowed)
    const token = createRandomToken()
    const { deps, database } = servers[0]
    await insertInvitation(database.primary, {
      invitation_id: createRandomId(),
      token_hash: sha256(token),
      email: null,
      role: 'user',
      language: null,
      created_at: deps.now(),
      expires_at: deps.now() + 60_000,
    })
    expect((await presentInvitation(1, token)).status).toBe(429)
  },
)

it.each(['validate', 'complete'])('checks 20 password reset links from one address in %s', async (call) => {
  const { email, accountId } = await createTestHousehold()
  const presentResetToken = (index: number, token: string) =>
    new TestClient(servers[index % 2] as TestServer).post(`/api/auth/password-reset/${call}`, {
      token,
      ...(call === 'complete' && { new_password: 'Melies1902' }),
    })
  const responses = await sendAll(200, (index) => presentResetToken(index, createRandomToken()))
  expect(countChecked(responses)).toBeLessThanOrEqual(ATTEMPT_LIMITS.resetLinkAddress.allowed)
  const token = createRandomToken()
  const { deps, database } = servers[0]
  await insertPasswordReset(database.primary, {
    token_hash: sha256(token),
    account_id: accountId,
    created_at: deps.now(),
    expires_at: deps.now() + 60_000,
  })
  expect((await presentResetToken(1, token)).status).toBe(429)
  expect((await logIn(new TestClient(servers[0]), email, TEST_PASSWORD)).status).toBe(200)
})

it.each([
  ['links of changed email addresses', 'POST', '/api/auth/email/validate', 'emailLinkAddress'],
  ['links that change the email address', 'POST', '/api/auth/email/complete', 'emailLinkAddress'],
  ['responses of identity providers', 'POST', '/api/auth/providers/stub/complete', 'providerAddress'],
  ['API keys', 'GET', '/api/movies', 'apiKeyAddress'],
] as const)('checks 20 %s from one address', async (_name, method, path, limit) => {
  await clearLimits()
  const guessLinkToken = (index: number) => {
    const client = new TestClient(servers[index % 2] as TestServer)
    const token = createRandomToken()
    if (method === 'GET') return Object.assign(client, { accessToken: `mqk_${token}` }).get(path)
    return client.post(path, path.includes('providers') ? { response: `state=${token}` } : { token })
  }
  const responses = await sendAll(200, guessLinkToken)
  expect(countChecked(responses)).toBeGreaterThan(0)
  expect(countChecked(responses)).toBeLessThanOrEqual(ATTEMPT_LIMITS[limit].allowed)
})

it('checks ten second factors of an account at sign-in, and ten of one signed-in device', async () => {
  const { email, adult, signIn, mainId } = await createTestHousehold()
  const device = Object.assign(await signIn(), { profileId: mainId })
  await device.post(`/api/profile/${mainId}/unlock`, { pin: PIN })
  const { body: setup } = await adult.post('/api/auth/totp', { password: TEST_PASSWORD })
  const app = new TOTP({ secret: Secret.fromBase32(setup.secret) })
  const generateCode = (offsetSeconds = 0) =>
    app.generate({ timestamp: servers[0].deps.now() + offsetSeconds * 1000 })
  await adult.post('/api/auth/totp/confirm', { code: generateCode() })
  const tokens: string[] = []
  for (let index = 0; index < 6; index++)
    tokens.push(
      (await logIn(new TestClient(servers[index % 2] as TestServer), email, TEST_PASSWORD)).body
        .sign_in_token,
    )
  const presentCode = (index: number, code: string) =>
    new TestClient(servers[index % 2] as TestServer).post('/api/auth/login/second-factor', {
      sign_in_token: tokens[index % tokens.length],
      code,
    })
  const atSignIn = await sendAll(PARALLEL, (index) => presentCode(index, generateCode(-3600 - index * 30)))
  const wrongCodeResponses = atSignIn.filter(({ body }) => body.errors?.second_factor?.[0] === 'wrong')
  expect(wrongCodeResponses.length).toBeGreaterThan(0)
  expect(wrongCodeResponses.length).toBeLessThanOrEqual(ATTEMPT_LIMITS.secondFactorAccount.allowed)
  await servers[0].database.primary.deleteFrom('rate_limit').where('bucket', 'like', 'password%').execute()
  const fresh = (await logIn(new TestClient(servers[0]), email, TEST_PASSWORD)).body.sign_in_token
  const validCode = { sign_in_token: fresh, code: generateCode(30) }
  expect((await new TestClient(servers[1]).post('/api/auth/login/second-factor', validCode)).status).toBe(429)
  const confirmSecondFactor = (index: number, code: string) =>
    onServer(device, index).post('/api/auth/second-factor/confirm', { code })
  const onDevice = await sendAll(PARALLEL, (index) =>
    confirmSecondFactor(index, generateCode(-3600 - index * 30)),
  )
  expect(countChecked(onDevice)).toBeGreaterThan(0)
  expect(countChecked(onDevice)).toBeLessThanOrEqual(ATTEMPT_LIMITS.secondFactorDevice.allowed)
  expect((await confirmSecondFactor(1, generateCode(30))).status).toBe(429)
  expect(
    (await onServer(adult, 0).post('/api/auth/second-factor/confirm', { code: generateCode(30) })).status,
  ).toBe(204)
})

it('checks 30 user codes of televisions from all devices of an account, and refuses the right code afterwards', async () => {
  const { signIn, mainId } = await createTestHousehold()
  const devices = await Promise.all(Array.from({ length: 6 }, signIn))
  for (const device of devices) {
    await device.post(`/api/profile/${mainId}/unlock`, { pin: PIN })
    device.profileId = mainId
  }
  const { body: issued } = await new TestClient(servers[0]).post('/api/auth/device-code')
  const guessUserCode = (index: number) => {
    const user_code = `BCDFGH${'BCDFGHJKLMNPQRSTVWXZ'[index % 20]}${'BCDFGHJKLMNPQRSTVWXZ'[Math.floor(index / 20)]}`
    const device = onServer(devices[index % devices.length] as TestClient, index)
    return index % 2 === 0
      ? device.post('/api/auth/device-code/lookup', { user_code })
      : device.post('/api/auth/device-code/decision', { user_code, approve: true })
  }
  const responses = await sendAll(200, guessUserCode)
  expect(countChecked(responses)).toBeGreaterThan(0)
  expect(countChecked(responses)).toBeLessThanOrEqual(ATTEMPT_LIMITS.userCodeAccount.allowed)
  const rightCode = { user_code: issued.user_code, approve: true }
  const device = onServer(devices[0] as TestClient, 1)
  expect((await device.post('/api/auth/device-code/decision', rightCode)).status).toBe(429)
  const { device_code } = issued
  const poll = await new TestClient(servers[1]).post('/api/auth/device-code/token', { device_code })
  expect(poll.body.state).toBe('pending')
})
