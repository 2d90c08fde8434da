/** Sign-in of a television with a code that a signed-in device approves (RFC 8628), on SQLite and PostgreSQL. */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { ATTEMPT_LIMITS } from '../../server/services/auth/attempt-limit.ts'
import { formatUserCode, parseUserCode, USER_CODE_ALPHABET } from '../../src/lib/rules/user-code.ts'
import { DATABASES, TEST_PASSWORD, type TestServer } from '../support/server.ts'
import { TestClient } from '../support/test-client.ts'
import { createHousehold, type Household, refreshToken, useHouseholds } from './security/household.ts'

const TELEVISION_USER_AGENT =
  'Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/108.0'
const MINUTE_MS = 60_000

/** Makes the database reject new rows in the table `login`. */
async function rejectNewLogins({ database: { kind, primary } }: TestServer): Promise<void> {
  const statements =
    kind === 'sqlite'
      ? ["create trigger reject_login before insert on login begin select raise(abort, 'no login'); end"]
      : [
          `create function reject_login() returns trigger language plpgsql as
            $$ begin raise exception 'no login'; end $$`,
          'create trigger reject_login before insert on login for each row execute function reject_login()',
        ]
  for (const statement of statements) await sql.raw(statement).execute(primary)
}

async function acceptNewLogins({ database: { kind, primary } }: TestServer): Promise<void> {
  const statement = kind === 'sqlite' ? 'drop trigger reject_login' : 'drop function reject_login() cascade'
  await sql.raw(statement).execute(primary)
}

describe('the user code', () => {
  it('a user code is accepted in lower case, with spaces and with any kind of hyphen', () => {
    expect(['WDJB-MJHT', 'wdjbmjht', ' wdjb mjht ', 'WDJB–MJHT'].map(parseUserCode)).toEqual(
      Array(4).fill('WDJBMJHT'),
    )
    expect(formatUserCode('WDJBMJHT')).toBe('WDJB-MJHT')
  })

  it.each([
    ['full-width letters', 'ＷＤＪＢ－ＭＪＨＴ'],
    ['other separators', 'WDJB.MJHT'],
    ['a minus sign', 'WDJB\u2212MJHT'],
    ['invisible direction marks', '\u2066WDJB-MJHT\u2069\u200F'],
    ['Cyrillic letters', 'WDЈВ-МЈНТ'],
    ['Greek letters', 'WDJΒ-ΜJΗΤ'],
  ])('a user code is accepted with %s', (_difference, codeText) => {
    expect(parseUserCode(codeText)).toBe('WDJBMJHT')
  })

  it('a digit or letter that looks like a letter of user codes is read as that letter', () => {
    expect(['B5ZV-CCCC', '8SZV-CCCC', '٨٥2u-cccc'].map(parseUserCode)).toEqual(Array(3).fill('BSZVCCCC'))
  })

  it.each(['', 'WDJB-MJH', 'WDJB-MJHTB', 'WDJB-MJHA', 'WDJB-MJH0', 'WDJB-MJH\u0000'])(
    'the text %j is rejected as a user code',
    (codeText) => {
      expect(parseUserCode(codeText)).toBeNull()
    },
  )
})

