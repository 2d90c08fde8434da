/**
 * Sends many guesses of passwords, PINs, codes, links and API keys at the same time. The guesses go to two servers that
 * share a database, like two processes of an installation. Together they must not check more guesses than the limit
 * allows. While the limit is exceeded, the servers must reject the right secret too.
 */
import { availableParallelism } from 'node:os'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../../server/core/config.ts'
import { openPostgresDatabase } from '../../../server/db/database.ts'
import { insertInvitation } from '../../../server/queries/invitation.ts'
import { insertPasswordReset } from '../../../server/queries/password-reset.ts'
import { ATTEMPT_LIMITS } from '../../../server/services/auth/attempt-limit.ts'
import { hashPassword } from '../../../server/services/auth/password-hash.ts'
import { createRandomId, createRandomToken, sha256 } from '../../../server/services/auth/secret.ts'
import { openEmptyDatabase, usesPostgres } from '../../support/databases.ts'
import { ALL_ENDPOINTS, createSampleBody, getEndpointName } from '../../support/endpoints.ts'
import { createPostgresDatabase } from '../../support/postgres-databases.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '../../support/server.ts'
import { fillEndpointPath, TestClient, type TestResponse } from '../../support/test-client.ts'
import { createHousehold, type Household, PIN } from './household.ts'

const PARALLEL_GUESS_COUNT = 60
const MAX_UNDELAYED_PIN_GUESSES = 5

let servers: [TestServer, TestServer]
let closeDatabases: () => Promise<void>
beforeAll(async () => {
  const postgres = usesPostgres ? await createPostgresDatabase() : undefined
  const openServerDatabase = () =>
    postgres ? openPostgresDatabase({ url: postgres.url, searchFolder: ':memory:' }) : openEmptyDatabase()
  const firstServer = await startTestServer({ database: await openServerDatabase() })
  // On SQLite, the servers share one connection. Two connections to one file would block each other in this thread.
  const database = postgres ? await openServerDatabase() : firstServer.database
  servers = [firstServer, await startTestServer({ database, keys: firstServer.deps.keys })]
  closeDatabases = async () => {
    for (const server of postgres ? servers : [firstServer]) await server.close()
    await postgres?.drop()
  }
}, 60_000)
afterAll(() => closeDatabases())

/** Returns a client with the session of `device` on one of the two servers. `index` modulo 2 selects the server. */
function createClientOnServer(device: TestClient, index: number): TestClient {
  const { accessToken, cookie, profileId } = device
  return Object.assign(new TestClient(servers[index % 2] as TestServer), { accessToken, cookie, profileId })
}

/** Calls `sendRequest` with the indexes 0 to `requestCount` - 1 without waiting. Returns all responses. */
const sendInParallel = (requestCount: number, sendRequest: (index: number) => Promise<TestResponse>) =>
  Promise.all(Array.from({ length: requestCount }, (_, index) => sendRequest(index)))

/** Counts the responses to guesses that were checked. A 429 or 503 means that the guess was not checked. */
const countCheckedGuesses = (responses: readonly TestResponse[]) =>
  responses.filter(({ status }) => status !== 429 && status !== 503).length

const logIn = (client: TestClient, email: string, password: string) =>
  client.post('/api/auth/login', { email, password })
const clearRateLimits = () => servers[0].database.primary.deleteFrom('rate_limit').execute()
const createTestHousehold = async (): Promise<Household> => {
  await clearRateLimits()
  return createHousehold(servers[0])
}

it('at most ten wrong passwords of an account are checked at sign-in', async () => {
  const { email } = await createTestHousehold()
  const guessPassword = (index: number) =>
    logIn(new TestClient(servers[index % 2] as TestServer), email, 'Wrong12345')
  const responses = await sendInParallel(PARALLEL_GUESS_COUNT, guessPassword)
  expect(countCheckedGuesses(responses)).toBeLessThanOrEqual(ATTEMPT_LIMITS.passwordAccount.allowedCount)
  expect(countCheckedGuesses(responses)).toBeGreaterThan(0)
  expect((await logIn(new TestClient(servers[1]), email, TEST_PASSWORD)).status).toBe(429)
})

it('at most 30 passwords for many accounts are checked from one IP address', async () => {
  await clearRateLimits()
  const guessPassword = (index: number) =>
    logIn(new TestClient(servers[index % 2] as TestServer), `nobody${index}@example.org`, 'Wrong12345')
  const responses = [
    ...(await sendInParallel(PARALLEL_GUESS_COUNT, guessPassword)),
    ...(await sendInParallel(PARALLEL_GUESS_COUNT, guessPassword)),
  ]
  expect(countCheckedGuesses(responses)).toBeLessThanOrEqual(ATTEMPT_LIMITS.passwordAddress.allowedCount)
})

