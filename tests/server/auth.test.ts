import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { insertInvitation } from '../../server/queries/invitation.ts'
import { createRandomId, createRandomToken, sha256 } from '../../server/services/auth/secret.ts'
import { Device } from '../support/client.ts'
import { addAccount, PASSWORD, startServer, type TestServer } from '../support/server.ts'

let server: TestServer
beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.close())

async function invite(email: string | null = null, life = 86_400_000): Promise<string> {
  const token = createRandomToken()
  await insertInvitation(server.database.primary, {
    invitation_id: createRandomId(),
    token_hash: sha256(token),
    email,
    role: 'user',
    language: 'fr',
    created_at: server.deps.now(),
    expires_at: server.deps.now() + life,
  })
  return token
}

describe('signing in', () => {
  it('answers tokens and sets one careful cookie', async () => {
    await addAccount(server, 'alice@example.com')
    const device = new Device(server)
    const answer = await device.login('Alice@Example.com')
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      token_type: 'Bearer',
      expires_in: 600,
      user: { email: 'alice@example.com' },
    })
    expect(answer.headers.get('set-cookie')).toMatch(
      /^rt=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
    )
    expect(JSON.stringify(answer.body)).not.toContain(device.cookie?.slice(3))
    expect((await device.get('/api/auth/me')).body.email).toBe('alice@example.com')
  })

  it('gives one answer for a wrong password, an unknown e-mail and a blocked account', async () => {
    const blocked = await addAccount(server, 'blocked@example.com')
    await addAccount(server, 'alice@example.com')
    await server.database.primary
      .updateTable('account')
      .set({ blocked: 1 })
      .where('account_id', '=', blocked.account_id)
      .execute()
    const device = new Device(server)
    const answers = [
      await device.login('alice@example.com', 'Wrong12345'),
      await device.login('nobody@example.com'),
      await device.login('blocked@example.com'),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(401)
      expect(answer.body).toEqual({
        type: 'unauthorized',
        status_code: 401,
        message: 'Email or password incorrect',
        errors: {},
      })
    }
  })

  it('slows failures down, and lets the right password wait too', async () => {
    await addAccount(server, 'alice@example.com')
    const device = new Device(server)
    for (let i = 0; i < 10; i++) await device.login('alice@example.com', 'Wrong12345')
    const limited = await device.login('alice@example.com')
    expect(limited.status).toBe(429)
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    server.advance(16 * 60_000)
    expect((await device.login('alice@example.com')).status).toBe(200)
  })
})

