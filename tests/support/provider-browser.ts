/** A browser that signs in with an identity provider on a test server. */
import type { OpenIdStub, StubGrant } from './open-id-stub.ts'
import type { TestClient, TestResponse } from './test-client.ts'

const CLIENT_ID = 'marquee'
let codeNumber = 0

/** Settings of a provider for `PUT /api/admin/identity-providers`. */
export const describeProvider = ({ issuer }: { issuer: string }, id = 'stub', change: object = {}) => ({
  id,
  name: `Provider ${id}`,
  issuer,
  client_id: CLIENT_ID,
  client_secret: 'a-client-secret',
  ...change,
})

export interface StartedSignIn {
  /** URL of the page of the provider. */
  url: URL
  state: string
  nonce: string
}

export async function startSignIn(
  browser: TestClient,
  id = 'stub',
  body: object = {},
  call: 'start' | 'link' = 'start',
): Promise<StartedSignIn> {
  const response = await browser.post(`/api/auth/providers/${id}/${call}`, body)
  if (response.status !== 200) throw new Error(`start answered ${response.status}`)
  const url = new URL(response.body.url)
  return { url, state: url.searchParams.get('state') ?? '', nonce: url.searchParams.get('nonce') ?? '' }
}

/** Claims of a valid ID token for a sign-in that was started. */
export function buildClaims(stub: OpenIdStub, { nonce }: StartedSignIn, person: Record<string, unknown>) {
  const nowSeconds = Math.floor(Date.now() / 1000)
  return { iss: stub.issuer, aud: CLIENT_ID, iat: nowSeconds, exp: nowSeconds + 60, nonce, ...person }
}

/** Lets the provider issue a code, and returns the query with which it redirects. */
export function grantCode(stub: OpenIdStub, { state }: StartedSignIn, grant: StubGrant): string {
  codeNumber += 1
  const code = `code-${codeNumber}`
  stub.grants.set(code, grant)
  return new URLSearchParams({ code, state, iss: stub.issuer }).toString()
}

export const complete = (browser: TestClient, response: string, id = 'stub'): Promise<TestResponse> =>
  browser.post(`/api/auth/providers/${id}/complete`, { response })

/** Signs a person in from start to end. */
export async function signInAs(
  browser: TestClient,
  stub: OpenIdStub,
  person: Record<string, unknown>,
  { id = 'stub', body = {} }: { id?: string; body?: object } = {},
): Promise<TestResponse> {
  const started = await startSignIn(browser, id, body)
  const response = await complete(
    browser,
    grantCode(stub, started, { claims: buildClaims(stub, started, person) }),
    id,
  )
  if (response.body?.access_token) browser.accessToken = response.body.access_token
  return response
}

/** Links the identity of a person to the account of a signed-in device. */
export async function linkAs(
  device: TestClient,
  stub: OpenIdStub,
  person: Record<string, unknown>,
  id = 'stub',
): Promise<TestResponse> {
  const started = await startSignIn(device, id, {}, 'link')
  const response = grantCode(stub, started, { claims: buildClaims(stub, started, person) })
  return device.post('/api/auth/identities', { provider_id: id, response })
}
