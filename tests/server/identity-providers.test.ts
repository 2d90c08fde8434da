/** Sign-in with identity providers, on both databases: accounts, links, roles, and passwords that are turned off. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allowPasswords } from '../../server/services/auth/password-sign-in.ts'
import { type OpenIdStub, startOpenIdStub } from '../support/open-id-stub.ts'
import {
  completeSignIn,
  createCodeResponseQuery,
  createProviderSettings,
  linkIdentityAs,
  signInAs,
  startSignIn,
} from '../support/provider-browser.ts'
import { DATABASES, startTestServer, TEST_PASSWORD, type TestServer } from '../support/server.ts'
import { TestClient } from '../support/test-client.ts'
import { createHousehold, type Household } from './security/household.ts'

describe.each(DATABASES)('identity providers on %s', (_name, openTestDatabase) => {
  let stub: OpenIdStub
  let server: TestServer
  let household: Household
  beforeAll(async () => {
    stub = await startOpenIdStub()
    const env = { PUBLIC_URL: 'https://films.example.com' }
    server = await startTestServer({ database: await openTestDatabase(), env })
  }, 60_000)
  afterAll(async () => {
    await server.close()
    await stub.close()
  })
  beforeEach(async () => {
    stub.metadata = {}
    stub.userInfo = {}
    const { primary } = server.database
    await primary.deleteFrom('rate_limit').execute()
    await primary.deleteFrom('account').execute()
    await primary.deleteFrom('setting').execute()
    household = await createHousehold(server, { role: 'admin', pin: null })
    await setProviders({})
  })

  const setProviders = async (...providerChanges: object[]) => {
    const providers = providerChanges.map((providerChange) =>
      createProviderSettings(stub, 'stub', providerChange),
    )
    const { status } = await household.adult.put('/api/admin/identity-providers', { providers })
    expect(status).toBe(200)
  }
  const insertPasskey = (accountId: string) =>
    server.database.primary
      .insertInto('passkey')
      .values({
        passkey_id: 'a-passkey',
        account_id: accountId,
        credential_id: 'x',
        public_key: 'x',
        sign_count: 0,
        transports: '[]',
        name: 'Phone',
        synced: 0,
        created_at: 1,
      })
      .execute()
  const createBrowser = () => new TestClient(server)
  const createPersonClaims = (overrides: object = {}) => ({
    sub: crypto.randomUUID(),
    email: `${crypto.randomUUID()}@example.org`,
    email_verified: true,
    ...overrides,
  })
  const createInvitation = async (invitationBody: object) =>
    (await household.adult.post('/api/auth/register/invite', invitationBody)).body.token as string
  const getStatusAndCode = ({
    status,
    body,
  }: {
    status: number
    body: { errors?: Record<string, string[]> }
  }) => [status, body.errors?.['provider']?.[0]]
  const setPasswordSignIn = (isAllowed: boolean) =>
    household.adult.post('/api/settings', { key: 'password_sign_in', value: isAllowed })

  describe('settings of a provider', () => {
    it('the settings of a provider are stored encrypted, and the client secret is never returned', async () => {
      const { body } = await household.adult.get('/api/admin/identity-providers')
      expect(body).toEqual({
        results: [
          expect.objectContaining({
            id: 'stub',
            has_secret: true,
            registration: 'invitation',
            redirect_uri: 'https://films.example.com/api/auth/providers/stub/callback',
          }),
        ],
        version: expect.any(String),
        redirect_uri_template: 'https://films.example.com/api/auth/providers/{id}/callback',
      })
      const rows = await server.database.primary.selectFrom('setting').selectAll().execute()
      expect(JSON.stringify([body, rows])).not.toContain('a-client-secret')
      expect(server.logLines.join('')).not.toContain('a-client-secret')
    })

    it('when a change of a provider contains no client secret, the stored secret is kept unless the issuer changes', async () => {
      const { client_secret: _secret, ...keptSettings } = createProviderSettings(stub)
      const changeProvider = async (providerChange: object) =>
        (
          await household.adult.put('/api/admin/identity-providers', {
            providers: [{ ...keptSettings, ...providerChange }],
          })
        ).body.results[0].has_secret
      expect(await changeProvider({ name: 'Renamed' })).toBe(true)
      expect(await changeProvider({ issuer: 'https://other.example.com' })).toBe(false)
    })

    it('saving the list of providers with an outdated version is rejected with 409, so that a removed provider is not restored', async () => {
      const changeProviders = (providers: object[], version?: string) =>
        household.adult.put('/api/admin/identity-providers', { providers, ...(version && { version }) })
      const { version: oldVersion } = (await household.adult.get('/api/admin/identity-providers')).body
      const { version } = (await changeProviders([], oldVersion)).body
      const staleReply = await changeProviders([createProviderSettings(stub)], oldVersion)
      expect([staleReply.status, staleReply.body.errors]).toEqual([409, { list: ['changed'] }])
      expect((await household.adult.get('/api/admin/identity-providers')).body).toMatchObject({
        results: [],
        version,
      })
      const replies = await Promise.all([
        changeProviders([createProviderSettings(stub, 'first')], version),
        changeProviders([createProviderSettings(stub, 'second')], version),
      ])
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    })

    it.each([
      ['http://provider.example.com', 'plain HTTP on a public host'],
      ['ftp://provider.lan', 'a protocol other than HTTP and HTTPS'],
      ['https://user:secret@provider.example.com', 'credentials'],
      ['https://provider.example.com/?tenant=1', 'a query'],
    ])('the settings reject the issuer %s: %s', async (issuer) => {
      const providers = [createProviderSettings({ issuer })]
      const { status, body } = await household.adult.put('/api/admin/identity-providers', { providers })
      expect([status, body.errors]).toEqual([422, { issuer: ['does_not_fit'] }])
    })

    it('a visitor who is not signed in sees only the ids and names of providers, and an administrator can test a provider', async () => {
      const { body } = await createBrowser().get('/api/auth/sign-in-methods')
      expect(body).toEqual({
        password: true,
        providers: [{ id: 'stub', name: 'Provider stub' }],
        first_sign_in: false,
      })
      const testProvider = async () =>
        (await household.adult.post('/api/admin/identity-providers/stub/test')).body.result
      expect(await testProvider()).toBe('ok')
      stub.metadata = { issuer: 'http://127.0.0.1:1' }
      expect(await testProvider()).toBe('refused')
    })
  })

  describe('accounts of users who sign in with a provider', () => {
    it('a linked identity is signed in, but not an unlinked identity with the email address of an account', async () => {
      const person = createPersonClaims({ email: household.email })
      expect(getStatusAndCode(await signInAs(createBrowser(), stub, person))).toEqual([401, 'link_needed'])
      await setProviders({ registration: 'automatic' })
      expect(getStatusAndCode(await signInAs(createBrowser(), stub, person))).toEqual([401, 'link_needed'])
      await createInvitation({ email: household.email })
      expect(getStatusAndCode(await signInAs(createBrowser(), stub, person))).toEqual([401, 'link_needed'])
      expect((await linkIdentityAs(household.adult, stub, person)).status).toBe(201)
      const browser = createBrowser()
      expect((await signInAs(browser, stub, person)).status).toBe(200)
      expect((await browser.get('/api/auth/me')).body.user_id).toBe(household.accountId)
    })

    it.each([false, undefined, 'true'])(
      'no account is created for an identity with email_verified %j',
      async (emailVerifiedClaim) => {
        await setProviders({ registration: 'automatic' })
        const person = createPersonClaims({ email_verified: emailVerifiedClaim })
        expect(getStatusAndCode(await signInAs(createBrowser(), stub, person))).toEqual([
          401,
          'email_unverified',
        ])
        const invitation = await createInvitation({})
        const response = await signInAs(createBrowser(), stub, person, { body: { invitation: invitation } })
        expect(getStatusAndCode(response)).toEqual([401, 'email_unverified'])
      },
    )

    it('an account is created only with an invitation for the address, or with an invitation token', async () => {
      const person = createPersonClaims()
      expect(getStatusAndCode(await signInAs(createBrowser(), stub, person))).toEqual([401, 'not_linked'])
      await createInvitation({ email: person.email, role: 'user', language: 'fr' })
      const { body } = await signInAs(createBrowser(), stub, person)
      expect(body.user).toMatchObject({ email: person.email, role: 'user' })
      expect(body.user.preferences.interface_language).toBe('fr')
      expect((await signInAs(createBrowser(), stub, person)).body.user.user_id).toBe(body.user.user_id)
      const otherPerson = createPersonClaims()
      const invitation = await createInvitation({})
      expect((await signInAs(createBrowser(), stub, otherPerson, { body: { invitation } })).status).toBe(200)
      const reusedInvitationResponse = await signInAs(createBrowser(), stub, createPersonClaims(), {
        body: { invitation },
      })
      expect(getStatusAndCode(reusedInvitationResponse)).toEqual([401, 'not_linked'])
    })

    it('a sign-in with an invitation for another address is rejected', async () => {
      const invitation = await createInvitation({ email: 'somebody@example.org' })
      const response = await signInAs(createBrowser(), stub, createPersonClaims(), { body: { invitation } })
      expect(getStatusAndCode(response)).toEqual([401, 'not_linked'])
    })

    it('when registration is automatic, accounts are created only for the allowed email domains', async () => {
      await setProviders({ registration: 'automatic', email_domains: ['family.example'] })
      expect(getStatusAndCode(await signInAs(createBrowser(), stub, createPersonClaims()))).toEqual([
        401,
        'domain',
      ])
      const subdomainPerson = createPersonClaims({ email: 'x@evil.family.example' })
      expect(getStatusAndCode(await signInAs(createBrowser(), stub, subdomainPerson))).toEqual([
        401,
        'domain',
      ])
      const person = createPersonClaims({ email: 'Anna@Family.example' })
      const { body } = await signInAs(createBrowser(), stub, person)
      expect(body.user).toMatchObject({ email: 'anna@family.example', role: 'user' })
    })

    it('an allowed email domain with letters beyond ASCII matches addresses in Unicode form and in Punycode form', async () => {
      await setProviders({
        registration: 'automatic',
        email_domains: ['Bücher.example', 'उदाहरण.example', 'plain.example.'],
      })
      const { body: settings } = await household.adult.get('/api/admin/identity-providers')
      expect(settings.results[0].email_domains).toEqual([
        'xn--bcher-kva.example',
        'xn--p1b6ci4b4b3a.example',
        'plain.example',
      ])
      for (const [email, storedEmail] of [
        ['one@bücher.example', 'one@xn--bcher-kva.example'],
        ['two@xn--bcher-kva.example', 'two@xn--bcher-kva.example'],
        ['three@उदाहरण.example', 'three@xn--p1b6ci4b4b3a.example'],
        ['four@plain.example', 'four@plain.example'],
      ]) {
        const { body } = await signInAs(createBrowser(), stub, createPersonClaims({ sub: email, email }))
        expect(body.user).toMatchObject({ email: storedEmail })
      }
    })

    it('in the name of an identity, NUL and lone surrogates are replaced and the length is limited, but a subject with such characters or more than 255 characters is rejected', async () => {
      await setProviders({ registration: 'automatic' })
      const name = `Nul\0 \ud800 ${'x'.repeat(1_000)}`
      const person = { ...createPersonClaims(), email: undefined, preferred_username: name }
      stub.userInfo = { sub: person.sub }
      expect((await linkIdentityAs(household.adult, stub, person)).status).toBe(201)
      stub.userInfo = {}
      const { body } = await household.adult.get('/api/auth/identities')
      expect(body.results[0].name).toMatch(/^Nul {2}\ufffd x{200,300}$/)
      for (const sub of ['nul\0', '\ud800', 'x'.repeat(256)]) {
        const response = await signInAs(createBrowser(), stub, createPersonClaims({ sub }))
        expect(getStatusAndCode(response)).toEqual([401, 'refused'])
      }
    })

    it('an account that was created at a sign-in has no usable password until one is set with a reset link', async () => {
      const person = createPersonClaims()
      await setProviders({ registration: 'automatic' })
      const browser = createBrowser()
      const { body } = await signInAs(browser, stub, person)
      for (const password of ['', ' ', 'null', TEST_PASSWORD])
        expect([401, 422]).toContain((await createBrowser().login(person.email, password)).status)
      expect((await browser.get('/api/auth/identities')).body.has_password).toBe(false)
      const deletionResponse = await browser.delete('/api/auth/user-account', { password: TEST_PASSWORD })
      expect(deletionResponse.status).toBe(403)
      const linkResponse = await household.adult.post(`/api/admin/users/${body.user.user_id}/password-reset`)
      const token = new URL(linkResponse.body.url).searchParams.get('token')
      const resetBody = { token, new_password: 'Melies1902' }
      await createBrowser().post('/api/auth/password-reset/complete', resetBody)
      expect((await createBrowser().login(person.email, 'Melies1902')).status).toBe(200)
    })

    it('a blocked account is rejected, and an account with a second factor must confirm the second factor', async () => {
      const person = createPersonClaims()
      await linkIdentityAs(household.adult, stub, person)
      const { primary } = server.database
      await primary
        .insertInto('totp')
        .values({ account_id: household.accountId, secret: 'x', confirmed_at: 1, last_step: 0 })
        .execute()
      const { body, headers } = await signInAs(createBrowser(), stub, person)
      expect(body).toEqual({ sign_in_token: expect.any(String), expires_in: 300 })
      expect(headers.get('set-cookie')).not.toContain('__Host-rt')
      await primary.updateTable('account').set({ blocked: 1 }).execute()
      expect(getStatusAndCode(await signInAs(createBrowser(), stub, person))).toEqual([401, 'refused'])
    })
  })

  describe('groups of a provider', () => {
    const ROLE_GROUPS = { admin_groups: ['film-admins'], user_groups: ['film-users'] }
    it('groups in a nested claim decide the role at each sign-in, whether the claim is a list or a text', async () => {
      await setProviders({ registration: 'automatic', ...ROLE_GROUPS, group_claim: 'realm_access.roles' })
      const person = createPersonClaims()
      const signInWithRoles = async (roles: unknown) =>
        (await signInAs(createBrowser(), stub, { ...person, realm_access: { roles } })).body.user?.role
      expect(await signInWithRoles(['other', 'film-admins'])).toBe('admin')
      expect(await signInWithRoles(['film-users'])).toBe('user')
      expect(await signInWithRoles('film-admins')).toBe('admin')
      const auditResponse = await household.adult.get('/api/admin/audit?action=provider_role')
      expect(auditResponse.body.total_results).toBe(2)
    })

    it('users outside the allowed groups are rejected with 401, even with a linked identity', async () => {
      await setProviders({ registration: 'automatic', ...ROLE_GROUPS })
      const person = createPersonClaims()
      await linkIdentityAs(household.adult, stub, person)
      stub.userInfo = { sub: person.sub }
      for (const groups of [undefined, [], ['film-users-2'], { 0: 'film-users' }, [['film-users']]])
        expect(getStatusAndCode(await signInAs(createBrowser(), stub, { ...person, groups }))).toEqual([
          401,
          'group',
        ])
    })

    it('groups are read from the userinfo endpoint when the ID token contains no groups', async () => {
      await setProviders({ registration: 'automatic', ...ROLE_GROUPS })
      const person = createPersonClaims()
      stub.userInfo = { sub: person.sub, groups: ['film-admins'] }
      expect((await signInAs(createBrowser(), stub, person)).body.user.role).toBe('admin')
      stub.userInfo = { sub: 'another', groups: ['film-admins'] }
      expect(getStatusAndCode(await signInAs(createBrowser(), stub, person))).toEqual([401, 'refused'])
    })

    it('the invitations of an administrator become invalid when a sign-in without the administrator group removes the role', async () => {
      const { adult } = await createHousehold(server, { role: 'admin', pin: null })
      const person = createPersonClaims()
      await linkIdentityAs(adult, stub, person)
      await setProviders(ROLE_GROUPS)
      const { token } = (await adult.post('/api/auth/register/invite', { role: 'admin' })).body
      const signIn = await signInAs(createBrowser(), stub, { ...person, groups: ['film-users'] })
      expect(signIn.body.user.role).toBe('user')
      const credentials = { email: 'again@example.org', password: TEST_PASSWORD }
      const headers = { Authorization: `Bearer ${token}` }
      const registration = await createBrowser().send('POST', '/api/auth/register', credentials, headers)
      expect(registration.status).toBe(401)
    })

    it('the groups of a provider never remove the role of the last administrator', async () => {
      const person = createPersonClaims()
      await linkIdentityAs(household.adult, stub, person)
      await setProviders(ROLE_GROUPS)
      const signIn = () => signInAs(createBrowser(), stub, { ...person, groups: ['film-users'] })
      expect((await signIn()).body.user.role).toBe('admin')
      await createHousehold(server, { role: 'admin' })
      expect((await signIn()).body.user.role).toBe('user')
    })
  })

  describe('links between identities and accounts', () => {
    it('a linked identity is listed with its provider and its name, and a DELETE request removes the link', async () => {
      const person = createPersonClaims()
      const { body: linkedIdentity } = await linkIdentityAs(household.adult, stub, person)
      const { body } = await household.adult.get('/api/auth/identities')
      expect(body).toEqual({
        results: [{ ...linkedIdentity, provider: 'Provider stub', name: person.email }],
        providers: [],
        has_password: true,
      })
      const { status } = await household.adult.delete(`/api/auth/identities/${linkedIdentity.identity_id}`)
      expect(status).toBe(204)
      expect(getStatusAndCode(await signInAs(createBrowser(), stub, person))).toEqual([401, 'not_linked'])
    })

    it('linking an identity needs the account password, or the proof that an adult acts if the account has no password', async () => {
      const path = '/api/auth/providers/stub/link'
      const { adult } = household
      const postAndGetStatus = async (device: TestClient, body: object) =>
        (await device.post(path, body)).status
      const rejectedReply = await adult.post(path)
      expect([rejectedReply.status, rejectedReply.body.errors]).toEqual([403, { password: ['needed'] }])
      expect(await postAndGetStatus(adult, { password: 'Wrong-1902' })).toBe(403)
      expect(await postAndGetStatus(adult, { password: TEST_PASSWORD })).toBe(200)
      await setProviders({ registration: 'automatic' })
      const browser = createBrowser()
      await signInAs(browser, stub, createPersonClaims())
      expect(await postAndGetStatus(browser, {})).toBe(200)
      for (const kids of [false, true])
        await browser.post('/api/profile', { name: `Kids ${kids}`, kids, avatar: 1 })
      expect(await postAndGetStatus(browser, {})).toBe(403)
    })

    it('an identity can be linked to only one account', async () => {
      const person = createPersonClaims()
      const otherHousehold = await createHousehold(server, { pin: null })
      await linkIdentityAs(household.adult, stub, person)
      expect(getStatusAndCode(await linkIdentityAs(otherHousehold.adult, stub, person))).toEqual([
        409,
        'linked',
      ])
    })

    it('the response to a started link is rejected in another account and as a sign-in, and the response to a sign-in is rejected as a link', async () => {
      const person = createPersonClaims()
      const otherHousehold = await createHousehold(server, { pin: null })
      const startedLink = await startSignIn(household.adult, 'stub', {}, 'link')
      const responseQuery = createCodeResponseQuery(stub, startedLink, { claims: {} })
      const linkBody = { provider_id: 'stub', response: responseQuery }
      otherHousehold.adult.cookie = household.adult.cookie
      expect(getStatusAndCode(await otherHousehold.adult.post('/api/auth/identities', linkBody))).toEqual([
        422,
        'expired',
      ])
      const startedSignIn = await startSignIn(household.adult)
      const signInBody = {
        provider_id: 'stub',
        response: createCodeResponseQuery(stub, startedSignIn, { claims: person }),
      }
      expect(getStatusAndCode(await household.adult.post('/api/auth/identities', signInBody))).toEqual([
        422,
        'expired',
      ])
      const secondLink = await startSignIn(household.adult, 'stub', {}, 'link')
      const linkQuery = createCodeResponseQuery(stub, secondLink, { claims: person })
      expect(getStatusAndCode(await completeSignIn(household.adult, linkQuery))).toEqual([401, 'expired'])
    })

    it('an account cannot remove a link that is its only way to sign in', async () => {
      await setProviders({ registration: 'automatic' })
      const browser = createBrowser()
      await signInAs(browser, stub, createPersonClaims())
      const { body } = await browser.get('/api/auth/identities')
      const path = `/api/auth/identities/${body.results[0].identity_id}`
      const rejectedReply = await browser.delete(path)
      expect([rejectedReply.status, rejectedReply.body.errors]).toEqual([409, { sign_in: ['last_way'] }])
      await insertPasskey((await browser.get('/api/auth/me')).body.user_id)
      expect((await browser.delete(path)).status).toBe(204)
      expect((await browser.delete('/api/auth/passkeys/a-passkey')).status).toBe(409)
    })

    it('when the last two ways to sign in, a link and a passkey, are removed in parallel, one removal is rejected with 409', async () => {
      await setProviders({ registration: 'automatic' })
      const browser = createBrowser()
      await signInAs(browser, stub, createPersonClaims())
      const accountId = (await browser.get('/api/auth/me')).body.user_id
      const { primary } = server.database
      const identityQuery = primary.selectFrom('identity').selectAll().where('account_id', '=', accountId)
      const identity = await identityQuery.executeTakeFirstOrThrow()
      await primary.deleteFrom('identity').where('account_id', '=', accountId).execute()
      for (let round = 0; round < 5; round++) {
        await primary.insertInto('identity').values(identity).execute()
        await insertPasskey(accountId)
        const replies = await Promise.all([
          browser.delete(`/api/auth/identities/${identity.identity_id}`),
          browser.delete('/api/auth/passkeys/a-passkey'),
        ])
        expect(replies.map(({ status }) => status).sort()).toEqual([204, 409])
        await primary.deleteFrom('identity').where('account_id', '=', accountId).execute()
        await primary.deleteFrom('passkey').where('account_id', '=', accountId).execute()
      }
    })
  })

  describe('passwords at sign-in', () => {
    const signInWithPassword = async () => {
      const { status, body } = await createBrowser().login(household.email)
      return [status, body.message]
    }
    it('sign-in with a password can be turned off only by an administrator with a linked identity', async () => {
      const rejectedReply = await setPasswordSignIn(false)
      expect([rejectedReply.status, rejectedReply.body.errors]).toEqual([409, { setting: ['no_other_way'] }])
      const person = createPersonClaims()
      await linkIdentityAs(household.adult, stub, person)
      expect((await setPasswordSignIn(false)).status).toBe(200)
      expect((await createBrowser().get('/api/auth/sign-in-methods')).body.password).toBe(false)
      const wrongPasswordReply = await createBrowser().login(household.email, 'Wrong12345')
      expect(await signInWithPassword()).toEqual([wrongPasswordReply.status, wrongPasswordReply.body.message])
      expect((await signInAs(createBrowser(), stub, person)).status).toBe(200)
      const invitation = await createInvitation({})
      const registrationResponse = await createBrowser().send(
        'POST',
        '/api/auth/register',
        { email: 'new@example.org', password: TEST_PASSWORD },
        { Authorization: `Bearer ${invitation}` },
      )
      expect(registrationResponse.status).toBe(403)
      const newUser = { email: 'new@example.org', password: TEST_PASSWORD }
      const creationReply = await household.adult.post('/api/auth/user', newUser)
      expect([creationReply.status, creationReply.body.errors]).toEqual([403, { password: ['off'] }])
      await allowPasswords(server.deps)
      expect((await signInWithPassword())[0]).toBe(200)
    })

    it('while password sign-in is turned off and no administrator can sign in with a provider, the passwords of administrators are still accepted', async () => {
      const person = createPersonClaims()
      const { body: linkedIdentity } = await linkIdentityAs(household.adult, stub, person)
      await setPasswordSignIn(false)
      const memberHousehold = await createHousehold(server).catch(() => null)
      expect(memberHousehold?.adult.accessToken ?? null).toBeNull()
      expect(
        (await household.adult.delete(`/api/auth/identities/${linkedIdentity.identity_id}`)).status,
      ).toBe(409)
      await server.database.primary.deleteFrom('identity').execute()
      expect((await signInWithPassword())[0]).toBe(200)
    })

    it('passwords are accepted again once the last provider is removed', async () => {
      await linkIdentityAs(household.adult, stub, createPersonClaims())
      await setPasswordSignIn(false)
      await setProviders()
      expect((await signInWithPassword())[0]).toBe(200)
    })
  })

  it.each([
    'Remote-User',
    'X-Forwarded-User',
    'X-Remote-User',
    'Remote-Email',
    'X-Authentik-Username',
    'Cf-Access-Authenticated-User-Email',
  ])('the header %s, which some proxies send, is not accepted as a sign-in', async (header) => {
    const headers = { [header]: household.email }
    const { status } = await createBrowser().send('GET', '/api/auth/me', undefined, headers)
    expect(status).toBe(401)
    expect((await createBrowser().send('POST', '/api/auth/refresh', {}, headers)).status).toBe(401)
  })
})
