/** Registers, uses and removes passkeys, on SQLite and PostgreSQL. */
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findRelyingParty } from '../../server/services/auth/relying-party.ts'
import { MAX_PASSKEYS } from '../../src/lib/contract/passkeys.ts'
import { TestAuthenticator } from '../support/authenticator.ts'
import { usesPostgres } from '../support/databases.ts'
import { DATABASES, startTestServer, TEST_PASSWORD, type TestServer } from '../support/server.ts'
import { TestClient } from '../support/test-client.ts'
import { createHousehold, type Household, refreshToken } from './security/household.ts'

const RELYING_PARTY = { origin: 'https://films.example.com', rpId: 'films.example.com' }
const MINUTE_MS = 60_000

describe.each(DATABASES)('passkeys on %s', (_name, openTestDatabase) => {
  let server: TestServer
  let household: Household
  let authenticator: TestAuthenticator
  beforeAll(async () => {
    server = await startTestServer({
      database: await openTestDatabase(),
      env: { PUBLIC_URL: RELYING_PARTY.origin },
    })
  }, 60_000)
  afterAll(() => server.close())
  beforeEach(async () => {
    await server.database.primary.deleteFrom('rate_limit').execute()
    household = await createHousehold(server, { role: 'admin', pin: null })
    authenticator = new TestAuthenticator(RELYING_PARTY)
    expect((await registerPasskey(household.adult, authenticator)).status).toBe(201)
  })

  const loadCreationOptions = async (device: TestClient) =>
    (await device.post('/api/auth/passkeys/options', { password: TEST_PASSWORD })).body.options
  const registerPasskey = async (device: TestClient, passkey: TestAuthenticator, name?: string) =>
    device.post('/api/auth/passkeys', {
      credential: passkey.create(await loadCreationOptions(device)),
      ...(name && { name }),
    })
  const loadSignInOptions = async () =>
    (await new TestClient(server).post('/api/auth/passkey/options')).body.options
  const presentCredential = (credential: object, device = new TestClient(server)) =>
    device.post('/api/auth/passkey/sign-in', { credential })
  const signIn = async (passkey: TestAuthenticator, device = new TestClient(server)) => {
    passkey.counter += 1
    const response = await presentCredential(passkey.get(await loadSignInOptions()), device)
    device.accessToken = response.body.access_token ?? null
    return response
  }
  const listPasskeys = async () => (await household.adult.get('/api/auth/passkeys')).body
  const rejectedReply = { status: 401, errors: { passkey: ['refused'] } }
  const expectRefused = ({ status, body }: { status: number; body: { errors?: object } }) =>
    expect({ status, errors: body.errors }).toEqual(rejectedReply)

  it('the registration options require a resident key with user verification, and exclude registered passkeys', async () => {
    const options = await loadCreationOptions(household.adult)
    expect(options).toMatchObject({
      rp: { id: RELYING_PARTY.rpId, name: 'Marquee' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: authenticator.credentialId.toString('base64url') }],
    })
    expect(await loadSignInOptions()).toMatchObject({
      rpId: RELYING_PARTY.rpId,
      userVerification: 'required',
    })
  })

  it('an account can sign in with a passkey, and the list of passkeys shows when the passkey was last used', async () => {
    expect((await loadSignInOptions()).allowCredentials ?? []).toEqual([])
    const device = new TestClient(server)
    const { status, body } = await signIn(authenticator, device)
    expect([status, body.user.user_id]).toEqual([200, household.accountId])
    expect((await device.get('/api/auth/me')).status).toBe(200)
    expect((await listPasskeys()).results).toMatchObject([{ synced: false, last_used: expect.any(String) }])
  })

  // The test deletes the passkey in a synchronous hook before a statement. Only SQLite can execute the deletion there.
  // The tested transaction is the same on both databases.
  if (!usesPostgres)
    it('a sign-in creates no login if its passkey is removed after the signature was checked', async () => {
      const { deps, database } = server
      let isSignatureChecked = false
      const primary = database.primary.withPlugin({
        transformQuery: ({ node }) => {
          if (node.kind === 'UpdateQueryNode') isSignatureChecked = true
          else if (isSignatureChecked) database.sqlite?.exec('delete from passkey')
          return node
        },
        transformResult: async ({ result }) => result,
      })
      deps.database = { ...database, primary }
      const response = await signIn(authenticator).finally(() => {
        deps.database = database
      })
      expect(isSignatureChecked).toBe(true)
      expectRefused(response)
    })

  it('an account can register several passkeys, and can rename and remove them', async () => {
    const secondAuthenticator = new TestAuthenticator(RELYING_PARTY)
    await registerPasskey(household.adult, secondAuthenticator, 'Phone')
    const [firstPasskey, phonePasskey] = (await listPasskeys()).results
    expect(phonePasskey.name).toBe('Phone')
    const passkeyPath = `/api/auth/passkeys/${firstPasskey.passkey_id}`
    expect((await household.adult.put(passkeyPath, { name: ' Laptop ' })).status).toBe(204)
    expect((await listPasskeys()).results[0].name).toBe('Laptop')
    expect((await household.adult.delete(passkeyPath, {})).status).toBe(204)
    expect((await household.adult.delete(passkeyPath, {})).status).toBe(404)
    expectRefused(await signIn(authenticator))
    expect((await signIn(secondAuthenticator)).status).toBe(200)
  })

  it('renaming or removing a passkey of another account returns 404', async () => {
    const otherHousehold = await createHousehold(server, { pin: null })
    const [{ passkey_id }] = (await listPasskeys()).results
    const passkeyPath = `/api/auth/passkeys/${passkey_id}`
    expect((await otherHousehold.adult.put(passkeyPath, { name: 'Mine' })).status).toBe(404)
    expect((await otherHousehold.adult.delete(passkeyPath, {})).status).toBe(404)
  })

  it('a registered credential cannot be registered again for the same or another account', async () => {
    const secondReply = await registerPasskey(household.adult, authenticator)
    expect([secondReply.status, secondReply.body.errors]).toEqual([422, { credential: ['refused'] }])
    const otherHousehold = await createHousehold(server, { pin: null })
    expect((await registerPasskey(otherHousehold.adult, authenticator)).status).toBe(422)
  })

  it('of several parallel registrations in an account with one passkey fewer than the limit of 20, only one succeeds', async () => {
    const { accountId, adult } = household
    const rows = Array.from({ length: MAX_PASSKEYS - 2 }, (_, index) => ({
      passkey_id: `${accountId}-${index}`,
      account_id: accountId,
      credential_id: `${accountId}-${index}`,
      public_key: 'x',
      sign_count: 0,
      transports: '[]',
      name: 'Phone',
      synced: 0,
      created_at: 1,
    }))
    await server.database.primary.insertInto('passkey').values(rows).execute()
    const credentials: object[] = []
    for (let index = 0; index < 5; index++)
      credentials.push(new TestAuthenticator(RELYING_PARTY).create(await loadCreationOptions(adult)))
    const replies = await Promise.all(
      credentials.map((credential) => adult.post('/api/auth/passkeys', { credential })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    expect(replies.find(({ status }) => status === 409)?.body.errors).toEqual({ passkey: ['too_many'] })
    expect((await listPasskeys()).results).toHaveLength(MAX_PASSKEYS)
    expect((await adult.post('/api/auth/passkeys/options', { password: TEST_PASSWORD })).status).toBe(409)
  })

  it('a registration is accepted only from the account that requested it, only once, and only within five minutes', async () => {
    const options = await loadCreationOptions(household.adult)
    const credential = new TestAuthenticator(RELYING_PARTY).create(options)
    const otherHousehold = await createHousehold(server, { pin: null })
    expect((await otherHousehold.adult.post('/api/auth/passkeys', { credential })).status).toBe(422)
    expect((await household.adult.post('/api/auth/passkeys', { credential })).status).toBe(201)
    const secondCredential = new TestAuthenticator(RELYING_PARTY).create(options)
    expect((await household.adult.post('/api/auth/passkeys', { credential: secondCredential })).status).toBe(
      422,
    )
    const lateCredential = new TestAuthenticator(RELYING_PARTY).create(
      await loadCreationOptions(household.adult),
    )
    server.advanceClock(5 * MINUTE_MS)
    expect((await household.adult.post('/api/auth/passkeys', { credential: lateCredential })).status).toBe(
      422,
    )
  })

  it('a passkey response for another origin, relying party ID or account, or without user verification, is rejected', async () => {
    const options = await loadSignInOptions()
    const { userHandle } = authenticator
    const invalidFields = [
      { options: { ...RELYING_PARTY, origin: 'https://films.example.com.evil.example' } },
      { options: { ...RELYING_PARTY, rpId: 'evil.example' } },
      { isUserVerified: false },
      { userHandle: Buffer.from('another-account').toString('base64url') },
    ]
    for (const fields of invalidFields) {
      authenticator.counter += 1
      Object.assign(authenticator, { options: RELYING_PARTY, isUserVerified: true, userHandle }, fields)
      expectRefused(await presentCredential(authenticator.get(options)))
    }
    Object.assign(authenticator, { options: RELYING_PARTY, isUserVerified: true, userHandle })
    expect((await signIn(authenticator)).status).toBe(200)
    const unverifiedAuthenticator = Object.assign(new TestAuthenticator(RELYING_PARTY), {
      isUserVerified: false,
    })
    expect((await registerPasskey(household.adult, unverifiedAuthenticator)).status).toBe(422)
  })

  it('a response with the signature of another passkey, or of an unknown passkey, is rejected', async () => {
    const options = await loadSignInOptions()
    authenticator.counter += 1
    const validResponse = authenticator.get(options)
    const changedResponse = {
      ...validResponse.response,
      signature: new TestAuthenticator(RELYING_PARTY).get(options).response.signature,
    }
    expectRefused(await presentCredential({ ...validResponse, response: changedResponse }))
    expectRefused(await presentCredential(new TestAuthenticator(RELYING_PARTY).get(options)))
  })

  it('a sign-in response of a passkey is accepted once, even in parallel requests, and not after five minutes', async () => {
    authenticator.counter += 1
    const signInResponse = authenticator.get(await loadSignInOptions())
    const replies = await Promise.all(Array.from({ length: 4 }, () => presentCredential(signInResponse)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    authenticator.counter += 1
    const lateResponse = authenticator.get(await loadSignInOptions())
    server.advanceClock(5 * MINUTE_MS)
    expectRefused(await presentCredential(lateResponse))
  })

  it('at sign-in, the challenge of a second-factor confirmation and a challenge that the server has not issued are rejected', async () => {
    await refreshToken(household.adult)
    const { body } = await household.adult.post('/api/auth/second-factor/passkey/options')
    authenticator.counter += 1
    expectRefused(await presentCredential(authenticator.get(body.options)))
    const forgedChallenge = Buffer.from(`${server.deps.now() + MINUTE_MS}.x.y`).toString('base64url')
    expectRefused(await presentCredential(authenticator.get({ challenge: forgedChallenge })))
  })

  it('a passkey whose signature counter has not grown is rejected, and the rejection is recorded', async () => {
    await signIn(authenticator)
    await signIn(authenticator)
    authenticator.counter -= 1
    expectRefused(await presentCredential(authenticator.get(await loadSignInOptions())))
    const { body } = await household.adult.get('/api/auth/activities?limit=1')
    expect(body.results[0]).toMatchObject({ action: 'passkey_copied', outcome: 'denied' })
  })

  it('a passkey without a signature counter is accepted', async () => {
    for (let round = 0; round < 2; round++)
      expect((await presentCredential(authenticator.get(await loadSignInOptions()))).status).toBe(200)
  })

  it('the passkey of a blocked or deleted account is rejected', async () => {
    const { primary } = server.database
    await primary
      .updateTable('account')
      .set({ blocked: 1 })
      .where('account_id', '=', household.accountId)
      .execute()
    expectRefused(await signIn(authenticator))
    await primary.deleteFrom('account').where('account_id', '=', household.accountId).execute()
    expectRefused(await signIn(authenticator))
  })

  it('the right passkey is rejected with 429 after 20 invalid responses from one address', async () => {
    const invalidResponse = new TestAuthenticator(RELYING_PARTY).get(await loadSignInOptions())
    const statuses: number[] = []
    for (let index = 0; index < 21; index++) statuses.push((await presentCredential(invalidResponse)).status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(20)
    expect((await signIn(authenticator)).status).toBe(429)
  })

  it('a passkey sign-in counts as both factors, and a passkey can confirm the second factor later', async () => {
    await refreshToken(household.adult)
    const { body } = await household.adult.post('/api/auth/totp', { password: TEST_PASSWORD })
    const code = new TOTP({ secret: Secret.fromBase32(body.secret) }).generate({
      timestamp: server.deps.now(),
    })
    await household.adult.post('/api/auth/totp/confirm', { code })
    const device = Object.assign(new TestClient(server), { profileId: household.mainId })
    expect((await signIn(authenticator, device)).status).toBe(200)
    expect((await device.get('/api/auth/user-account/export')).status).toBe(200)
    server.advanceClock(15 * MINUTE_MS)
    await refreshToken(device)
    expect((await device.get('/api/auth/user-account/export')).status).toBe(403)
    const confirmSecondFactor = async (passkey: TestAuthenticator, client = device) => {
      passkey.counter += 1
      const reply = await client.post('/api/auth/second-factor/passkey/options')
      const credential = passkey.get(reply.body.options)
      return (await client.post('/api/auth/second-factor/passkey', { credential })).status
    }
    const otherHousehold = await createHousehold(server, { pin: null })
    const foreignAuthenticator = new TestAuthenticator(RELYING_PARTY)
    await registerPasskey(otherHousehold.adult, foreignAuthenticator)
    expect(await confirmSecondFactor(foreignAuthenticator)).toBe(403)
    expect(await confirmSecondFactor(authenticator)).toBe(204)
    expect((await device.get('/api/auth/user-account/export')).status).toBe(200)
  })

  it('an administrator who removes the second factor of a member also removes the passkeys of the member', async () => {
    const memberHousehold = await createHousehold(server, { pin: null })
    const memberAuthenticator = new TestAuthenticator(RELYING_PARTY)
    await registerPasskey(memberHousehold.adult, memberAuthenticator)
    await refreshToken(household.adult)
    await household.adult.delete(`/api/admin/users/${memberHousehold.accountId}/second-factor`)
    expectRefused(await signIn(memberAuthenticator))
  })

  it('passkeys are offered only on a site with a host name and HTTPS, or on localhost', async () => {
    const findRelyingPartyId = (url: string) =>
      findRelyingParty({ publicUrl: new URL(url), siteName: 'Marquee' })?.id ?? null
    expect(
      [
        'https://films.example.com:8443',
        'http://localhost:4321',
        'http://127.0.0.1:4321',
        'https://192.168.1.5',
        'https://[::1]:4321',
        'http://films.example.com',
      ].map(findRelyingPartyId),
    ).toEqual(['films.example.com', 'localhost', null, null, null, null])
    const lanServer = await startTestServer()
    const { adult } = await createHousehold(lanServer, { pin: null })
    expect((await adult.get('/api/auth/passkeys')).body).toEqual({ available: false, results: [] })
    const { status, body } = await adult.post('/api/auth/passkeys/options', { password: TEST_PASSWORD })
    expect([status, body.errors]).toEqual([409, { passkey: ['unavailable'] }])
    expect((await new TestClient(lanServer).post('/api/auth/passkey/options')).body).toEqual({
      options: null,
    })
    await lanServer.close()
  })
})