describe.each(DATABASES)('sign-in with a code on %s', (_name, openTestDatabase) => {
  let server: TestServer
  let household: Household
  useHouseholds(openTestDatabase, (newServer, newHousehold) => {
    server = newServer
    household = newHousehold
  })

  const startDeviceSignIn = async (body: object = {}) => {
    const television = new TestClient(server)
    const headers = { 'User-Agent': TELEVISION_USER_AGENT }
    const { status, body: codes } = await television.send('POST', '/api/auth/device-code', body, headers)
    expect(status).toBe(201)
    const { device_code, user_code } = codes as Record<string, string>
    const pollForLogin = async () => {
      const { body: reply } = await television.post('/api/auth/device-code/token', { device_code })
      if (reply.tokens) television.accessToken = reply.tokens.access_token
      return reply
    }
    return { television, pollForLogin, codes, device_code, user_code }
  }
  const sendDecision = (device: TestClient, body: object) =>
    device.post('/api/auth/device-code/decision', body)
  const countLogins = async () => (await household.adult.get('/api/auth/devices')).body.total_results
  const lookUpCode = (device: TestClient, body: object) => device.post('/api/auth/device-code/lookup', body)

  it('signs the television in once, with the chosen profile', async () => {
    const { television, pollForLogin, codes, user_code } = await startDeviceSignIn()
    expect(codes).toMatchObject({ expires_in: 600, interval: 5 })
    expect(codes.user_code).toMatch(new RegExp(`^[${USER_CODE_ALPHABET}]{4}-[${USER_CODE_ALPHABET}]{4}$`))
    expect(codes.verification_uri_complete).toBe(
      `${codes.verification_uri}?code=${codes.user_code.replace('-', '')}`,
    )
    expect(await pollForLogin()).toEqual({ state: 'pending', interval: 5 })
    const { adult, kidId, accountId } = household
    expect((await sendDecision(adult, { user_code, approve: true, profile_id: kidId })).status).toBe(204)
    const reply = await pollForLogin()
    expect(reply).toMatchObject({
      state: 'approved',
      profile_id: kidId,
      tokens: { user: { user_id: accountId } },
    })
    expect((await television.get('/api/auth/me')).body.user_id).toBe(accountId)
    expect((await television.post('/api/auth/refresh')).status).toBe(200)
    const { body: devices } = await adult.get('/api/auth/devices')
    expect(devices.results.map((device: { name: string }) => device.name)).toContain('Chrome · LG TV')
    expect(await pollForLogin()).toEqual({ state: 'expired' })
  })

  it('returns the same new login to several parallel polls', async () => {
    const { pollForLogin, user_code } = await startDeviceSignIn()
    await sendDecision(household.adult, { user_code, approve: true })
    const loginCount = await countLogins()
    const replies = await Promise.all(Array.from({ length: 12 }, pollForLogin))
    expect(new Set(replies.map(({ state }) => state))).toEqual(new Set(['approved']))
    expect(await countLogins()).toBe(loginCount + 1)
  })

  it('describes the television to the person who approves or denies the sign-in', async () => {
    const { user_code } = await startDeviceSignIn({ device_name: 'Living room' })
    const { status, body } = await lookUpCode(household.adult, { user_code: user_code?.toLowerCase() })
    expect([status, body]).toEqual([
      200,
      {
        name: 'Living room',
        ip: null,
        same_network: false,
        requested_at: expect.any(String),
        expires_at: expect.any(String),
        account_email: household.email,
      },
    ])
    expect(Date.parse(body.expires_at) - Date.parse(body.requested_at)).toBe(10 * MINUTE_MS)
  })

  it('accepts the same decision from two tabs at the same time, and only one of two different decisions', async () => {
    const sendDecisions = async (approvals: boolean[]) => {
      const { user_code } = await startDeviceSignIn()
      const responses = await Promise.all(
        approvals.map((approve) => sendDecision(household.adult, { user_code, approve })),
      )
      return responses.map(({ status }) => status)
    }
    expect(await sendDecisions([true, true])).toEqual([204, 204])
    expect((await sendDecisions([true, false])).sort()).toEqual([204, 404])
  })

  it('tells the television that the user has denied the code', async () => {
    const { pollForLogin, user_code } = await startDeviceSignIn()
    expect((await sendDecision(household.adult, { user_code, approve: false })).status).toBe(204)
    expect([await pollForLogin(), await pollForLogin()]).toEqual([{ state: 'denied' }, { state: 'denied' }])
    expect((await sendDecision(household.adult, { user_code, approve: true })).status).toBe(404)
  })

  it('signs the television in with a poll 30 seconds after the approval although the code has expired by then, but not with a poll 11 minutes after the approval', async () => {
    const { pollForLogin, user_code } = await startDeviceSignIn()
    const { adult } = household
    server.advanceClock(10 * MINUTE_MS - 1_000)
    await refreshToken(adult)
    expect((await sendDecision(adult, { user_code, approve: true })).status).toBe(204)
    server.advanceClock(30_000)
    expect((await pollForLogin()).state).toBe('approved')
    const unclaimedSignIn = await startDeviceSignIn()
    await sendDecision(adult, { user_code: unclaimedSignIn.user_code, approve: true })
    server.advanceClock(11 * MINUTE_MS)
    expect(await unclaimedSignIn.pollForLogin()).toEqual({ state: 'expired' })
    await refreshToken(adult)
  })

  it('rejects wrong, already used and expired codes with the same response', async () => {
    const { adult } = household
    const usedSignIn = await startDeviceSignIn()
    await sendDecision(adult, { user_code: usedSignIn.user_code, approve: true })
    await usedSignIn.pollForLogin()
    const expiredSignIn = await startDeviceSignIn()
    server.advanceClock(10 * MINUTE_MS)
    await refreshToken(adult)
    const userCodes = [usedSignIn.user_code, expiredSignIn.user_code, 'BBBB-BBBB', 'AAAA-AAAA']
    for (const user_code of userCodes)
      for (const response of [
        await lookUpCode(adult, { user_code }),
        await sendDecision(adult, { user_code, approve: true }),
      ])
        expect([user_code, response.status, response.body]).toEqual([
          user_code,
          404,
          {
            type: 'not_found',
            status_code: 404,
            message: 'This code cannot be used.',
            errors: { user_code: ['unusable'] },
          },
        ])
    expect([await expiredSignIn.pollForLogin(), await usedSignIn.pollForLogin()]).toEqual([
      { state: 'expired' },
      { state: 'expired' },
    ])
  })

  it('returns the login only for the device code, and rejects the user code that the screen shows', async () => {
    const { pollForLogin, user_code } = await startDeviceSignIn()
    await sendDecision(household.adult, { user_code, approve: true })
    const otherClient = new TestClient(server)
    const otherSignIn = await startDeviceSignIn()
    for (const device_code of [user_code, user_code?.replace('-', ''), otherSignIn.device_code, 'x'])
      expect(
        (await otherClient.post('/api/auth/device-code/token', { device_code })).body.tokens,
      ).toBeUndefined()
    expect((await pollForLogin()).state).toBe('approved')
  })

  it('returns slow_down to a television that polls too often', async () => {
    const { pollForLogin } = await startDeviceSignIn()
    expect([await pollForLogin(), await pollForLogin(), await pollForLogin()]).toEqual([
      { state: 'pending', interval: 5 },
      { state: 'slow_down', interval: 10 },
      { state: 'slow_down', interval: 15 },
    ])
    server.advanceClock(15_000)
    expect(await pollForLogin()).toEqual({ state: 'pending', interval: 15 })
  })

  it('requires an adult profile or the account password to look up or approve a user code', async () => {
    const { signIn, kidId } = household
    const { pollForLogin, user_code } = await startDeviceSignIn()
    const kid = Object.assign(await signIn(), { profileId: kidId })
    const deniedResponses = [
      await lookUpCode(kid, { user_code }),
      await sendDecision(kid, { user_code, approve: true }),
    ]
    expect(deniedResponses.map(({ status }) => status)).toEqual([403, 403])
    expect((await pollForLogin()).state).toBe('pending')
    const provenResponse = await sendDecision(kid, { user_code, approve: true, password: TEST_PASSWORD })
    expect(provenResponse.status).toBe(204)
  })

  it('rejects a decision that chooses a profile of another account with 403', async () => {
    const { pollForLogin, user_code } = await startDeviceSignIn()
    const { mainId } = await createHousehold(server)
    const response = await sendDecision(household.adult, { user_code, approve: true, profile_id: mainId })
    expect([response.status, (await pollForLogin()).state]).toEqual([403, 'pending'])
  })

  it.each([
    [
      'expired',
      'the approving login is ended',
      async ({ adult }: Household) => adult.post('/api/auth/logout'),
    ],
    [
      'denied',
      'the account is blocked',
      async ({ accountId }: Household) =>
        server.database.primary
          .updateTable('account')
          .set({ blocked: 1 })
          .where('account_id', '=', accountId)
          .execute(),
    ],
    [
      'expired',
      'the account is deleted',
      async ({ adult }: Household) => adult.delete('/api/auth/user-account', { password: TEST_PASSWORD }),
    ],
  ])(
    'an approved television receives the state %s and no tokens after %s',
    async (state, _event, endApproval) => {
      const { pollForLogin, user_code } = await startDeviceSignIn()
      await sendDecision(household.adult, { user_code, approve: true })
      await endApproval(household)
      const reply = await pollForLogin()
      expect(reply.tokens).toBeUndefined()
      expect(reply.state).toBe(state)
    },
  )

  it('stores no code in plain text, and deletes expired codes', async () => {
    const { device_code, user_code } = await startDeviceSignIn()
    const { primary } = server.database
    const rowsJson = JSON.stringify(await primary.selectFrom('device_authorization').selectAll().execute())
    for (const secret of [device_code, user_code, user_code?.replace('-', '')])
      expect(rowsJson).not.toContain(secret)
    expect(server.logLines.join('\n')).not.toContain(device_code)
    const { deleteExpiredRows } = await import('../../server/queries/maintenance.ts')
    await deleteExpiredRows(primary, server.deps.now() + 10 * MINUTE_MS)
    expect(await primary.selectFrom('device_authorization').selectAll().execute()).toEqual([])
  })

  it('rejects requests for more codes than the limit of one address, until the time window of the limit ends', async () => {
    const { allowedCount, windowMs } = ATTEMPT_LIMITS.deviceCodeAddress
    const requestDeviceCode = () => new TestClient(server).post('/api/auth/device-code')
    const responses = await Promise.all(Array.from({ length: allowedCount + 10 }, requestDeviceCode))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(allowedCount)
    server.advanceClock(windowMs)
    expect((await requestDeviceCode()).status).toBe(201)
  })

  it('records the decision in the activities of the account', async () => {
    const { adult } = household
    for (const isApproved of [true, false])
      await sendDecision(adult, { user_code: (await startDeviceSignIn()).user_code, approve: isApproved })
    const { body } = await adult.get('/api/auth/activities')
    const actions = body.results.map((activity: { action: string }) => activity.action)
    expect(actions).toEqual(expect.arrayContaining(['device_approve', 'device_deny']))
  })

  it('notifies the waiting television of the decision within two seconds', async () => {
    const { device_code, user_code } = await startDeviceSignIn()
    const response = await server.request('/api/auth/device-code/events', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ device_code }),
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const eventsTextPromise = response.text()
    const startedAtMs = performance.now()
    await sendDecision(household.adult, { user_code, approve: true })
    expect(await eventsTextPromise).toContain('data: {"kind":"decided"}')
    expect(performance.now() - startedAtMs).toBeLessThan(2_000)
  })

  it('opens no event stream for an unknown code', async () => {
    const { status } = await new TestClient(server).post('/api/auth/device-code/events', { device_code: 'x' })
    expect(status).toBe(404)
  })

  it('returns the same login again to a poll within a minute after the first poll that returned it', async () => {
    const { television, device_code, user_code } = await startDeviceSignIn()
    await sendDecision(household.adult, { user_code, approve: true, profile_id: household.kidId })
    const poll = () => television.send('POST', '/api/auth/device-code/token', { device_code })
    const loginCount = await countLogins()
    const firstReply = await poll()
    television.cookie = null
    server.advanceClock(MINUTE_MS - 5_000)
    const secondReply = await poll()
    expect(secondReply.body).toMatchObject({ state: 'approved', profile_id: household.kidId })
    expect(secondReply.headers.get('set-cookie')).toBe(firstReply.headers.get('set-cookie'))
    expect(await countLogins()).toBe(loginCount + 1)
    television.accessToken = secondReply.body.tokens.access_token
    expect((await television.get('/api/auth/me')).status).toBe(200)
    expect((await television.post('/api/auth/refresh')).status).toBe(200)
  })

  it('a poll gets the state "expired" after the television has used the tokens of an earlier poll', async () => {
    const { television, pollForLogin, user_code } = await startDeviceSignIn()
    await sendDecision(household.adult, { user_code, approve: true })
    await pollForLogin()
    expect((await television.get('/api/auth/me')).status).toBe(200)
    expect(await pollForLogin()).toEqual({ state: 'expired' })
  })

  it('returns expired to a poll more than a minute after the first poll that returned the login', async () => {
    const { pollForLogin, user_code } = await startDeviceSignIn()
    await sendDecision(household.adult, { user_code, approve: true })
    await pollForLogin()
    server.advanceClock(MINUTE_MS + 1)
    expect(await pollForLogin()).toEqual({ state: 'expired' })
  })

  it('returns expired to a poll if the clock was set back by more than a minute after the first poll that returned the login', async () => {
    const { pollForLogin, user_code } = await startDeviceSignIn()
    await sendDecision(household.adult, { user_code, approve: true })
    await pollForLogin()
    server.advanceClock(-MINUTE_MS - 1_000)
    const reply = await pollForLogin()
    server.advanceClock(MINUTE_MS + 1_000)
    expect(reply).toEqual({ state: 'expired' })
  })

  it('returns expired to a poll after the login that an earlier poll returned was ended', async () => {
    const { adult } = household
    const { pollForLogin, user_code } = await startDeviceSignIn({ device_name: 'Kitchen' })
    await sendDecision(adult, { user_code, approve: true })
    await pollForLogin()
    const { body } = await adult.get('/api/auth/devices')
    const { device_id } = body.results.find(({ name }: { name: string }) => name === 'Kitchen')
    expect((await adult.post('/api/auth/logout-device', { device_id })).status).toBe(204)
    expect(await pollForLogin()).toEqual({ state: 'expired' })
  })

  it('keeps the approval when the login cannot be created', async () => {
    const { pollForLogin, user_code } = await startDeviceSignIn()
    await sendDecision(household.adult, { user_code, approve: true })
    await rejectNewLogins(server)
    expect((await pollForLogin()).tokens).toBeUndefined()
    await acceptNewLogins(server)
    expect((await pollForLogin()).state).toBe('approved')
  })

  it('accepts a repeated decision from the same device, and rejects a different decision or a decision from another device', async () => {
    const { adult, kidId } = household
    const { pollForLogin, user_code } = await startDeviceSignIn()
    const decision = { user_code, approve: true, profile_id: kidId }
    const repeat = async () => (await sendDecision(adult, decision)).status
    expect([await repeat(), await repeat()]).toEqual([204, 204])
    await pollForLogin()
    expect(await repeat()).toBe(204)
    for (const otherDecision of [
      { ...decision, approve: false },
      { ...decision, profile_id: null },
    ])
      expect((await sendDecision(adult, otherDecision)).status).toBe(404)
    expect(
      (await sendDecision(await household.signIn(), { ...decision, password: TEST_PASSWORD })).status,
    ).toBe(404)
    const { body } = await adult.get('/api/auth/activities')
    const approvals = body.results.filter(({ action }: { action: string }) => action === 'device_approve')
    expect(approvals).toHaveLength(1)
  })

  it('does not extend the polling interval beyond the lifetime of the code', async () => {
    const { pollForLogin } = await startDeviceSignIn()
    const replies = []
    for (let count = 0; count < 125; count += 1) replies.push(await pollForLogin())
    expect(replies.slice(-3)).toEqual(Array(3).fill({ state: 'slow_down', interval: 600 }))
  })
})
