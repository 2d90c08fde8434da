/** Sign-in with a real OpenID Connect provider (oidc-provider), through all redirects. */
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { completeSignIn, createProviderSettings, startSignIn } from '../support/provider-browser.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { TestClient } from '../support/test-client.ts'
import { createHousehold, type Household } from './security/household.ts'

const REDIRECT_URI = 'https://films.example.com/api/auth/providers/real/callback'
const PERSON_CLAIMS = { email: 'anna@example.org', email_verified: true, groups: ['film-admins'] }

let server: TestServer
let household: Household
let providerServer: Server
let issuer = ''
beforeAll(async () => {
  providerServer = createServer()
  await new Promise<void>((resolve) => providerServer.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(providerServer.address() as AddressInfo).port}`
  const provider = createProvider()
  const handleProviderRequest = provider.callback()
  providerServer.on('request', (request, response) =>
    request.url?.startsWith('/interaction/')
      ? provider.interactionFinished(request, response, { login: { accountId: 'anna' } })
      : handleProviderRequest(request, response),
  )
  server = await startTestServer({ env: { PUBLIC_URL: 'https://films.example.com' } })
  household = await createHousehold(server, { role: 'admin', pin: null })
}, 60_000)
afterAll(async () => {
  providerServer.closeAllConnections()
  providerServer.close()
  await server.close()
})

function createProvider() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return new Provider(issuer, {
    clients: [
      {
        client_id: 'marquee',
        client_secret: 'a-client-secret',
        redirect_uris: [REDIRECT_URI],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'rsa' }] },
    cookies: { keys: ['a-cookie-key'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    claims: { email: ['email', 'email_verified'], groups: ['groups'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...PERSON_CLAIMS }),
    }),
    // biome-ignore lint/suspicious/noExplicitAny: an untyped package
    loadExistingGrant: async ({ oidc }: any) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      })
      grant.addOIDCScope('openid email profile groups')
      await grant.save()
      return grant
    },
  })
}

/**
 * Opens the sign-in page of the provider and follows all redirects of the provider.
 * Returns the query of the redirect to `REDIRECT_URI` on this site. Throws after ten redirects to other URLs.
 */
async function visitProvider(url: URL): Promise<URLSearchParams> {
  const cookieValuesByName = new Map<string, string>()
  let nextUrl = url
  for (let redirectIndex = 0; redirectIndex < 10; redirectIndex++) {
    if (nextUrl.href.startsWith(REDIRECT_URI)) return nextUrl.searchParams
    const cookieHeader = [...cookieValuesByName].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(nextUrl, { redirect: 'manual', headers: { Cookie: cookieHeader } })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]?.split('=') ?? []
      cookieValuesByName.set(name, value)
    }
    nextUrl = new URL(response.headers.get('location') ?? '', nextUrl)
  }
  throw new Error(`too many redirects: ${nextUrl.href}`)
}

it('a member of the administrator group signs in twice as the same administrator account', async () => {
  const providerSettings = { registration: 'automatic', admin_groups: ['film-admins'] }
  const providers = [createProviderSettings({ issuer }, 'real', providerSettings)]
  expect((await household.adult.put('/api/admin/identity-providers', { providers })).status).toBe(200)
  expect((await household.adult.post('/api/admin/identity-providers/real/test')).body.result).toBe('ok')
  const accountIds: string[] = []
  for (let round = 0; round < 2; round++) {
    const browser = new TestClient(server)
    const { url } = await startSignIn(browser, 'real')
    const query = await visitProvider(url)
    expect(query.get('iss')).toBe(issuer)
    const callbackResponse = await server.request(`/api/auth/providers/real/callback?${query}`)
    expect(callbackResponse.headers.get('location')).toBe(`/login/#provider=real&${query}`)
    const { status, body } = await completeSignIn(browser, query.toString(), 'real')
    expect([status, body.user]).toMatchObject([200, { email: PERSON_CLAIMS.email, role: 'admin' }])
    accountIds.push(body.user.user_id)
  }
  expect(new Set(accountIds).size).toBe(1)
})

it('the provider rejects a code that is redeemed a second time', async () => {
  const browser = new TestClient(server)
  const { url } = await startSignIn(browser, 'real')
  const firstQuery = await visitProvider(url)
  expect((await completeSignIn(browser, firstQuery.toString(), 'real')).status).toBe(200)
  const secondSignIn = await startSignIn(browser, 'real')
  const reusedQuery = new URLSearchParams({
    code: firstQuery.get('code') ?? '',
    state: secondSignIn.state,
    iss: issuer,
  })
  const { status, body } = await completeSignIn(browser, reusedQuery.toString(), 'real')
  expect([status, body.errors]).toEqual([401, { provider: ['refused'] }])
})