it('password guesses for an account share one attempt limit, even from devices where another account is or was signed in', async () => {
  const { email } = await createTestHousehold()
  const otherHousehold = await createHousehold(servers[0])
  const devices = await Promise.all(Array.from({ length: 6 }, otherHousehold.signIn))
  for (const device of devices.slice(3)) {
    const { cookie } = device
    await device.post('/api/auth/logout')
    device.cookie = cookie
  }
  await clearRateLimits()
  const guessPassword = async (index: number) => {
    const device = createClientOnServer(devices[index % devices.length] as TestClient, index)
    return logIn(Object.assign(device, { accessToken: null }), email, 'Wrong12345')
  }
  expect(countCheckedGuesses(await sendInParallel(PARALLEL_GUESS_COUNT, guessPassword))).toBeLessThanOrEqual(
    ATTEMPT_LIMITS.passwordAccount.allowedCount,
  )
})

it('a signed-in device has its own attempt limit for sign-ins to its account, and attempts from other devices do not count towards this limit', async () => {
  const { email, adult } = await createTestHousehold()
  await sendInParallel(PARALLEL_GUESS_COUNT, (index) =>
    logIn(new TestClient(servers[index % 2] as TestServer), email, 'Wrong12345'),
  )
  expect((await logIn(new TestClient(servers[0]), email, TEST_PASSWORD)).status).toBe(429)
  expect((await logIn(createClientOnServer(adult, 1), email, TEST_PASSWORD)).status).toBe(200)
})

const PASSWORD_ENDPOINTS = ALL_ENDPOINTS.filter(
  ({ access, method, upload, proof, path }) =>
    access !== 'admin' && method !== 'GET' && !upload && (proof !== undefined || path.endsWith('/unlock')),
)

/** Sends a wrong password to an endpoint that accepts the password as a proof. `index` selects the endpoint. */
function sendWrongPasswordProof(device: TestClient, kidId: string, index: number): Promise<TestResponse> {
  const endpoint = PASSWORD_ENDPOINTS[index % PASSWORD_ENDPOINTS.length]
  if (!endpoint) throw new Error('no endpoint accepts a password')
  const sampleValues = { password: 'Wrong12345', current_password: 'Wrong12345', pin: PIN, language: 'fr' }
  const media_id = endpoint.path.endsWith('/viewings') ? '1' : null
  const body = createSampleBody(endpoint, { ...sampleValues, ...UPDATE_VALUES, media_id }) as Record<
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
  return createClientOnServer(device, index).send(endpoint.method, fillEndpointPath(endpoint, params), body)
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
  'at most ten passwords from one device are checked by %s',
  async (_name, endpointIndex) => {
    const { signIn, kidId } = await createTestHousehold()
    const device = Object.assign(await signIn(), { profileId: kidId })
    const responses = await sendInParallel(24, (index) => {
      return sendWrongPasswordProof(device, kidId, endpointIndex + index * PASSWORD_ENDPOINTS.length)
    })
    const wrongCount = responses.filter(({ body }) => body?.errors?.password?.[0] === 'wrong').length
    expect(wrongCount).toBe(countCheckedGuesses(responses))
    expect(wrongCount).toBeLessThanOrEqual(ATTEMPT_LIMITS.passwordDevice.allowedCount)
    expect(wrongCount).toBeGreaterThan(0)
  },
)

it('at most ten passwords from one device, and 30 from all devices, are checked across all calls that require the account password', async () => {
  const { signIn, kidId } = await createTestHousehold()
  const devices = await Promise.all(Array.from({ length: 6 }, signIn))
  for (const device of devices) device.profileId = kidId
  const [firstDevice] = devices
  if (!firstDevice) throw new Error('no device')
  const firstDeviceResponses = await sendInParallel(PARALLEL_GUESS_COUNT, (index) =>
    sendWrongPasswordProof(firstDevice, kidId, index),
  )
  expect(countCheckedGuesses(firstDeviceResponses)).toBeLessThanOrEqual(
    ATTEMPT_LIMITS.passwordDevice.allowedCount,
  )
  const otherDeviceResponses: TestResponse[] = []
  for (let round = 0; round < 3; round++)
    otherDeviceResponses.push(
      ...(await sendInParallel(PARALLEL_GUESS_COUNT, (index) =>
        sendWrongPasswordProof(devices[1 + (index % (devices.length - 1))] as TestClient, kidId, index),
      )),
    )
  expect(countCheckedGuesses([...firstDeviceResponses, ...otherDeviceResponses])).toBeLessThanOrEqual(
    ATTEMPT_LIMITS.passwordDevices.allowedCount,
  )
  const passwordChangeBody = { current_password: TEST_PASSWORD, new_password: 'Melies1902' }
  expect(
    (await createClientOnServer(firstDevice, 1).put('/api/auth/password', passwordChangeBody)).status,
  ).toBe(429)
})

