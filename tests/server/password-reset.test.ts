/** Sets a new password with a link from an email or from an administrator, on SQLite and PostgreSQL. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertIdentity } from '../../server/queries/identity.ts'
import { createAdministrator } from '../../server/services/accounts/create-administrator.ts'
import { ATTEMPT_LIMITS } from '../../server/services/auth/attempt-limit.ts'
import { LOCALES } from '../../src/lib/i18n/locales.ts'
import { TestAuthenticator } from '../support/authenticator.ts'
import { usesPostgres } from '../support/databases.ts'
import { interceptTransactions } from '../support/intercept-transactions.ts'
import { DATABASES, startTestServer, TEST_PASSWORD, type TestServer } from '../support/server.ts'
import { startSmtpServer, type TestSmtpServer } from '../support/smtp.ts'
import { TestClient } from '../support/test-client.ts'
import { waitFor } from '../support/wait-for.ts'
import { createHousehold, type Household, PIN } from './security/household.ts'

const NEW_PASSWORD = 'Melies1902'
const MINUTE_MS = 60_000

describe.each(DATABASES)('password reset on %s', (_name, openTestDatabase) => {
  let smtp: TestSmtpServer
  let server: TestServer
  let household: Household
  beforeAll(async () => {
    smtp = await startSmtpServer()
    const env = { SMTP_URL: smtp.url, PUBLIC_URL: 'https://films.example.com' }
    server = await startTestServer({ database: await openTestDatabase(), env })
  }, 60_000)
  afterAll(async () => {
    await server.close()
    await smtp.close()
  })
  beforeEach(async () => {
    await server.database.primary.deleteFrom('rate_limit').execute()
    smtp.emails.length = 0
    household = await createHousehold(server, { role: 'admin' })
  })

  const postToAuthPath = (path: string, body: object) => new TestClient(server).post(`/api/auth${path}`, body)
  const requestResetLink = (email: string) => postToAuthPath('/password-reset', { email })
  const isPasswordAlert = (rawEmail: string) =>
    rawEmail.replaceAll('=\r\n', '').includes('was changed with a link')
  /**
   * Sets the password. After a success, waits for the email to the owner, so that the next test does not receive it.
   */
  const completeReset = async (token: string, new_password = NEW_PASSWORD) => {
    const reply = await postToAuthPath('/password-reset/complete', { token, new_password })
    if (reply.status === 204)
      await waitFor(() =>
        expect(smtp.emails.some(({ messageSource }) => isPasswordAlert(messageSource))).toBe(true),
      )
    return reply
  }
  const requestLoginStatus = async (password: string) =>
    (await postToAuthPath('/login', { email: household.email, password })).status
  /** Returns the reset token in an email. Removes the line breaks that the quoted-printable encoding inserts. */
  const readToken = (rawEmail: string) =>
    /reset\/\?token=(?:3D)?([\w-]{43})/.exec(rawEmail.replaceAll('=\r\n', ''))?.[1] ?? ''
  const receiveToken = async () => {
    await waitFor(() => expect(smtp.emails.length).toBeGreaterThan(0))
    return readToken(smtp.emails.at(-1)?.messageSource ?? '')
  }
  const createResetTokenAsAdmin = async (accountId: string): Promise<string> => {
    const { status, body } = await household.adult.post(`/api/admin/users/${accountId}/password-reset`)
    expect([status, body.url]).toEqual([
      201,
      expect.stringContaining('https://films.example.com/reset/?token='),
    ])
    return new URL(body.url).searchParams.get('token') ?? ''
  }

  it('the link in the email sets the password once and ends all logins', async () => {
    const { adult, email } = household
    expect((await requestResetLink(email.toUpperCase())).body).toEqual({ by_mail: true })
    const token = await receiveToken()
    expect(smtp.emails[0]?.to).toBe(email)
    expect((await postToAuthPath('/password-reset/validate', { token })).body).toEqual({
      email,
      expires_at: expect.any(String),
      other_access: { passkeys: 0, identities: 0, calendar_addresses: 0 },
    })
    expect((await completeReset(token)).status).toBe(204)
    expect([await requestLoginStatus(TEST_PASSWORD), await requestLoginStatus(NEW_PASSWORD)]).toEqual([
      401, 200,
    ])
    expect((await adult.get('/api/auth/me')).status).toBe(401)
    const secondReply = await completeReset(token, 'Chomon1905')
    expect([secondReply.status, secondReply.body.errors]).toEqual([404, { token: ['unusable'] }])
    expect(await requestLoginStatus(NEW_PASSWORD)).toBe(200)
  })

  it('a reset request for an email address without an account gets the same response as for an address with an account, but no email is sent', async () => {
    const knownEmailReply = await requestResetLink(household.email)
    const rows = await server.database.primary.selectFrom('password_reset').selectAll().execute()
    const unknownEmailReply = await requestResetLink('nobody@example.org')
    expect([unknownEmailReply.status, unknownEmailReply.body]).toEqual([
      knownEmailReply.status,
      knownEmailReply.body,
    ])
    expect([...unknownEmailReply.headers.keys()]).toEqual([...knownEmailReply.headers.keys()])
    expect(rows.filter(({ account_id }) => account_id === household.accountId)).toEqual([])
    await receiveToken()
    expect(smtp.emails.map(({ to }) => to)).toEqual([household.email])
  })

  it('the fourth request for one email address within an hour returns 429, with or without an account', async () => {
    for (const email of [household.email, 'nobody@example.org']) {
      const statuses: number[] = []
      for (let index = 0; index <= ATTEMPT_LIMITS.resetEmail.allowedCount; index++)
        statuses.push((await requestResetLink(email)).status)
      expect(statuses).toEqual([200, 200, 200, 429])
    }
    await waitFor(() => expect(smtp.emails).toHaveLength(3))
  })

  it('an expired link and a link of a blocked account are rejected with 404', async () => {
    await requestResetLink(household.email)
    const token = await receiveToken()
    const { primary } = server.database
    const setBlocked = (blocked: number) =>
      primary.updateTable('account').set({ blocked }).where('account_id', '=', household.accountId).execute()
    await setBlocked(1)
    expect((await completeReset(token)).status).toBe(404)
    await setBlocked(0)
    server.advanceClock(30 * MINUTE_MS)
    expect((await completeReset(token)).status).toBe(404)
    expect((await postToAuthPath('/password-reset/validate', { token })).status).toBe(404)
    expect(await requestLoginStatus(TEST_PASSWORD)).toBe(200)
  })

  it('a link is rejected after its account was blocked and unblocked', async () => {
    const memberHousehold = await createHousehold(server)
    const token = await createResetTokenAsAdmin(memberHousehold.accountId)
    for (const blocked of [true, false]) {
      const blockChange = { user_id: memberHousehold.accountId, blocked }
      expect((await household.adult.put('/api/auth/user', blockChange)).status).toBe(200)
    }
    expect((await completeReset(token)).status).toBe(404)
  })

  it('the email is in the language of the account', async () => {
    for (const language of LOCALES) {
      await server.database.primary
        .updateTable('account')
        .set({ interface_language: language })
        .where('account_id', '=', household.accountId)
        .execute()
      smtp.emails.length = 0
      await requestResetLink(household.email)
      await receiveToken()
      expect(smtp.emails[0]?.messageSource.replaceAll('=3D', '=')).toContain(`<html lang="${language}"`)
    }
  })

  it('a weak password is rejected with 422, and the link still accepts a strong password afterwards', async () => {
    const token = await createResetTokenAsAdmin(household.accountId)
    const weakPasswordReply = await completeReset(token, 'short')
    expect([weakPasswordReply.status, weakPasswordReply.body.errors]).toEqual([
      422,
      { new_password: ['too_short', 'no_number', 'no_uppercase'] },
    ])
    expect((await completeReset(token)).status).toBe(204)
  })

  it('a link is accepted in only one of several parallel requests', async () => {
    const token = await createResetTokenAsAdmin(household.accountId)
    const passwords = Array.from({ length: 8 }, (_, index) => `Melies190${index}`)
    const responses = await Promise.all(passwords.map((password) => completeReset(token, password)))
    expect(responses.filter(({ status }) => status === 204)).toHaveLength(1)
  })

  it('a new link from an administrator replaces earlier links and is still valid after 23 hours', async () => {
    await requestResetLink(household.email)
    const emailToken = await receiveToken()
    const firstToken = await createResetTokenAsAdmin(household.accountId)
    const secondToken = await createResetTokenAsAdmin(household.accountId)
    for (const token of [emailToken, firstToken]) expect((await completeReset(token)).status).toBe(404)
    expect((await household.adult.post('/api/admin/users/none/password-reset')).status).toBe(404)
    server.advanceClock(23 * 60 * MINUTE_MS)
    expect((await completeReset(secondToken)).status).toBe(204)
  })

  it('a link is rejected after a password change, and the links of a deleted account are deleted', async () => {
    const token = await createResetTokenAsAdmin(household.accountId)
    const passwordChange = { current_password: TEST_PASSWORD, new_password: NEW_PASSWORD }
    expect((await household.adult.put('/api/auth/password', passwordChange)).status).toBe(204)
    expect((await completeReset(token)).status).toBe(404)
    const otherHousehold = await createHousehold(server)
    await createResetTokenAsAdmin(otherHousehold.accountId)
    await otherHousehold.adult.delete('/api/auth/user-account', { password: TEST_PASSWORD })
    const { primary } = server.database
    const resetLinksQuery = primary
      .selectFrom('password_reset')
      .selectAll()
      .where('account_id', '=', otherHousehold.accountId)
    expect(await resetLinksQuery.execute()).toEqual([])
  })

  it('the audit log records the creation of a reset link and the password reset, and neither the audit log nor the server log contains the token', async () => {
    const token = await createResetTokenAsAdmin(household.accountId)
    await completeReset(token)
    const { primary } = server.database
    const events = await primary.selectFrom('audit_event').selectAll().orderBy('audit_id', 'desc').execute()
    expect(events.slice(0, 2).map(({ action }) => action)).toEqual(['password_reset', 'user_password_reset'])
    expect(JSON.stringify(events) + server.logLines.join()).not.toContain(token)
  })

  describe('passkeys, identities and calendar addresses after a password reset', () => {
    const publicUrl = 'https://films.example.com'
    let authenticator: TestAuthenticator
    let calendarPath = ''
    let apiKey = ''
    /** Adds a passkey, an identity, a calendar address and an API key, as an intruder could. */
    const addIntruderAccess = async () => {
      const { adult, accountId, mainId } = household
      authenticator = new TestAuthenticator({ origin: publicUrl, rpId: 'films.example.com' })
      const { options } = (await adult.post('/api/auth/passkeys/options', { password: TEST_PASSWORD })).body
      expect(
        (await adult.post('/api/auth/passkeys', { credential: authenticator.create(options) })).status,
      ).toBe(201)
      const calendarFeedReply = await adult.post(`/api/profile/${mainId}/calendar/feed`)
      calendarPath = new URL(calendarFeedReply.body.url).pathname
      const apiKeyInput = { name: 'Script', scopes: ['catalogue:read'], password: TEST_PASSWORD }
      apiKey = (await adult.post('/api/auth/api-keys', apiKeyInput)).body.token
      const nowMs = server.deps.now()
      await insertIdentity(server.database.primary, {
        identity_id: crypto.randomUUID(),
        account_id: accountId,
        issuer: 'https://id.example.com',
        subject: accountId,
        name: null,
        created_at: nowMs,
        last_used_at: nowMs,
      })
    }
    const signInWithPasskey = async () => {
      authenticator.counter += 1
      const { options } = (await postToAuthPath('/passkey/options', {})).body
      return (await postToAuthPath('/passkey/sign-in', { credential: authenticator.get(options) })).status
    }
    const loadIdentities = () =>
      server.database.primary
        .selectFrom('identity')
        .select('identity_id')
        .where('account_id', '=', household.accountId)
        .execute()
    const readCalendarStatus = async () => (await new TestClient(server).get(calendarPath)).status
    const readApiKeyStatus = async () => {
      const client = new TestClient(server)
      client.accessToken = apiKey
      return (await client.get('/api/movies')).status
    }
    const readAlert = async () => {
      await waitFor(() => expect(smtp.emails).toHaveLength(1))
      return (smtp.emails.at(-1)?.messageSource ?? '').replaceAll('=\r\n', '')
    }
    const loadAuditActions = async () => {
      const device = new TestClient(server)
      await device.login(household.email, NEW_PASSWORD)
      device.profileId = household.mainId
      await device.post(`/api/profile/${household.mainId}/unlock`, { pin: PIN })
      const { results } = (await device.get('/api/auth/activities')).body
      return results.map(({ action }: { action: string }) => action)
    }
    beforeEach(addIntruderAccess)

    it('a reset keeps passkeys, identities and calendar addresses; the response for the reset page counts them, and an email mentions them', async () => {
      const token = await createResetTokenAsAdmin(household.accountId)
      const { body } = await postToAuthPath('/password-reset/validate', { token })
      expect(body.other_access).toEqual({ passkeys: 1, identities: 1, calendar_addresses: 1 })
      expect((await completeReset(token)).status).toBe(204)
      expect([await readApiKeyStatus(), await readCalendarStatus(), await signInWithPasskey()]).toEqual([
        401, 200, 200,
      ])
      expect(await loadIdentities()).toHaveLength(1)
      const alert = await readAlert()
      expect(smtp.emails.map(({ to }) => to)).toEqual([household.email])
      expect(alert).toContain('calendar addresses of the account still work')
      expect(alert).not.toContain('ignore')
      const actions = await loadAuditActions()
      expect(actions).toContain('password_reset')
      expect(actions).not.toContain('access_remove')
    })

    it('a reset with remove_access removes passkeys, identities and calendar addresses, and is recorded', async () => {
      const token = await createResetTokenAsAdmin(household.accountId)
      const reset = { token, new_password: NEW_PASSWORD, remove_access: true }
      expect((await postToAuthPath('/password-reset/complete', reset)).status).toBe(204)
      expect([await readApiKeyStatus(), await readCalendarStatus(), await signInWithPasskey()]).toEqual([
        401, 404, 401,
      ])
      expect(await loadIdentities()).toEqual([])
      expect(await readAlert()).not.toContain('still work')
      expect(await loadAuditActions()).toEqual(expect.arrayContaining(['password_reset', 'access_remove']))
    })

    // The test deletes the login in a synchronous hook before a statement. Only SQLite can execute the deletion there.
    // The tested transaction is the same on both databases.
    if (!usesPostgres)
      it('a request to create an API key stores no key if its login ends before the key is stored', async () => {
        const { deps, database } = server
        const { adult, accountId } = household
        const primary = database.primary.withPlugin({
          transformQuery: ({ node }) => {
            if (node.kind === 'InsertQueryNode' && node.into?.table.identifier.name === 'api_key')
              database.sqlite?.exec('delete from login')
            return node
          },
          transformResult: async ({ result }) => result,
        })
        deps.database = { ...database, primary }
        const key = { name: 'Intruder', scopes: ['catalogue:read'], password: TEST_PASSWORD }
        const { status } = await adult.post('/api/auth/api-keys', key).finally(() => {
          deps.database = database
        })
        expect(status).toBe(401)
        const keys = database.primary.selectFrom('api_key').select('key_id').where('name', '=', key.name)
        expect(await keys.where('account_id', '=', accountId).execute()).toEqual([])
      })

    it('if a password reset completes after a request has passed the check of the old password, the request stores no new password and no API key', async () => {
      const { adult, accountId } = household
      const token = await createResetTokenAsAdmin(accountId)
      const { deps, database } = server
      const { promise: resetCompletedPromise, resolve: releaseRequests } = Promise.withResolvers<void>()
      let waitingTransactionCount = 0
      const primary = interceptTransactions(database.primary, () => {
        waitingTransactionCount += 1
        return resetCompletedPromise
      })
      deps.database = { ...database, primary }
      const change = { current_password: TEST_PASSWORD, new_password: 'Intruder1999' }
      const key = { name: 'Intruder', scopes: ['catalogue:read'], password: TEST_PASSWORD }
      const intruderRepliesPromise = Promise.all([
        adult.put('/api/auth/password', change),
        adult.post('/api/auth/api-keys', key),
        adult.put('/api/auth/password', change),
        adult.post('/api/auth/api-keys', key),
      ])
      // All four requests have checked the old password, and now wait until their transactions may begin.
      await waitFor(() => expect(waitingTransactionCount).toBe(4)).finally(() => {
        deps.database = database
      })
      expect((await completeReset(token)).status).toBe(204)
      releaseRequests()
      for (const { status } of await intruderRepliesPromise) expect([401, 403]).toContain(status)
      expect([await requestLoginStatus('Intruder1999'), await requestLoginStatus(NEW_PASSWORD)]).toEqual([
        401, 200,
      ])
      const keys = server.database.primary.selectFrom('api_key').select('key_id')
      expect(await keys.where('account_id', '=', accountId).execute()).toEqual([])
    })
  })

  it('the response to a request for a reset link contains by_mail false when the server cannot send emails', async () => {
    const serverWithoutSmtp = await startTestServer()
    const { body } = await new TestClient(serverWithoutSmtp).post('/api/auth/password-reset', {
      email: 'a@b.org',
    })
    expect(body).toEqual({ by_mail: false })
    await serverWithoutSmtp.close()
  })

  describe('the command create-admin', () => {
    const createOrReplaceAdministrator = (email: string, replacesExisting: boolean) =>
      createAdministrator(server.deps, { email, password: NEW_PASSWORD, replacesExisting })

    it('creates an administrator', async () => {
      const email = `${crypto.randomUUID()}@example.org`
      expect(await createOrReplaceAdministrator(email, false)).toBe('created')
      const { body } = await postToAuthPath('/login', { email, password: NEW_PASSWORD })
      expect(body.user.role).toBe('admin')
    })

    it('without --replace-existing an existing account is not changed', async () => {
      const member = await createHousehold(server)
      await expect(createOrReplaceAdministrator(member.email, false)).rejects.toThrow('--replace-existing')
      const { body } = await member.adult.get('/api/auth/me')
      expect(body).toMatchObject({ role: 'user', email: member.email })
      expect((await postToAuthPath('/login', { email: member.email, password: NEW_PASSWORD })).status).toBe(
        401,
      )
    })

    it('with --replace-existing an existing account becomes an administrator, its logins end and the change is recorded', async () => {
      const member = await createHousehold(server)
      const token = await createResetTokenAsAdmin(member.accountId)
      expect(await createOrReplaceAdministrator(member.email, true)).toBe('replaced')
      expect((await member.adult.get('/api/auth/me')).status).toBe(401)
      const { body } = await postToAuthPath('/login', { email: member.email, password: NEW_PASSWORD })
      expect(body.user).toMatchObject({ role: 'admin', user_id: member.accountId })
      expect((await completeReset(token)).status).toBe(404)
      const auditReply = await household.adult.get('/api/admin/audit?action=admin_replace')
      expect(auditReply.body.results[0]).toMatchObject({ target: member.accountId })
      // The audit log stores a pseudonym instead of the account id. Deleting an account also deletes the pseudonym.
      const events = await server.database.primary.selectFrom('audit_event').select('target').execute()
      expect(events.map(({ target }) => target)).not.toContain(member.accountId)
    })

    it('rejects a password that violates the rules', async () => {
      const adminInput = { email: 'x@example.org', password: 'short', replacesExisting: false }
      await expect(createAdministrator(server.deps, adminInput)).rejects.toThrow('at least 8 characters')
    })
  })
})
