/** A hostile or broken identity provider, and a hostile page: a response signs in a user only if every check passes. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { createOpenIdFetch, isAllowedEndpoint } from '../../server/providers/open-id-fetch.ts'
import {
  createSigningKey,
  type OpenIdStub,
  type StubGrant,
  startOpenIdStub,
} from '../support/open-id-stub.ts'
import {
  buildClaims,
  completeSignIn,
  createCodeResponseQuery,
  createProviderSettings,
  type StartedSignIn,
  startSignIn,
} from '../support/provider-browser.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { TestClient, type TestResponse } from '../support/test-client.ts'
import { createHousehold, type Household } from './security/household.ts'

const PERSON_CLAIMS = { sub: 'person', email: 'person@example.org', email_verified: true }
let stub: OpenIdStub
let otherStub: OpenIdStub
let server: TestServer
let household: Household
let browser: TestClient
beforeAll(async () => {
  stub = await startOpenIdStub()
  otherStub = await startOpenIdStub()
  server = await startTestServer()
  household = await createHousehold(server, { role: 'admin', pin: null })
}, 60_000)
afterAll(async () => {
  await server.close()
  await stub.close()
  await otherStub.close()
})
let configurationNumber = 0
beforeEach(async () => {
  await server.database.primary.deleteFrom('rate_limit').execute()
  browser = new TestClient(server)
  configurationNumber += 1
  // A changed name makes the server reload the configuration.
  const providerChanges = { registration: 'automatic', name: `Provider ${configurationNumber}` }
  const providers = [
    createProviderSettings(stub, 'stub', providerChanges),
    createProviderSettings(otherStub, 'other', providerChanges),
  ]
  await household.adult.put('/api/admin/identity-providers', { providers })
})
afterEach(async () => {
  stub.metadata = {}
  vi.useRealTimers()
  const emails = await server.database.primary.selectFrom('account').select('email').execute()
  expect(emails.map(({ email }) => email)).toEqual([household.email])
})

const expectRefused = ({ status, body, headers }: TestResponse, code = 'refused') => {
  expect([status, body.errors]).toEqual([code === 'unreachable' ? 502 : 401, { provider: [code] }])
  expect(headers.get('set-cookie')).not.toContain('rt=')
}
const createResponseQuery = (
  startedSignIn: StartedSignIn,
  grant: Partial<StubGrant> = {},
  claims: object = {},
) =>
  createCodeResponseQuery(stub, startedSignIn, {
    claims: { ...buildClaims(stub, startedSignIn, PERSON_CLAIMS), ...claims },
    ...grant,
  })

const EXPIRED_AT_SECONDS = 1_000_000_000
const ID_TOKENS_BY_DESCRIPTION: Record<
  string,
  { claims?: object; header?: object; createKey?: () => OpenIdStub['key'] }
> = {
  'another issuer': { claims: { iss: 'https://evil.example.com' } },
  'another audience': { claims: { aud: 'another-client' } },
  'several audiences without azp': { claims: { aud: ['marquee', 'another-client'] } },
  'another authorized party': { claims: { aud: ['marquee', 'another-client'], azp: 'another-client' } },
  'another nonce': { claims: { nonce: 'x'.repeat(43) } },
  'no nonce': { claims: { nonce: undefined } },
  'no subject': { claims: { sub: undefined } },
  'an expiry in the past': { claims: { exp: EXPIRED_AT_SECONDS } },
  'no expiry': { claims: { exp: undefined } },
  'no signature': { header: { alg: 'none' } },
  'a symmetric signature': { header: { alg: 'HS256' } },
  'an unknown critical header': { header: { crit: ['x'], x: 1 } },
  'the signature of another key': { createKey: () => createSigningKey().privateKey },
}
it.each(Object.entries(ID_TOKENS_BY_DESCRIPTION))(
  'the server rejects an ID token with %s',
  async (_name, { claims, header, createKey }) => {
    const { key: realKey } = stub
    if (createKey) stub.key = createKey()
    const startedSignIn = await startSignIn(browser)
    const responseQuery = createResponseQuery(
      startedSignIn,
      header ? { header: header as Record<string, unknown> } : {},
      claims,
    )
    expectRefused(await completeSignIn(browser, responseQuery))
    stub.key = realKey
  },
)

const RESPONDERS_BY_DESCRIPTION: Record<string, StubGrant['respond']> = {
  'an HTML page': (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Hi</h1>'),
  'no ID token': (response) =>
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end('{"access_token":"a","token_type":"Bearer"}'),
  'a redirect into the local network': (response) =>
    response.writeHead(307, { Location: 'http://169.254.169.254/latest/' }).end(),
  'a huge body': (response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(`{"x":"${'x'.repeat(300_000)}"}`),
  'a compressed body': (response) =>
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).end('x'),
}
it.each(Object.entries(RESPONDERS_BY_DESCRIPTION))(
  'the server rejects a response of the token endpoint with %s',
  async (_name, respond) => {
    const startedSignIn = await startSignIn(browser)
    expectRefused(
      await completeSignIn(browser, createResponseQuery(startedSignIn, respond ? { respond } : {})),
    )
  },
)

it('the server returns 502 with the error "unreachable" when the identity provider closes the connection', async () => {
  const startedSignIn = await startSignIn(browser)
  const respond: StubGrant['respond'] = (response) => response.destroy()
  expectRefused(await completeSignIn(browser, createResponseQuery(startedSignIn, { respond })), 'unreachable')
})

it.each(['before the headers', 'within the body'])(
  'a request to the provider times out when the response stops %s',
  async (stopPoint) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { promise: arrivalPromise, resolve: resolveArrival } = Promise.withResolvers<void>()
    stub.grants.set('slow', {
      claims: {},
      respond: (response) => {
        if (stopPoint === 'within the body') response.writeHead(200).write('{')
        resolveArrival()
      },
    })
    const sendRequest = createOpenIdFetch(new URL(stub.issuer), {
      resolveHost: async () => [],
      isPrivateNetworkAllowed: false,
    })
    const body = new URLSearchParams({ code: 'slow' })
    const replyPromise = sendRequest(`${stub.issuer}/token`, {
      method: 'POST',
      headers: {},
      body,
      redirect: 'manual',
    })
    const outcomePromise = replyPromise.then(
      () => 'answered',
      (error: unknown) => String(error),
    )
    await arrivalPromise
    for (let round = 0; round < 3; round++) {
      await new Promise((resolve) => setImmediate(resolve))
      await vi.advanceTimersByTimeAsync(10_000)
    }
    expect(await outcomePromise).toContain('timed out')
  },
)

it.each([
  ['another state', (query: URLSearchParams) => query.set('state', 'sign-in.en.x')],
  ['two states', (query: URLSearchParams) => query.append('state', query.get('state') ?? '')],
  ['no state', (query: URLSearchParams) => query.delete('state')],
])('the server reports the error "expired" for a provider response with %s', async (_name, changeQuery) => {
  const query = new URLSearchParams(createResponseQuery(await startSignIn(browser)))
  changeQuery(query)
  expectRefused(await completeSignIn(browser, query.toString()), 'expired')
})

it.each([
  ['another issuer (mix-up)', (query: URLSearchParams) => query.set('iss', 'https://evil.example.com')],
  ['no issuer, although the metadata announces one', (query: URLSearchParams) => query.delete('iss')],
  ['two codes', (query: URLSearchParams) => query.append('code', 'another')],
  ['an error', (query: URLSearchParams) => query.set('error', 'server_error')],
])('the server rejects a provider response with %s', async (_name, changeQuery) => {
  const query = new URLSearchParams(createResponseQuery(await startSignIn(browser)))
  changeQuery(query)
  expectRefused(await completeSignIn(browser, query.toString()))
})

it('the server reports a cancelled sign-in when the provider returns access_denied', async () => {
  const { state } = await startSignIn(browser)
  const query = new URLSearchParams({ error: 'access_denied', state, iss: stub.issuer })
  expectRefused(await completeSignIn(browser, query.toString()), 'cancelled')
})

it('the server rejects a response of one provider that arrives at the redirect URI of another provider, and sends no request to either provider', async () => {
  stub.requestedPaths.length = 0
  const startedSignIn = await startSignIn(browser)
  const responseQuery = createResponseQuery(startedSignIn)
  stub.requestedPaths.length = 0
  otherStub.requestedPaths.length = 0
  expectRefused(await completeSignIn(browser, responseQuery, 'other'), 'expired')
  expect([...stub.requestedPaths, ...otherStub.requestedPaths]).toEqual([])
})

it('a provider response is rejected in another browser, at its second use, and after ten minutes', async () => {
  const startedSignIn = await startSignIn(browser)
  expectRefused(await completeSignIn(new TestClient(server), createResponseQuery(startedSignIn)), 'expired')
  const attackerBrowser = new TestClient(server)
  await startSignIn(attackerBrowser)
  expectRefused(await completeSignIn(attackerBrowser, createResponseQuery(startedSignIn)), 'expired')
  const { cookie } = browser
  expectRefused(
    await completeSignIn(
      browser,
      createResponseQuery(startedSignIn, {}, { iss: 'https://evil.example.com' }),
    ),
  )
  browser.cookie = cookie
  expectRefused(await completeSignIn(browser, createResponseQuery(startedSignIn)), 'expired')
  const lateSignIn = await startSignIn(browser)
  server.advanceClock(10 * 60_000)
  expectRefused(await completeSignIn(browser, createResponseQuery(lateSignIn)), 'expired')
})

it('the server rejects an authorization code that was redeemed already', async () => {
  const startedSignIn = await startSignIn(browser)
  const responseQuery = createResponseQuery(startedSignIn)
  stub.grants.clear()
  expectRefused(await completeSignIn(browser, responseQuery))
})

it('the server rejects a provider response with a changed sign-in cookie', async () => {
  const responseQuery = createResponseQuery(await startSignIn(browser))
  browser.cookie = `${browser.cookie?.slice(0, -2)}xx`
  expectRefused(await completeSignIn(browser, responseQuery), 'expired')
})

it.each([
  ['metadata of another issuer', { issuer: 'https://evil.example.com' }],
  ['a javascript: URL as authorization endpoint', { authorization_endpoint: 'javascript:alert(1)' }],
  ['an authorization endpoint in the local network', { authorization_endpoint: 'http://192.168.1.1/' }],
])('the server does not start a sign-in with a provider that has %s', async (_name, metadata) => {
  stub.metadata = metadata
  const { status, body } = await browser.post('/api/auth/providers/stub/start')
  expect([status, body.errors]).toEqual([401, { provider: ['refused'] }])
})

it.each([
  ['token_endpoint', 'http://169.254.169.254/token'],
  ['token_endpoint', 'http://127.0.0.1:1/token'],
  ['jwks_uri', 'https://127.0.0.1:1/jwks'],
])('the server rejects a sign-in when the %s of the provider is %s', async (endpointName, endpointUrl) => {
  stub.metadata = { [endpointName]: endpointUrl }
  const startedSignIn = await startSignIn(browser)
  expectRefused(await completeSignIn(browser, createResponseQuery(startedSignIn)))
})

it('endpoints of a provider are allowed only at the origin of the issuer, or at public hosts over HTTPS', () => {
  const issuer = new URL('https://login.example.com/realms/home')
  const isAllowed = (url: string) => isAllowedEndpoint(issuer, new URL(url))
  expect(['https://login.example.com/x', 'https://oauth2.example.net/token'].map(isAllowed)).toEqual([
    true,
    true,
  ])
  const rejectedUrls = [
    'http://login.example.com/x',
    'https://10.0.0.1/',
    'https://nas.lan/',
    'https://localhost/',
  ]
  expect(rejectedUrls.map(isAllowed)).toEqual([false, false, false, false])
})

it('the start of a sign-in sets an HttpOnly cookie, and sends a PKCE challenge, a state and a nonce to the provider', async () => {
  const { headers, body } = await browser.post('/api/auth/providers/stub/start', { locale: 'fr' })
  expect(headers.get('set-cookie')).toMatch(
    /^sign-in=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Strict$/,
  )
  const queryParams = Object.fromEntries(new URL(body.url).searchParams)
  expect(queryParams).toMatchObject({
    response_type: 'code',
    client_id: 'marquee',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^sign-in\.fr\.[\w-]{43}$/),
    redirect_uri: expect.stringMatching(/\/api\/auth\/providers\/stub\/callback$/),
  })
  expect(headers.get('set-cookie')).not.toContain(queryParams['state'] ?? '')
})

it.each([
  ['sign-in.fr.x', '/fr/login/#provider=stub&'],
  ['sign-in.en.x', '/login/#provider=stub&'],
  ['link.ar.x', '/ar/account/?tab=security#provider=stub&'],
  ['https://evil.example.com', '/login/#provider=stub&'],
  ['//evil.example.com/.fr.', '/login/#provider=stub&'],
  ['link.//evil.example.com.x', '/account/?tab=security#provider=stub&'],
])('a provider response with the state %s redirects the browser to %s', async (state, location) => {
  const query = new URLSearchParams({ code: 'x', state, iss: stub.issuer })
  const response = await server.request(`/api/auth/providers/stub/callback?${query}`)
  expect([response.status, response.headers.get('location')]).toEqual([303, location + query])
  expect(response.headers.get('set-cookie')).toBeNull()
})

it('after 20 unusable provider responses from one client address, further responses from this address get 429', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async () => (await completeSignIn(browser, 'state=x')).status),
  )
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(20)
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(20)
})
