/** An OpenID Connect provider inside the test. A test can make it send wrong responses. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const toBase64UrlJson = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

export interface StubGrant {
  claims: Record<string, unknown>
  /** Header of the ID token. With `alg: 'none'`, the token is not signed. */
  header?: Record<string, unknown>
  /** Replaces the response of the stub to the token request. */
  respond?: (response: ServerResponse) => void
}

export interface OpenIdStub {
  issuer: string
  /** Fields that replace the fields of the same name in the discovery document. */
  metadata: Record<string, unknown>
  /** Grants by code. Each grant can be used once. */
  grants: Map<string, StubGrant>
  /**
   * Private key that signs ID tokens. The key matches the public key in /jwks until a test replaces the private key.
   */
  key: KeyObject
  /** Paths of all requests. */
  requestedPaths: string[]
  userInfo: Record<string, unknown>
  /**
   * Claims of the person whom the sign-in page of the stub signs in without a password. Browser tests use this page.
   */
  person: Record<string, unknown>
  close: () => Promise<void>
}

export const createSigningKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

export async function startOpenIdStub(): Promise<OpenIdStub> {
  const { privateKey, publicKey } = createSigningKey()
  const server = createServer((request, response) => void handleRequest(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stub: OpenIdStub = {
    issuer,
    metadata: {},
    grants: new Map(),
    key: privateKey,
    requestedPaths: [],
    userInfo: {},
    person: {},
    close: () => closeServer(server),
  }
  const sendJson = (response: ServerResponse, body: unknown, status = 200) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))

  async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '', issuer).pathname
    stub.requestedPaths.push(path)
    if (path === '/.well-known/openid-configuration') return void sendJson(response, buildMetadata())
    if (path === '/jwks')
      return void sendJson(response, {
        keys: [{ ...publicKey.export({ format: 'jwk' }), kid: '1', alg: 'ES256', use: 'sig' }],
      })
    if (path === '/userinfo') return void sendJson(response, stub.userInfo)
    if (path === '/authorize') return signInImmediately(new URL(request.url ?? '', issuer), response)
    if (path !== '/token') return void response.writeHead(404).end()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const code = new URLSearchParams(Buffer.concat(chunks).toString()).get('code') ?? ''
    const grant = stub.grants.get(code)
    stub.grants.delete(code)
    if (!grant) return void sendJson(response, { error: 'invalid_grant' }, 400)
    if (grant.respond) return grant.respond(response)
    sendJson(response, {
      access_token: 'at',
      token_type: 'Bearer',
      expires_in: 60,
      id_token: signToken(grant),
    })
  }
  function signInImmediately({ searchParams }: URL, response: ServerResponse): void {
    const nowSeconds = Math.floor(Date.now() / 1000)
    const [aud, nonce] = [searchParams.get('client_id'), searchParams.get('nonce')]
    const code = `code-${stub.requestedPaths.length}`
    const claims = { iss: issuer, aud, nonce, iat: nowSeconds, exp: nowSeconds + 60, ...stub.person }
    stub.grants.set(code, { claims })
    const redirectUrl = new URL(searchParams.get('redirect_uri') ?? '')
    const redirectQuery = new URLSearchParams({ code, state: searchParams.get('state') ?? '', iss: issuer })
    response.writeHead(302, { Location: `${redirectUrl}?${redirectQuery}` }).end()
  }
  const buildMetadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256', 'none'],
    authorization_response_iss_parameter_supported: true,
    ...stub.metadata,
  })
  function signToken({ claims, header }: StubGrant): string {
    const signedText = `${toBase64UrlJson({ alg: 'ES256', kid: '1', typ: 'JWT', ...header })}.${toBase64UrlJson(claims)}`
    if (header?.['alg'] === 'none') return `${signedText}.`
    const signature = sign('sha256', Buffer.from(signedText), { key: stub.key, dsaEncoding: 'ieee-p1363' })
    return `${signedText}.${signature.toString('base64url')}`
  }
  return stub
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
