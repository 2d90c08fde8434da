import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { insertInvitation } from '../../server/queries/invitation.ts'
import { createRandomId, createRandomToken, sha256 } from '../../server/services/auth/secret.ts'
import { insertTestAccount, startTestServer, TEST_PASSWORD, type TestServer } from '../support/server.ts'
import { TestClient } from '../support/test-client.ts'

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
})
afterEach(() => server.close())

async function createInvitation(email: string | null = null, lifetimeMs = 86_400_000): Promise<string> {
  const token = createRandomToken()
  await insertInvitation(server.database.primary, {
    invitation_id: createRandomId(),
    token_hash: sha256(token),
    email,
    role: 'user',
    language: 'fr',
    created_at: server.deps.now(),
    expires_at: server.deps.now() + lifetimeMs,
  })
  return token
}

describe('login', () => {
  it('returns an access token and sets an HttpOnly, SameSite=Strict refresh cookie', async () => {
    await insertTestAccount(server, 'alice@example.com')
    const device = new TestClient(server)
    const response = await device.login('Alice@Example.com')
    expect(response.status).toBe(200)
    expect(response.body).toMatchObject({
      token_type: 'Bearer',
      expires_in: 600,
      user: { email: 'alice@example.com' },
    })
    expect(response.headers.get('set-cookie')).toMatch(
      /^rt=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
    )
    expect(JSON.stringify(response.body)).not.toContain(device.cookie?.slice(3))
    expect((await device.get('/api/auth/me')).body.email).toBe('alice@example.com')
  })

  it('returns the same 401 for a wrong password, an unknown email and a blocked account', async () => {
    const blockedAccount = await insertTestAccount(server, 'blocked@example.com')
    await insertTestAccount(server, 'alice@example.com')
    await server.database.primary
      .updateTable('account')
      .set({ blocked: 1 })
      .where('account_id', '=', blockedAccount.account_id)
      .execute()
    const device = new TestClient(server)
    const responses = [
      await device.login('alice@example.com', 'Wrong12345'),
      await device.login('nobody@example.com'),
      await device.login('blocked@example.com'),
    ]
    for (const response of responses) {
      expect(response.status).toBe(401)
      expect(response.body).toEqual({
        type: 'unauthorized',
        status_code: 401,
        message: 'Email or password incorrect',
        errors: {},
      })
    }
  })

  it('rejects even the right password with 429 after ten wrong passwords, until the limit expires', async () => {
    await insertTestAccount(server, 'alice@example.com')
    const device = new TestClient(server)
    for (let attempt = 0; attempt < 10; attempt++) await device.login('alice@example.com', 'Wrong12345')
    const rateLimitedResponse = await device.login('alice@example.com')
    expect(rateLimitedResponse.status).toBe(429)
    expect(Number(rateLimitedResponse.headers.get('retry-after'))).toBeGreaterThan(0)
    server.advanceClock(16 * 60_000)
    expect((await device.login('alice@example.com')).status).toBe(200)
  })
})