it('at most five guesses of the PIN of a profile are checked across all devices and all calls that require the PIN', async () => {
  const { signIn, adult, mainId } = await createTestHousehold()
  const devices = await Promise.all(Array.from({ length: 4 }, signIn))
  const guessPin = (index: number) => {
    const pin = String(index).padStart(4, '0')
    const device = createClientOnServer(devices[index % devices.length] as TestClient, index)
    const actingDevice = createClientOnServer(adult, index)
    if (index % 3 === 0) return device.post(`/api/profile/${mainId}/unlock`, { pin })
    if (index % 3 === 1)
      return actingDevice.put(`/api/profile/${mainId}/update-lock`, { current_pin: pin, new_pin: '0000' })
    return actingDevice.put(`/api/profile/${mainId}/remove-lock`, { pin })
  }
  const responses = await sendInParallel(PARALLEL_GUESS_COUNT, guessPin)
  const checkedResponses = responses.filter(({ headers }) => !headers.has('retry-after'))
  expect(checkedResponses.length).toBeLessThanOrEqual(MAX_UNDELAYED_PIN_GUESSES)
  expect(new Set(responses.map(({ body }) => body.type))).toEqual(new Set(['invalid_pin']))
  const rightPinResponse = await createClientOnServer(devices[0] as TestClient, 1).post(
    `/api/profile/${mainId}/unlock`,
    {
      pin: PIN,
    },
  )
  expect([rightPinResponse.status, rightPinResponse.body.type]).toEqual([403, 'invalid_pin'])
})

it('at most five guesses of the exit PIN of an account are checked, and then even the right exit PIN is rejected', async () => {
  const { signIn, adult, kidId } = await createTestHousehold()
  const teenId = (await adult.post('/api/profile', { name: 'Teen' })).body.profile_id
  await adult.put('/api/user/family/exit-pin', { pin: '9731' })
  const devices = await Promise.all(Array.from({ length: 4 }, signIn))
  for (const device of devices)
    await Object.assign(device, { profileId: kidId }).get(`/api/profile/${kidId}/continue-watching`)
  const guessExitPin = (index: number, pin: string) =>
    createClientOnServer(devices[index % devices.length] as TestClient, index).post(
      `/api/profile/${teenId}/unlock`,
      {
        pin,
      },
    )
  const responses = await sendInParallel(PARALLEL_GUESS_COUNT, (index) =>
    guessExitPin(index, String(index).padStart(4, '0')),
  )
  const checkedResponses = responses.filter(({ headers }) => !headers.has('retry-after'))
  expect(checkedResponses.length).toBeGreaterThan(0)
  expect(checkedResponses.length).toBeLessThanOrEqual(ATTEMPT_LIMITS.exitPin.allowedCount)
  expect(new Set(responses.map(({ body }) => body.type))).toEqual(new Set(['invalid_pin']))
  expect((await guessExitPin(1, '9731')).status).toBe(403)
})

/**
 * Keeps the hash queue full, with hashes for many accounts, until the returned function is called. The hashes have the
 * default cost instead of the reduced cost of tests, so that the queue stays full for longer than a request takes.
 */
function keepHashQueueFull(): () => Promise<void> {
  const fullCostDeps = { config: readConfig({}) }
  let isStopped = false
  const hashRepeatedly = async (requesterKey: string) => {
    while (!isStopped) {
      await hashPassword(fullCostDeps, requesterKey, TEST_PASSWORD).catch(() => {})
      await yieldToEventLoop()
    }
  }
  const requesterCount = 36 + availableParallelism()
  const hashLoops = Array.from({ length: requesterCount }, (_, index) => hashRepeatedly(`requester ${index}`))
  return async () => {
    isStopped = true
    await Promise.all(hashLoops)
  }
}