describe('staying signed in', () => {
  it('gives twenty refreshes at once the same successor, fifty rounds long, and signs nobody out', async () => {
    await addAccount(server, 'alice@example.com')
    const device = new Device(server)
    await device.login('alice@example.com')
    for (let round = 0; round < 50; round++) {
      const cookie = device.cookie ?? ''
      const answers = await Promise.all(
        Array.from({ length: 20 }, () =>
          server.request('/api/auth/refresh', { method: 'POST', headers: { cookie } }),
        ),
      )
      expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200))
      const successors = new Set(answers.map((answer) => answer.headers.get('set-cookie')?.split(';')[0]))
      expect(successors.size).toBe(1)
      device.cookie = [...successors][0] ?? null
    }
    const logins = await server.database.primary.selectFrom('login').selectAll().execute()
    expect(logins).toHaveLength(1)
    expect(logins[0]?.generation).toBe(51)
  })

  it('ends the family when an old token comes back', async () => {
    await addAccount(server, 'alice@example.com')
    const device = new Device(server)
    await device.login('alice@example.com')
    const first = device.cookie
    await device.post('/api/auth/refresh')
    const second = device.cookie
    await device.post('/api/auth/refresh')
    device.cookie = first
    expect((await device.post('/api/auth/refresh')).status).toBe(401)
    device.cookie = second
    expect((await device.post('/api/auth/refresh')).status).toBe(401)
    expect((await device.get('/api/auth/me')).status).toBe(401)
    const events = await server.database.primary.selectFrom('audit_event').select('action').execute()
    expect(events.map((event) => event.action)).toContain('refresh_reuse')
  })

  it('honours a retry whose answer was lost for a minute, and no longer', async () => {
    await addAccount(server, 'alice@example.com')
    const device = new Device(server)
    await device.login('alice@example.com')
    const first = device.cookie
    await device.post('/api/auth/refresh')
    server.advance(50_000)
    device.cookie = first
    expect((await device.post('/api/auth/refresh')).status).toBe(200)
    server.advance(11_000)
    device.cookie = first
    expect((await device.post('/api/auth/refresh')).status).toBe(401)
  })

  it('ends after 14 idle days, and after 90 days however busy', async () => {
    await addAccount(server, 'alice@example.com')
    const idle = new Device(server)
    await idle.login('alice@example.com')
    const busy = new Device(server)
    await busy.login('alice@example.com')
    for (let day = 0; day < 89; day += 13) {
      expect((await busy.post('/api/auth/refresh')).status).toBe(200)
      server.advance(13 * 86_400_000)
    }
    expect((await busy.post('/api/auth/refresh')).status).toBe(401)
    expect((await idle.post('/api/auth/refresh')).status).toBe(401)
  })

  it('refuses a tampered token and changes nothing', async () => {
    await addAccount(server, 'alice@example.com')
    const device = new Device(server)
    await device.login('alice@example.com')
    const cookie = device.cookie ?? ''
    device.cookie = `${cookie.slice(0, -2)}xx`
    expect((await device.post('/api/auth/refresh')).status).toBe(401)
    device.cookie = cookie
    expect((await device.post('/api/auth/refresh')).status).toBe(200)
  })

  it('signs out at once, access token included', async () => {
    await addAccount(server, 'alice@example.com')
    const device = new Device(server)
    await device.login('alice@example.com')
    expect((await device.post('/api/auth/logout')).status).toBe(204)
    expect((await device.get('/api/auth/me')).status).toBe(401)
  })
})

describe('registering', () => {
  it('opens exactly one account of fifty at once', async () => {
    const token = await invite()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        new Device(server).send(
          'POST',
          '/api/auth/register',
          { email: `new${i}@example.com`, password: PASSWORD },
          { Authorization: `Bearer ${token}` },
        ),
      ),
    )
    const statuses = answers.map((answer) => answer.status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.every((status) => [201, 401, 503].includes(status))).toBe(true)
    expect(await server.database.primary.selectFrom('account').selectAll().execute()).toHaveLength(1)
  })

  it('keeps to the e-mail of the invitation, its expiry and the password rule', async () => {
    const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
    const device = new Device(server)
    const bound = await invite('carol@example.com')
    const register = (token: string, body: unknown) =>
      device.send('POST', '/api/auth/register', body, bearer(token))
    const other = await register(bound, { email: 'mallory@example.com', password: PASSWORD })
    expect([other.status, other.body.errors]).toEqual([422, { email: ['not_invited'] }])
    const weak = await register(bound, { email: 'carol@example.com', password: 'short' })
    expect(weak.body.errors.password).toEqual(['too_short', 'no_number', 'no_uppercase'])
    const role = await register(bound, { email: 'carol@example.com', password: PASSWORD, role: 'admin' })
    expect([role.status, role.body.errors]).toEqual([422, { body: ['unrecognized_keys'] }])
    const late = await invite(null, 1000)
    server.advance(2000)
    expect((await register(late, { email: 'late@example.com', password: PASSWORD })).status).toBe(401)
    const done = await register(bound, { email: 'carol@example.com', password: PASSWORD })
    expect([done.status, done.body.user.preferences.interface_language]).toEqual([201, 'fr'])
    expect((await register(bound, { email: 'carol@example.com', password: PASSWORD })).status).toBe(401)
  })
})
