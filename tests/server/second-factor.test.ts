/**
 * Authenticator apps, recovery codes and the second step of a sign-in, on SQLite and PostgreSQL.
 * The tests also check actions that need a recently confirmed second factor.
 */
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAdministrator } from '../../server/services/accounts/create-administrator.ts'
import { DATABASES, startTestServer, TEST_PASSWORD, type TestServer } from '../support/server.ts'
import { TestClient } from '../support/test-client.ts'
import { createHousehold, type Household } from './security/household.ts'

const MINUTE_MS = 60_000
const STEP_MS = 30_000
const RECOVERY_CODE_PATTERN = /^[A-Z2-9]{5}-[A-Z2-9]{5}$/

describe.each(DATABASES)('second factor on %s', (_name, openTestDatabase) => {
  let server: TestServer
  let household: Household
  let secret = ''
  let recoveryCodes: string[] = []
  beforeAll(async () => {
    server = await startTestServer({ database: await openTestDatabase() })
  }, 60_000)
  afterAll(() => server.close())
  beforeEach(async () => {
    await server.database.primary.deleteFrom('rate_limit').execute()
    household = await createHousehold(server, { role: 'admin', pin: null })
    ;({ secret, recoveryCodes } = await setUpAuthenticator(household.adult))
    server.advanceClock(STEP_MS)
  })

  /** Returns the code that an authenticator app shows `offsetSteps` time steps after the current step. */
  const generateCode = (base32: string, offsetSteps = 0) =>
    new TOTP({ secret: Secret.fromBase32(base32) }).generate({
      timestamp: server.deps.now() + offsetSteps * STEP_MS,
    })
  const generateWrongCode = () =>
    generateCode(secret).replace(/./g, (digit) => String((Number(digit) + 5) % 10))

  async function setUpAuthenticator(device: TestClient) {
    const startReply = await device.post('/api/auth/totp', { password: TEST_PASSWORD })
    expect(startReply.status).toBe(201)
    const base32 = startReply.body.secret as string
    const confirmReply = await device.post('/api/auth/totp/confirm', { code: generateCode(base32) })
    expect(confirmReply.status).toBe(200)
    return { secret: base32, recoveryCodes: confirmReply.body.recovery_codes as string[] }
  }
  const sendLogin = (password = TEST_PASSWORD, client = new TestClient(server)) =>
    client.post('/api/auth/login', { email: household.email, password })
  const startSignIn = async () => (await sendLogin()).body.sign_in_token as string
  const completeSignIn = (sign_in_token: string, code: string, client = new TestClient(server)) =>
    client.post('/api/auth/login/second-factor', { sign_in_token, code })
  const confirmSecondFactor = (device: TestClient, code: string) =>
    device.post('/api/auth/second-factor/confirm', { code })
  const signInWithCode = async (code: string): Promise<TestClient> => {
    const device = new TestClient(server)
    const { status, body } = await completeSignIn(await startSignIn(), code, device)
    expect(status).toBe(200)
    device.accessToken = body.access_token
    return Object.assign(device, { profileId: household.mainId })
  }
  const readAuditEvents = async () =>
    server.database.primary.selectFrom('audit_event').selectAll().orderBy('audit_id', 'desc').execute()

  it('the set-up returns an otpauth URI with site and email address, and ten recovery codes', async () => {
    const { body } = await household.adult.post('/api/auth/totp', { password: TEST_PASSWORD })
    expect(body.uri).toContain(`otpauth://totp/Marquee:${encodeURIComponent(household.email)}?issuer=Marquee`)
    expect(body.uri).toContain(`secret=${body.secret}`)
    expect(recoveryCodes).toHaveLength(10)
    for (const code of recoveryCodes) expect(code).toMatch(RECOVERY_CODE_PATTERN)
    const stateReply = await household.adult.get('/api/auth/second-factor')
    expect(stateReply.body).toEqual({ totp_since: expect.any(String), recovery_codes_left: 10 })
  })

  it('sign-in requires no second step before the set-up is confirmed', async () => {
    const otherHousehold = await createHousehold(server)
    await otherHousehold.adult.post('/api/auth/totp', { password: TEST_PASSWORD })
    expect((await otherHousehold.signIn()).accessToken).not.toBeNull()
    const wrongCodeReply = await otherHousehold.adult.post('/api/auth/totp/confirm', { code: '000000' })
    expect([wrongCodeReply.status, wrongCodeReply.body.errors]).toEqual([422, { code: ['wrong'] }])
    server.advanceClock(30 * MINUTE_MS)
    const lateSignIn = await new TestClient(server).login(otherHousehold.email)
    const device = Object.assign(new TestClient(server), {
      accessToken: lateSignIn.body.access_token,
      profileId: otherHousehold.mainId,
    })
    const body = { code: '000000', password: TEST_PASSWORD }
    expect((await device.post('/api/auth/totp/confirm', body)).status).toBe(409)
  })

  it('a sign-in with the password alone returns no access token, and a code of the app completes the sign-in', async () => {
    const client = new TestClient(server)
    const { status, body, headers } = await sendLogin(TEST_PASSWORD, client)
    expect([status, body]).toEqual([200, { sign_in_token: expect.any(String), expires_in: 300 }])
    expect(headers.get('set-cookie')).toBeNull()
    expect((await client.post('/api/auth/refresh')).status).toBe(401)
    client.accessToken = body.sign_in_token
    expect((await client.get('/api/auth/me')).status).toBe(401)
    const device = await signInWithCode(generateCode(secret))
    expect((await device.get('/api/auth/me')).body.email).toBe(household.email)
  })

  it.each([
    ['Arabic', 0x660],
    ['Persian', 0x6f0],
  ])('the set-up and the sign-in accept codes with %s digits', async (_script, zeroCodePoint) => {
    const generateTypedCode = (base32: string) =>
      generateCode(base32).replace(/\d/g, (digit) => String.fromCharCode(zeroCodePoint + Number(digit)))
    await signInWithCode(generateTypedCode(secret))
    const otherHousehold = await createHousehold(server, { pin: null })
    const startReply = await otherHousehold.adult.post('/api/auth/totp', { password: TEST_PASSWORD })
    const code = generateTypedCode(startReply.body.secret)
    expect((await otherHousehold.adult.post('/api/auth/totp/confirm', { code })).status).toBe(200)
  })

  it('sign-in with a wrong password returns 401, as without a second factor', async () => {
    expect((await sendLogin('Wrong12345')).status).toBe(401)
  })

  it.each([-1, 0, 1])(
    'sign-in accepts a code whose time step differs from the current one by %i',
    async (offsetSteps) => {
      server.advanceClock(2 * STEP_MS)
      expect((await completeSignIn(await startSignIn(), generateCode(secret, offsetSteps))).status).toBe(200)
    },
  )

  it.each([-2, 2])(
    'sign-in rejects a code whose time step differs from the current one by %i',
    async (offsetSteps) => {
      server.advanceClock(5 * STEP_MS)
      const { status, body } = await completeSignIn(await startSignIn(), generateCode(secret, offsetSteps))
      expect([status, body.errors]).toEqual([401, { second_factor: ['wrong'] }])
    },
  )

  it('after a code was used, this code and the code of the previous time step are rejected', async () => {
    server.advanceClock(2 * STEP_MS)
    const code = generateCode(secret)
    await signInWithCode(code)
    expect((await completeSignIn(await startSignIn(), code)).status).toBe(401)
    expect((await completeSignIn(await startSignIn(), generateCode(secret, -1))).status).toBe(401)
    expect((await confirmSecondFactor(household.adult, code)).status).toBe(403)
  })

  it('the code with which the authenticator app was set up is not accepted again', async () => {
    const otherHousehold = await createHousehold(server, { pin: null })
    const otherApp = await setUpAuthenticator(otherHousehold.adult)
    expect((await confirmSecondFactor(otherHousehold.adult, generateCode(otherApp.secret))).status).toBe(403)
  })

  it('a code is accepted in only one of several parallel requests', async () => {
    const tokens = await Promise.all(Array.from({ length: 4 }, startSignIn))
    const code = generateCode(secret)
    const replies = await Promise.all(tokens.map((token) => completeSignIn(token, code)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('a recovery code is accepted once, also in lower case and without a hyphen', async () => {
    const [firstCode = '', secondCode = ''] = recoveryCodes
    await signInWithCode(firstCode)
    expect((await completeSignIn(await startSignIn(), firstCode)).status).toBe(401)
    await signInWithCode(secondCode.replace('-', '').toLowerCase())
    const stateReply = await household.adult.get('/api/auth/second-factor')
    expect(stateReply.body.recovery_codes_left).toBe(8)
    const signInTokens = await Promise.all(Array.from({ length: 4 }, startSignIn))
    const replies = await Promise.all(
      signInTokens.map((token) => completeSignIn(token, recoveryCodes[2] ?? '')),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('recovery codes of another account and replaced recovery codes are rejected', async () => {
    const otherHousehold = await createHousehold(server, { pin: null })
    const otherApp = await setUpAuthenticator(otherHousehold.adult)
    expect((await completeSignIn(await startSignIn(), otherApp.recoveryCodes[0] ?? '')).status).toBe(401)
    const { body } = await household.adult.post('/api/auth/recovery-codes')
    expect(body.recovery_codes).toHaveLength(10)
    expect((await completeSignIn(await startSignIn(), recoveryCodes[0] ?? '')).status).toBe(401)
    await signInWithCode(body.recovery_codes[0])
  })

  it('a sign-in token is rejected after the sign-in is completed, after five minutes, and after five wrong codes', async () => {
    const usedSignInToken = await startSignIn()
    await completeSignIn(usedSignInToken, generateCode(secret))
    const secondReply = await completeSignIn(usedSignInToken, recoveryCodes[0] ?? '')
    expect([secondReply.status, secondReply.body.errors]).toEqual([401, { second_factor: ['expired'] }])
    const oldSignInToken = await startSignIn()
    server.advanceClock(5 * MINUTE_MS)
    expect((await completeSignIn(oldSignInToken, generateCode(secret))).body.errors).toEqual({
      second_factor: ['expired'],
    })
    const guessedSignInToken = await startSignIn()
    const errorCodes: string[] = []
    for (let index = 0; index < 6; index++)
      errorCodes.push(
        (await completeSignIn(guessedSignInToken, generateWrongCode())).body.errors.second_factor[0],
      )
    expect(errorCodes).toEqual(['wrong', 'wrong', 'wrong', 'wrong', 'expired', 'expired'])
    expect((await completeSignIn(guessedSignInToken, generateCode(secret))).status).toBe(401)
    expect((await completeSignIn('unknown', generateCode(secret))).status).toBe(401)
  })

  it('an unfinished sign-in ends when the password changes or the account is blocked', async () => {
    const tokenBeforeChange = await startSignIn()
    await confirmSecondFactor(household.adult, generateCode(secret))
    const passwordChange = { current_password: TEST_PASSWORD, new_password: 'Melies1902' }
    expect((await household.adult.put('/api/auth/password', passwordChange)).status).toBe(204)
    expect((await completeSignIn(tokenBeforeChange, recoveryCodes[0] ?? '')).status).toBe(401)
    const tokenBeforeBlock = (await sendLogin('Melies1902')).body.sign_in_token
    await server.database.primary
      .updateTable('account')
      .set({ blocked: 1 })
      .where('account_id', '=', household.accountId)
      .execute()
    expect((await completeSignIn(tokenBeforeBlock, recoveryCodes[0] ?? '')).status).toBe(401)
  })

  it('sign-in still requires the second factor after a password reset', async () => {
    await confirmSecondFactor(household.adult, generateCode(secret))
    const linkReply = await household.adult.post(`/api/admin/users/${household.accountId}/password-reset`)
    const token = new URL(linkReply.body.url).searchParams.get('token')
    const resetInput = { token, new_password: 'Melies1902' }
    expect((await new TestClient(server).post('/api/auth/password-reset/complete', resetInput)).status).toBe(
      204,
    )
    expect((await sendLogin('Melies1902')).body).toEqual({
      sign_in_token: expect.any(String),
      expires_in: 300,
    })
  })

  it('if a phone with a confirmed second factor approves a television, the television signs in without a second-factor code, but needs such a code to delete the account', async () => {
    const television = new TestClient(server)
    const { body: deviceCodes } = await television.post('/api/auth/device-code')
    const decision = { user_code: deviceCodes.user_code, approve: true }
    const phone = await signInWithCode(generateCode(secret))
    expect((await phone.post('/api/auth/device-code/decision', decision)).status).toBe(204)
    const { body } = await television.post('/api/auth/device-code/token', {
      device_code: deviceCodes.device_code,
    })
    expect(body.tokens.user.user_id).toBe(household.accountId)
    television.accessToken = body.tokens.access_token
    television.profileId = household.mainId
    const deletionReply = await television.delete('/api/auth/user-account', { password: TEST_PASSWORD })
    expect([deletionReply.status, deletionReply.body.errors]).toEqual([403, { second_factor: ['needed'] }])
  })

  it('the set-up of an authenticator app requires the password, and replacing the app also requires a code of the old app', async () => {
    server.advanceClock(16 * MINUTE_MS)
    const device = household.adult
    await device.post('/api/auth/refresh').then(({ body }) => {
      device.accessToken = body.access_token
    })
    expect((await device.post('/api/auth/totp', { password: 'Wrong12345' })).body.errors).toEqual({
      password: ['wrong'],
    })
    const replyWithoutCode = await device.post('/api/auth/totp', { password: TEST_PASSWORD })
    expect(replyWithoutCode.body.errors).toEqual({ second_factor: ['needed'] })
    expect((await confirmSecondFactor(device, generateCode(secret))).status).toBe(204)
    const { secret: newSecret } = await setUpAuthenticator(device)
    server.advanceClock(STEP_MS)
    expect((await completeSignIn(await startSignIn(), generateCode(secret))).status).toBe(401)
    expect((await completeSignIn(await startSignIn(), generateCode(newSecret))).status).toBe(200)
  })

  it('a set-up with sign_out_others signs out the other devices', async () => {
    const otherHousehold = await createHousehold(server, { pin: null })
    const secondDevice = await otherHousehold.signIn()
    const startReply = await otherHousehold.adult.post('/api/auth/totp', { password: TEST_PASSWORD })
    const code = generateCode(startReply.body.secret)
    await otherHousehold.adult.post('/api/auth/totp/confirm', { code, sign_out_others: true })
    expect((await secondDevice.get('/api/auth/me')).status).toBe(401)
    expect((await otherHousehold.adult.get('/api/auth/me')).status).toBe(200)
  })

  it('an account with a recent second factor can remove the authenticator app and the recovery codes by sending its password', async () => {
    const removalReply = await household.adult.delete('/api/auth/totp', { password: TEST_PASSWORD })
    expect(removalReply.status).toBe(204)
    expect((await sendLogin()).body.access_token).toEqual(expect.any(String))
    const stateReply = await household.adult.get('/api/auth/second-factor')
    expect(stateReply.body).toEqual({ totp_since: null, recovery_codes_left: 0 })
    expect((await household.adult.post('/api/auth/recovery-codes')).status).toBe(404)
  })

  it('an administrator can remove the second factor of a member, which ends the logins of the member', async () => {
    const memberHousehold = await createHousehold(server, { pin: null })
    await setUpAuthenticator(memberHousehold.adult)
    const memberSecondFactorPath = `/api/admin/users/${memberHousehold.accountId}/second-factor`
    expect((await household.adult.delete(memberSecondFactorPath)).status).toBe(204)
    expect((await memberHousehold.adult.get('/api/auth/me')).status).toBe(401)
    expect((await memberHousehold.signIn()).accessToken).not.toBeNull()
    expect(
      (await readAuditEvents()).find(({ action }) => action === 'user_second_factor_reset'),
    ).toMatchObject({
      outcome: 'ok',
    })
    expect((await household.adult.delete('/api/admin/users/none/second-factor')).status).toBe(404)
  })

  it('create-admin with --replace-existing removes the second factor of an administrator', async () => {
    const adminInput = { email: household.email, password: 'Melies1902', replacesExisting: true }
    expect(await createAdministrator(server.deps, adminInput)).toBe('replaced')
    expect((await sendLogin('Melies1902')).body.access_token).toEqual(expect.any(String))
  })

  it('app secrets and codes are neither stored nor logged in plain text, and an app secret copied from another account is rejected', async () => {
    const { primary } = server.database
    const rows = await Promise.all(
      (['totp', 'recovery_code', 'sign_in_step', 'audit_event'] as const).map((table) =>
        primary.selectFrom(table).selectAll().execute(),
      ),
    )
    const storedText = JSON.stringify(rows) + server.logLines.join('')
    for (const secretText of [
      secret,
      ...recoveryCodes,
      ...recoveryCodes.map((code) => code.replace('-', '')),
    ])
      expect(storedText).not.toContain(secretText)
    const otherHousehold = await createHousehold(server, { pin: null })
    const otherApp = await setUpAuthenticator(otherHousehold.adult)
    const copiedRow = await primary
      .selectFrom('totp')
      .select('secret')
      .where('account_id', '=', otherHousehold.accountId)
      .executeTakeFirstOrThrow()
    await primary.updateTable('totp').set(copiedRow).where('account_id', '=', household.accountId).execute()
    server.advanceClock(2 * STEP_MS)
    expect((await completeSignIn(await startSignIn(), generateCode(otherApp.secret))).status).toBe(401)
  })

  it('wrong codes, used recovery codes, new recovery codes and the set-up of the authenticator app are recorded in the audit log of the account', async () => {
    await completeSignIn(await startSignIn(), generateWrongCode())
    await signInWithCode(recoveryCodes[0] ?? '')
    await household.adult.post('/api/auth/recovery-codes')
    const { body } = await household.adult.get('/api/auth/activities?limit=6')
    expect(
      body.results.map(({ action, outcome }: { action: string; outcome: string }) => [action, outcome]),
    ).toEqual([
      ['recovery_codes_create', 'ok'],
      ['login', 'ok'],
      ['recovery_code_use', 'ok'],
      ['second_factor_fail', 'failed'],
      ['totp_enable', 'ok'],
      ['profile_create', 'ok'],
    ])
  })
})
