/** A browser that signs in with an identity provider on a test server. */
import type { OpenIdStub, StubGrant } from './open-id-stub.ts'
import { TEST_PASSWORD } from './server.ts'
import type { TestClient, TestResponse } from './test-client.ts'

const CLIENT_ID = 'marquee'
let codeNumber = 0

/** Returns the settings of a provider for `PUT /api/admin/identity-providers`. */
export const createProviderSettings = (
  { issuer }: { issuer: string },
  providerId = 'stub',
  overrides: object = {},
) => ({
  id: providerId,
  name: `Provider ${providerId}`,
  issuer,
  client_id: CLIENT_ID,
  client_secret: 'a-client-secret',
  ...overrides,
})

export interface StartedSignIn {
  /** URL of the sign-in page of the provider, with the query of the request. */
  url: URL
  state: string
  nonce: string
}

export async function startSignIn(
  browser: TestClient,
  providerId = 'stub',
  requestBody: object = {},
  operation: 'start' | 'link' = 'start',
): Promise<StartedSignIn> {
  const body = operation === 'link' ? { password: TEST_PASSWORD, ...requestBody } : requestBody
  const response = await browser.post(`/api/auth/providers/${providerId}/${operation}`, body)
  if (response.status !== 200) throw new Error(`start answered ${response.status}`)
  const url = new URL(response.body.url)
  return { url, state: url.searchParams.get('state') ?? '', nonce: url.searchParams.get('nonce') ?? '' }
}

/** Returns the claims of a valid ID token for a sign-in that was started. */
export function buildClaims(
  stub: OpenIdStub,
  { nonce }: StartedSignIn,
  personClaims: Record<string, unknown>,
) {
  const nowSeconds = Math.floor(Date.now() / 1000)
  return { iss: stub.issuer, aud: CLIENT_ID, iat: nowSeconds, exp: nowSeconds + 60, nonce, ...personClaims }
}

/** Lets the provider issue a code, and returns the query string with which the provider redirects to the site. */
export function createCodeResponseQuery(
  stub: OpenIdStub,
  { state }: StartedSignIn,
  grant: StubGrant,
): string {
  codeNumber += 1
  const code = `code-${codeNumber}`
  stub.grants.set(code, grant)
  return new URLSearchParams({ code, state, iss: stub.issuer }).toString()
}

export const completeSignIn = (
  browser: TestClient,
  callbackQuery: string,
  providerId = 'stub',
): Promise<TestResponse> =>
  browser.post(`/api/auth/providers/${providerId}/complete`, { response: callbackQuery })

/** Performs all steps of a sign-in. If the sign-in succeeds, stores the access token in `browser`. */
export async function signInAs(
  browser: TestClient,
  stub: OpenIdStub,
  personClaims: Record<string, unknown>,
  { id = 'stub', body = {} }: { id?: string; body?: object } = {},
): Promise<TestResponse> {
  const startedSignIn = await startSignIn(browser, id, body)
  const response = await completeSignIn(
    browser,
    createCodeResponseQuery(stub, startedSignIn, { claims: buildClaims(stub, startedSignIn, personClaims) }),
    id,
  )
  if (response.body?.access_token) browser.accessToken = response.body.access_token
  return response
}

/** Links the identity of a person to the account of a signed-in device. */
export async function linkIdentityAs(
  device: TestClient,
  stub: OpenIdStub,
  personClaims: Record<string, unknown>,
  providerId = 'stub',
): Promise<TestResponse> {
  const startedSignIn = await startSignIn(device, providerId, {}, 'link')
  const callbackQuery = createCodeResponseQuery(stub, startedSignIn, {
    claims: buildClaims(stub, startedSignIn, personClaims),
  })
  return device.post('/api/auth/identities', { provider_id: providerId, response: callbackQuery })
}
