/**
 * Changes of email addresses on SQLite and PostgreSQL: by the user with confirmation and cancellation links, and by an
 * administrator.
 */
import { Secret, TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { insertIdentity } from '../../server/queries/identity.ts'
import { ATTEMPT_LIMITS } from '../../server/services/auth/attempt-limit.ts'
import {
  DATABASES,
  insertTestAccount,
  startTestServer,
  TEST_PASSWORD,
  type TestServer,
} from '../support/server.ts'
import { startSmtpServer, type TestSmtpServer } from '../support/smtp.ts'
import { TestClient } from '../support/test-client.ts'
import { waitFor } from '../support/wait-for.ts'
import { createHousehold, type Household } from './security/household.ts'

const HOUR_MS = 3_600_000

describe.each(DATABASES)('email change on %s', (_name, openTestDatabase) => {
  let smtp: TestSmtpServer
  let server: TestServer
  let household: Household
  let newEmail = ''
  beforeAll(async () => {
    smtp = await startSmtpServer()
    const env = { SMTP_URL: smtp.url, PUBLIC_URL: 'https://films.example.com' }
    server = await startTestServer({ database: await openTestDatabase(), env })
  }, 60_000)
  afterAll(async () => {
    await server.close()
    await smtp.close()
  })
  afterEach(() => vi.useRealTimers())
  beforeEach(async () => {
    await server.database.primary.deleteFrom('rate_limit').execute()
    smtp.emails.length = 0
    newEmail = `${crypto.randomUUID()}@example.com`
    household = await createHousehold(server, { role: 'admin', pin: null })
  })

  const postToEmailPath = (path: string, body: object) =>
    new TestClient(server).post(`/api/auth/email${path}`, body)
  const requestEmailChange = (email = newEmail, password = TEST_PASSWORD) =>
    household.adult.post('/api/auth/email', { new_email: email, password })
  const completeEmailChange = (token: string) => postToEmailPath('/complete', { token })
  const readToken = (messageSource: string) =>
    /email\/\?token=(?:3D)?([\w-]{43})/.exec(messageSource.replaceAll('=\r\n', ''))?.[1] ?? ''
  /** Waits for an email to `address`. Returns the token from the newest email to this address. */
  const receiveToken = async (address: string) => {
    await waitFor(() => expect(smtp.emails.map(({ to }) => to)).toContain(address))
    return readToken(smtp.emails.findLast(({ to }) => to === address)?.messageSource ?? '')
  }
  /** Returns the token of the newest password reset email to the old address. */
  const readResetToken = () => {
    const messageSources = smtp.emails
      .filter(({ to }) => to === household.email)
      .map(({ messageSource }) => messageSource)
    const linkPattern = /reset\/\?token=(?:3D)?([\w-]{43})/g
    return [...messageSources.join().replaceAll('=\r\n', '').matchAll(linkPattern)].at(-1)?.[1] ?? ''
  }
  const changeEmail = async () => {
    await requestEmailChange()
    expect((await completeEmailChange(await receiveToken(newEmail))).status).toBe(200)
    return receiveToken(household.email)
  }
  const requestLoginStatus = async (email: string) => (await new TestClient(server).login(email)).status
  const loadEmail = async () => (await household.adult.get('/api/auth/me')).body.email

  it('changes the email address after the link sent to the new address is used, and keeps the logins', async () => {
    expect((await requestEmailChange(newEmail.toUpperCase())).body).toEqual({ by_mail: true })
    const token = await receiveToken(newEmail)
    expect(await loadEmail()).toBe(household.email)
    const validationResponse = await postToEmailPath('/validate', { token })
    expect(validationResponse.body).toEqual({
      kind: 'confirm',
      email: newEmail,
      expires_at: expect.any(String),
    })
    expect((await completeEmailChange(token)).body).toEqual({ kind: 'confirm', email: newEmail })
    expect(await loadEmail()).toBe(newEmail)
    expect([await requestLoginStatus(household.email), await requestLoginStatus(newEmail)]).toEqual([
      401, 200,
    ])
    expect((await completeEmailChange(token)).status).toBe(404)
    const { body } = await household.adult.get('/api/auth/activities')
    const actions = body.results.map(({ action }: { action: string }) => action)
    expect(actions).toEqual(expect.arrayContaining(['email_change_request', 'email_change']))
  })

  it('sends the old address a link, valid for 7 days, that restores this address and ends all access to the account', async () => {
    const calendarFeedReply = await household.adult.post(`/api/profile/${household.mainId}/calendar/feed`)
    const calendarPath = new URL(calendarFeedReply.body.url).pathname
    await insertIdentity(server.database.primary, {
      identity_id: crypto.randomUUID(),
      account_id: household.accountId,
      issuer: 'https://id.example.com',
      subject: household.accountId,
      name: null,
      created_at: 0,
      last_used_at: 0,
    })
    const token = await changeEmail()
    expect(smtp.emails.findLast(({ to }) => to === household.email)?.messageSource).not.toContain('ignore')
    server.advanceClock(7 * 24 * HOUR_MS - 60_000)
    const validationResponse = await postToEmailPath('/validate', { token })
    expect(validationResponse.body).toMatchObject({ kind: 'cancel', email: household.email })
    expect((await completeEmailChange(token)).body.kind).toBe('cancel')
    expect((await household.adult.get('/api/auth/me')).status).toBe(401)
    expect((await new TestClient(server).get(calendarPath)).status).toBe(404)
    const identities = server.database.primary.selectFrom('identity').select('identity_id')
    expect(await identities.where('account_id', '=', household.accountId).execute()).toEqual([])
    expect([await requestLoginStatus(newEmail), await requestLoginStatus(household.email)]).toEqual([
      401, 200,
    ])
    expect((await completeEmailChange(token)).status).toBe(404)
  })

  it('rejects the confirmation and cancellation links after their expiry, and the cancellation link of a blocked account', async () => {
    await requestEmailChange()
    const firstToken = await receiveToken(newEmail)
    server.advanceClock(HOUR_MS)
    expect((await completeEmailChange(firstToken)).status).toBe(404)
    await household.adult.post('/api/auth/refresh')
    household.adult.accessToken = (await new TestClient(server).login(household.email)).body.access_token
    smtp.emails.length = 0
    const cancelToken = await changeEmail()
    const setBlocked = (blocked: number) =>
      server.database.primary
        .updateTable('account')
        .set({ blocked })
        .where('account_id', '=', household.accountId)
        .execute()
    await setBlocked(1)
    expect((await completeEmailChange(cancelToken)).status).toBe(404)
    await setBlocked(0)
    server.advanceClock(7 * 24 * HOUR_MS)
    expect((await completeEmailChange(cancelToken)).status).toBe(404)
  })

  it('returns the same response for a taken address as for a free address, and sends no email to the taken address', async () => {
    const otherAccount = await insertTestAccount(server, `${crypto.randomUUID()}@example.org`)
    const takenAddressResponse = await requestEmailChange(otherAccount.email)
    const freeAddressResponse = await requestEmailChange()
    expect([takenAddressResponse.status, takenAddressResponse.body]).toEqual([
      freeAddressResponse.status,
      freeAddressResponse.body,
    ])
    expect([...takenAddressResponse.headers.keys()]).toEqual([...freeAddressResponse.headers.keys()])
    await receiveToken(newEmail)
    expect(smtp.emails.map(({ to }) => to)).toEqual([newEmail])
  })

  it('rejects the link with 404 when another account has taken the new address after the link was requested', async () => {
    await requestEmailChange()
    const token = await receiveToken(newEmail)
    await insertTestAccount(server, newEmail)
    expect((await completeEmailChange(token)).status).toBe(404)
    expect(await loadEmail()).toBe(household.email)
  })

  it('completes the change only once when the link is used in several parallel requests', async () => {
    await requestEmailChange()
    const token = await receiveToken(newEmail)
    const replies = await Promise.all(Array.from({ length: 4 }, () => completeEmailChange(token)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404])
  })

  it('a newer request for an email change invalidates the unused link of an earlier request, and a completed change invalidates password reset links', async () => {
    await requestEmailChange()
    const firstToken = await receiveToken(newEmail)
    const secondEmail = `second-${newEmail}`
    await requestEmailChange(secondEmail)
    const token = await receiveToken(secondEmail)
    expect((await completeEmailChange(firstToken)).status).toBe(404)
    await new TestClient(server).post('/api/auth/password-reset', { email: household.email })
    await waitFor(() => expect(readResetToken()).not.toBe(''))
    expect((await completeEmailChange(token)).status).toBe(200)
    const resetBody = { token: readResetToken() }
    expect((await new TestClient(server).post('/api/auth/password-reset/validate', resetBody)).status).toBe(
      404,
    )
  })

  const NEW_PASSWORD = 'Melies1902'
  const createAdministrator = async () => (await createHousehold(server, { role: 'admin', pin: null })).adult
  const linkInvalidationsByName: Record<string, () => Promise<{ status: number }>> = {
    'the password was reset': async () => {
      await new TestClient(server).post('/api/auth/password-reset', { email: household.email })
      await waitFor(() => expect(readResetToken()).not.toBe(''))
      const resetBody = { token: readResetToken(), new_password: NEW_PASSWORD }
      return new TestClient(server).post('/api/auth/password-reset/complete', resetBody)
    },
    'the password was changed': () =>
      household.adult.put('/api/auth/password', {
        current_password: TEST_PASSWORD,
        new_password: NEW_PASSWORD,
      }),
    'a second factor was set up': async () => {
      const { body } = await household.adult.post('/api/auth/totp', { password: TEST_PASSWORD })
      const totp = new TOTP({ secret: Secret.fromBase32(body.secret) })
      const code = totp.generate({ timestamp: server.deps.now() })
      return household.adult.post('/api/auth/totp/confirm', { code })
    },
    'an administrator signed the account out': async () =>
      (await createAdministrator()).post(`/api/admin/users/${household.accountId}/sign-out`),
    'an administrator removed the second factor': async () =>
      (await createAdministrator()).delete(`/api/admin/users/${household.accountId}/second-factor`),
    'an administrator created a password reset link': async () =>
      (await createAdministrator()).post(`/api/admin/users/${household.accountId}/password-reset`),
    'the account was blocked and unblocked': async () => {
      const administrator = await createAdministrator()
      const setBlocked = (blocked: boolean) =>
        administrator.put('/api/auth/user', { user_id: household.accountId, blocked })
      expect((await setBlocked(true)).status).toBe(200)
      return setBlocked(false)
    },
  }
  it.each(Object.entries(linkInvalidationsByName))(
    'the link in the email to the new address returns 404 after %s',
    async (_name, invalidateLinks) => {
      await requestEmailChange()
      const token = await receiveToken(newEmail)
      expect((await invalidateLinks()).status).toBeLessThan(300)
      expect((await completeEmailChange(token)).status).toBe(404)
      const { account_id } = await server.database.primary
        .selectFrom('account')
        .select('account_id')
        .where('email', '=', household.email)
        .executeTakeFirstOrThrow()
      expect(account_id).toBe(household.accountId)
    },
  )

  it('the link in the email to the old address cancels the change even after the password changed and the account was blocked and unblocked', async () => {
    const token = await changeEmail()
    const passwordChange = { current_password: TEST_PASSWORD, new_password: NEW_PASSWORD }
    expect((await household.adult.put('/api/auth/password', passwordChange)).status).toBe(204)
    const administrator = await createAdministrator()
    for (const blocked of [true, false])
      await administrator.put('/api/auth/user', { user_id: household.accountId, blocked })
    expect((await completeEmailChange(token)).body).toEqual({ kind: 'cancel', email: household.email })
  })

  it('sends no link when the login that requested the change ends before the email is sent', async () => {
    const otherHousehold = await createHousehold(server, { pin: null })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    expect((await requestEmailChange()).body).toEqual({ by_mail: true })
    await server.database.primary.deleteFrom('login').where('account_id', '=', household.accountId).execute()
    vi.advanceTimersByTime(100)
    vi.useRealTimers()
    // When the email of the later request arrives, the first request has been processed too.
    const laterEmail = `later-${newEmail}`
    await otherHousehold.adult.post('/api/auth/email', { new_email: laterEmail, password: TEST_PASSWORD })
    await receiveToken(laterEmail)
    expect(smtp.emails.map(({ to }) => to)).toEqual([laterEmail])
  })

  it('requires the password and an address that differs from the current one, and limits the requests per account', async () => {
    expect((await requestEmailChange(newEmail, 'Wrong12345')).status).toBe(403)
    const sameEmailReply = await requestEmailChange(household.email)
    expect([sameEmailReply.status, sameEmailReply.body.errors]).toEqual([422, { new_email: ['same'] }])
    const { allowedCount } = ATTEMPT_LIMITS.emailChangeAccount
    const statuses: number[] = []
    for (let index = 0; index <= allowedCount; index++)
      statuses.push((await requestEmailChange(`${index}${newEmail}`)).status)
    expect(statuses).toEqual([...Array(allowedCount).fill(200), 429])
    await waitFor(() => expect(smtp.emails).toHaveLength(allowedCount))
  })

  it('lets an administrator change the address of an account immediately, and returns 409 when the address is taken', async () => {
    const memberHousehold = await createHousehold(server, { pin: null })
    const setEmailAsAdmin = (email: string, accountId = memberHousehold.accountId) =>
      household.adult.put(`/api/admin/users/${accountId}/email`, { email })
    expect((await setEmailAsAdmin(newEmail)).status).toBe(204)
    expect((await memberHousehold.adult.get('/api/auth/me')).body.email).toBe(newEmail)
    const takenAddressResponse = await setEmailAsAdmin(household.email)
    expect([takenAddressResponse.status, takenAddressResponse.body.errors]).toEqual([
      409,
      { email: ['taken'] },
    ])
    expect((await setEmailAsAdmin(newEmail, 'unknown')).status).toBe(404)
    const auditResponse = await household.adult.get('/api/admin/audit?action=user_email')
    expect(auditResponse.body.results[0]).toMatchObject({ target: memberHousehold.accountId })
  })

  it('returns `by_mail: false` and creates no link when the server sends no emails', async () => {
    const serverWithoutSmtp = await startTestServer()
    const memberHousehold = await createHousehold(serverWithoutSmtp, { pin: null })
    const body = { new_email: newEmail, password: TEST_PASSWORD }
    expect((await memberHousehold.adult.post('/api/auth/email', body)).body).toEqual({ by_mail: false })
    expect(await serverWithoutSmtp.database.primary.selectFrom('email_change').selectAll().execute()).toEqual(
      [],
    )
    await serverWithoutSmtp.close()
  })
})