describe('session', () => {
  it('returns the same new refresh token to 20 concurrent refreshes, in each of 50 rounds', async () => {
    await insertTestAccount(server, 'alice@example.com')
    const device = new TestClient(server)
    await device.login('alice@example.com')
    for (let round = 0; round < 50; round++) {
      const cookie = device.cookie ?? ''
      const responses = await Promise.all(
        Array.from({ length: 20 }, () =>
          server.request('/api/auth/refresh', { method: 'POST', headers: { cookie } }),
        ),
      )
      expect(responses.map((response) => response.status)).toEqual(Array(20).fill(200))
      const successorCookies = new Set(
        responses.map((response) => response.headers.get('set-cookie')?.split(';')[0]),
      )
      expect(successorCookies.size).toBe(1)
      device.cookie = [...successorCookies][0] ?? null
      // Advances the clock by 21 s after 20 requests, because the server accepts at most 60 refresh requests per login
      // and minute.
      server.advanceClock(21_000)
    }
    const logins = await server.database.primary.selectFrom('login').selectAll().execute()
    expect(logins).toHaveLength(1)
    expect(logins[0]?.generation).toBe(51)
  })

  it('revokes the login when a refresh token that has been replaced twice is used again', async () => {
    await insertTestAccount(server, 'alice@example.com')
    const device = new TestClient(server)
    await device.login('alice@example.com')
    const firstCookie = device.cookie
    await device.post('/api/auth/refresh')
    const secondCookie = device.cookie
    await device.post('/api/auth/refresh')
    device.cookie = firstCookie
    expect((await device.post('/api/auth/refresh')).status).toBe(401)
    device.cookie = secondCookie
    expect((await device.post('/api/auth/refresh')).status).toBe(401)
    expect((await device.get('/api/auth/me')).status).toBe(401)
    const events = await server.database.primary.selectFrom('audit_event').select('action').execute()
    expect(events.map((event) => event.action)).toContain('refresh_reuse')
  })

  it('accepts a retry with the previous refresh token for one minute', async () => {
    await insertTestAccount(server, 'alice@example.com')
    const device = new TestClient(server)
    await device.login('alice@example.com')
    const firstCookie = device.cookie
    await device.post('/api/auth/refresh')
    server.advanceClock(50_000)
    device.cookie = firstCookie
    expect((await device.post('/api/auth/refresh')).status).toBe(200)
    server.advanceClock(11_000)
    device.cookie = firstCookie
    expect((await device.post('/api/auth/refresh')).status).toBe(401)
  })

  it('a session expires 14 days after its last refresh', async () => {
    await insertTestAccount(server, 'alice@example.com')
    const idleDevice = new TestClient(server)
    await idleDevice.login('alice@example.com')
    const activeDevice = new TestClient(server)
    await activeDevice.login('alice@example.com')
    server.advanceClock(14 * 86_400_000 - 1_000)
    expect((await activeDevice.post('/api/auth/refresh')).status).toBe(200)
    server.advanceClock(1_000)
    expect((await idleDevice.post('/api/auth/refresh')).status).toBe(401)
    expect((await activeDevice.post('/api/auth/refresh')).status).toBe(200)
  })

  it('a session expires after 90 days even if it is refreshed every 13 days', async () => {
    await insertTestAccount(server, 'alice@example.com')
    const activeDevice = new TestClient(server)
    await activeDevice.login('alice@example.com')
    for (let day = 0; day < 89; day += 13) {
      expect((await activeDevice.post('/api/auth/refresh')).status).toBe(200)
      server.advanceClock(13 * 86_400_000)
    }
    expect((await activeDevice.post('/api/auth/refresh')).status).toBe(401)
  })

  it('rejects a modified refresh token and keeps the session valid', async () => {
    await insertTestAccount(server, 'alice@example.com')
    const device = new TestClient(server)
    await device.login('alice@example.com')
    const cookie = device.cookie ?? ''
    device.cookie = `${cookie.slice(0, -2)}xx`
    expect((await device.post('/api/auth/refresh')).status).toBe(401)
    device.cookie = cookie
    expect((await device.post('/api/auth/refresh')).status).toBe(200)
  })

  it('rejects the access token immediately after logout', async () => {
    await insertTestAccount(server, 'alice@example.com')
    const device = new TestClient(server)
    await device.login('alice@example.com')
    expect((await device.post('/api/auth/logout')).status).toBe(204)
    expect((await device.get('/api/auth/me')).status).toBe(401)
  })
})

describe('registration', () => {
  it('creates exactly one account from 50 concurrent registrations with one invitation', async () => {
    const token = await createInvitation()
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        new TestClient(server).send(
          'POST',
          '/api/auth/register',
          { email: `new${index}@example.com`, password: TEST_PASSWORD },
          { Authorization: `Bearer ${token}` },
        ),
      ),
    )
    const statuses = responses.map((response) => response.status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.every((status) => [201, 401, 429, 503].includes(status))).toBe(true)
    expect(await server.database.primary.selectFrom('account').selectAll().execute()).toHaveLength(1)
  })

  it('rejects an email that was not invited, a weak password, an unknown field, and an expired or used invitation', async () => {
    const createBearerHeader = (token: string) => ({ Authorization: `Bearer ${token}` })
    const device = new TestClient(server)
    const emailBoundToken = await createInvitation('carol@example.com')
    const registerAccount = (token: string, body: unknown) =>
      device.send('POST', '/api/auth/register', body, createBearerHeader(token))
    const otherEmailResponse = await registerAccount(emailBoundToken, {
      email: 'mallory@example.com',
      password: TEST_PASSWORD,
    })
    expect([otherEmailResponse.status, otherEmailResponse.body.errors]).toEqual([
      422,
      { email: ['not_invited'] },
    ])
    const weakPasswordResponse = await registerAccount(emailBoundToken, {
      email: 'carol@example.com',
      password: 'short',
    })
    expect(weakPasswordResponse.body.errors.password).toEqual(['too_short', 'no_number', 'no_uppercase'])
    const extraFieldResponse = await registerAccount(emailBoundToken, {
      email: 'carol@example.com',
      password: TEST_PASSWORD,
      role: 'admin',
    })
    expect([extraFieldResponse.status, extraFieldResponse.body.errors]).toEqual([
      422,
      { body: ['unrecognized_keys'] },
    ])
    const expiredToken = await createInvitation(null, 1000)
    server.advanceClock(2000)
    expect(
      (await registerAccount(expiredToken, { email: 'late@example.com', password: TEST_PASSWORD })).status,
    ).toBe(401)
    const registerResponse = await registerAccount(emailBoundToken, {
      email: 'carol@example.com',
      password: TEST_PASSWORD,
    })
    expect([registerResponse.status, registerResponse.body.user.preferences.interface_language]).toEqual([
      201,
      'fr',
    ])
    expect(
      (await registerAccount(emailBoundToken, { email: 'carol@example.com', password: TEST_PASSWORD }))
        .status,
    ).toBe(401)
  })
})