it('when the hash queue is full, right PINs and exit PINs are not checked and do not count as failures', async () => {
  const { signIn, adult, mainId, kidId } = await createTestHousehold()
  const teenId = (await adult.post('/api/profile', { name: 'Teen' })).body.profile_id
  await adult.put('/api/user/family/exit-pin', { pin: '9731' })
  const parentDevice = await signIn()
  const kidDevice = Object.assign(await signIn(), { profileId: kidId })
  await kidDevice.get(`/api/profile/${kidId}/continue-watching`)
  const unlockMain = () => parentDevice.post(`/api/profile/${mainId}/unlock`, { pin: PIN })
  const unlockTeen = () => kidDevice.post(`/api/profile/${teenId}/unlock`, { pin: '9731' })
  const freeHashQueue = keepHashQueueFull()
  const responseTypes: string[] = []
  try {
    for (const unlock of [unlockMain, unlockTeen])
      for (let attempt = 0; attempt <= MAX_UNDELAYED_PIN_GUESSES; attempt += 1) {
        const { status, body } = await unlock()
        responseTypes.push(status === 200 ? 'unlocked' : body.type)
      }
  } finally {
    await freeHashQueue()
  }
  expect(responseTypes).toContain('overloaded')
  expect(responseTypes.filter((type) => type !== 'overloaded' && type !== 'unlocked')).toEqual([])
  expect([(await unlockMain()).status, (await unlockTeen()).status]).toEqual([200, 200])
})

it.each(['/api/auth/validate-invitation', '/api/auth/register'])(
  '%s checks at most 20 parallel invitation tokens from one IP address, and then rejects even a valid token',
  async (path) => {
    await clearRateLimits()
    const body = path.endsWith('register') ? { email: 'new@example.org', password: TEST_PASSWORD } : {}
    const presentInvitation = (index: number, token: string) =>
      new TestClient(servers[index % 2] as TestServer).send('POST', path, body, {
        Authorization: `Bearer ${token}`,
      })
    const responses = await sendInParallel(PARALLEL_GUESS_COUNT, (index) =>
      presentInvitation(index, createRandomToken()),
    )
    expect(countCheckedGuesses(responses)).toBeLessThanOrEqual(ATTEMPT_LIMITS.invitationAddress.allowedCount)
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

it.each(['validate', 'complete'])(
  'at most 20 password reset links from one IP address are checked by the call %s',
  async (resetPathEnd) => {
    const { email, accountId } = await createTestHousehold()
    const presentResetToken = (index: number, token: string) =>
      new TestClient(servers[index % 2] as TestServer).post(`/api/auth/password-reset/${resetPathEnd}`, {
        token,
        ...(resetPathEnd === 'complete' && { new_password: 'Melies1902' }),
      })
    const responses = await sendInParallel(200, (index) => presentResetToken(index, createRandomToken()))
    expect(countCheckedGuesses(responses)).toBeLessThanOrEqual(ATTEMPT_LIMITS.resetLinkAddress.allowedCount)
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
  },
)

it.each([
  ['validations of email change links', 'POST', '/api/auth/email/validate', 'emailLinkAddress'],
  ['uses of email change links', 'POST', '/api/auth/email/complete', 'emailLinkAddress'],
  ['responses of identity providers', 'POST', '/api/auth/providers/stub/complete', 'providerAddress'],
  ['API keys', 'GET', '/api/movies', 'apiKeyAddress'],
] as const)('at most 20 %s from one IP address are checked', async (_name, method, path, limitName) => {
  await clearRateLimits()
  const presentRandomToken = (index: number) => {
    const client = new TestClient(servers[index % 2] as TestServer)
    const token = createRandomToken()
    if (method === 'GET') return Object.assign(client, { accessToken: `mqk_${token}` }).get(path)
    return client.post(path, path.includes('providers') ? { response: `state=${token}` } : { token })
  }
  const responses = await sendInParallel(200, presentRandomToken)
  expect(countCheckedGuesses(responses)).toBeGreaterThan(0)
  expect(countCheckedGuesses(responses)).toBeLessThanOrEqual(ATTEMPT_LIMITS[limitName].allowedCount)
})

it('at most ten parallel second-factor codes of an account are checked at sign-in, and at most ten from a signed-in device', async () => {
  const { email, adult, signIn, mainId } = await createTestHousehold()
  const device = Object.assign(await signIn(), { profileId: mainId })
  await device.post(`/api/profile/${mainId}/unlock`, { pin: PIN })
  const { body: totpSetup } = await adult.post('/api/auth/totp', { password: TEST_PASSWORD })
  const totp = new TOTP({ secret: Secret.fromBase32(totpSetup.secret) })
  const generateCode = (offsetSeconds = 0) =>
    totp.generate({ timestamp: servers[0].deps.now() + offsetSeconds * 1000 })
  await adult.post('/api/auth/totp/confirm', { code: generateCode() })
  const tokens: string[] = []
  for (let index = 0; index < 6; index++)
    tokens.push(
      (await logIn(new TestClient(servers[index % 2] as TestServer), email, TEST_PASSWORD)).body
        .sign_in_token,
    )
  const presentSecondFactorCode = (index: number, code: string) =>
    new TestClient(servers[index % 2] as TestServer).post('/api/auth/login/second-factor', {
      sign_in_token: tokens[index % tokens.length],
      code,
    })
  const signInResponses = await sendInParallel(PARALLEL_GUESS_COUNT, (index) =>
    presentSecondFactorCode(index, generateCode(-3600 - index * 30)),
  )
  const wrongCodeResponses = signInResponses.filter(({ body }) => body.errors?.second_factor?.[0] === 'wrong')
  expect(wrongCodeResponses.length).toBeGreaterThan(0)
  expect(wrongCodeResponses.length).toBeLessThanOrEqual(ATTEMPT_LIMITS.secondFactorAccount.allowedCount)
  await servers[0].database.primary.deleteFrom('rate_limit').where('bucket', 'like', 'password%').execute()
  const freshSignInToken = (await logIn(new TestClient(servers[0]), email, TEST_PASSWORD)).body.sign_in_token
  const validCodeBody = { sign_in_token: freshSignInToken, code: generateCode(30) }
  expect((await new TestClient(servers[1]).post('/api/auth/login/second-factor', validCodeBody)).status).toBe(
    429,
  )
  const confirmSecondFactor = (index: number, code: string) =>
    createClientOnServer(device, index).post('/api/auth/second-factor/confirm', { code })
  const confirmationResponses = await sendInParallel(PARALLEL_GUESS_COUNT, (index) =>
    confirmSecondFactor(index, generateCode(-3600 - index * 30)),
  )
  expect(countCheckedGuesses(confirmationResponses)).toBeGreaterThan(0)
  expect(countCheckedGuesses(confirmationResponses)).toBeLessThanOrEqual(
    ATTEMPT_LIMITS.secondFactorDevice.allowedCount,
  )
  expect((await confirmSecondFactor(1, generateCode(30))).status).toBe(429)
  expect(
    (await createClientOnServer(adult, 0).post('/api/auth/second-factor/confirm', { code: generateCode(30) }))
      .status,
  ).toBe(204)
})

it('at most 30 user codes entered on one account are checked, and then even the right code is rejected with 429', async () => {
  const { signIn, mainId } = await createTestHousehold()
  const devices = await Promise.all(Array.from({ length: 6 }, signIn))
  for (const device of devices) {
    await device.post(`/api/profile/${mainId}/unlock`, { pin: PIN })
    device.profileId = mainId
  }
  const { body: deviceCodes } = await new TestClient(servers[0]).post('/api/auth/device-code')
  const guessUserCode = (index: number) => {
    const user_code = `BCDFGH${'BCDFGHJKLMNPQRSTVWXZ'[index % 20]}${'BCDFGHJKLMNPQRSTVWXZ'[Math.floor(index / 20)]}`
    const device = createClientOnServer(devices[index % devices.length] as TestClient, index)
    return index % 2 === 0
      ? device.post('/api/auth/device-code/lookup', { user_code })
      : device.post('/api/auth/device-code/decision', { user_code, approve: true })
  }
  const responses = await sendInParallel(200, guessUserCode)
  expect(countCheckedGuesses(responses)).toBeGreaterThan(0)
  expect(countCheckedGuesses(responses)).toBeLessThanOrEqual(ATTEMPT_LIMITS.userCodeAccount.allowedCount)
  const approvalBody = { user_code: deviceCodes.user_code, approve: true }
  const device = createClientOnServer(devices[0] as TestClient, 1)
  expect((await device.post('/api/auth/device-code/decision', approvalBody)).status).toBe(429)
  const { device_code } = deviceCodes
  const pollResponse = await new TestClient(servers[1]).post('/api/auth/device-code/token', { device_code })
  expect(pollResponse.body.state).toBe('pending')
})
