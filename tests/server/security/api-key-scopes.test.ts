/**
 * Sends a request to every endpoint for signed-in users, with one API key per scope.
 * A request whose endpoint needs another scope must return 403 and must not change the database.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqliteDatabase } from '../../../server/db/database.ts'
import { API_KEY_SCOPES, type ApiKeyScope } from '../../../src/lib/contract/endpoint.ts'
import { hashDatabase } from '../../support/database-hash.ts'
import { ALL_ENDPOINTS, getEndpointName } from '../../support/endpoints.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import { buildWriteRequest } from '../../support/write-calls.ts'
import { addTestTitles, createHousehold, type Household } from './household.ts'

/**
 * Patterns of the endpoints that each scope allows. This list does not use the endpoint definitions,
 * so that the test fails if an endpoint gets a scope by mistake.
 */
const CALL_PATTERNS_BY_SCOPE: Record<ApiKeyScope, RegExp[]> = {
  'catalogue:read': [
    /^GET \/api\/(movies|series|seasons|actors|search|library)\b/,
    /^GET \/api\/recommend\/similar\//,
  ],
  'tracking:read': [
    /^GET \/api\/profile$/,
    /^GET \/api\/profile\/\{id\}\/(availability|continue-watching|feedback|history|lists|notifications|ratings|recommend|statistics|viewings|watch-next|watchlist)\b/,
    /^GET \/api\/profile\/\{id\}\/calendar$/,
    /^GET \/api\/events$/,
  ],
  'tracking:write': [
    /^(POST|PUT|DELETE) \/api\/profile\/\{id\}\/(availability|feedback|history|interaction|lists|notifications|ratings|recommend|viewings|watchlist)\b/,
  ],
  admin: [
    /^(GET|POST|PUT|PATCH|DELETE) \/api\/(admin|blocklist|jobs|settings)\b/,
    /^(POST|PUT|PATCH|DELETE) \/api\/(movies|series|seasons|episodes|actors|titles)\b/,
    /^(GET \/api\/auth\/(users|invitations)|DELETE \/api\/auth\/(user|invitations)\/\{id\})$/,
  ],
}
/**
 * Endpoints that no API key may call although they match a pattern above. Some of these endpoints create a way to sign
 * in or send data to other servers. Others concern the device of the caller.
 */
const CALLS_CLOSED_TO_API_KEYS = [
  'POST /api/admin/users/{id}/password-reset',
  'DELETE /api/admin/users/{id}/second-factor',
  'PUT /api/admin/users/{id}/email',
  'PUT /api/admin/identity-providers',
  'PUT /api/admin/resolvers',
  'PUT /api/admin/media-servers',
  'POST /api/admin/backups/{id}/link',
  'POST /api/auth/user',
  'POST /api/auth/register/invite',
  'POST /api/settings',
  'PUT /api/profile/{id}/notifications/devices',
  'DELETE /api/profile/{id}/notifications/devices/{deviceId}',
  'POST /api/profile/{id}/notifications/devices/test',
]
const findScope = (endpointName: string): ApiKeyScope | null =>
  CALLS_CLOSED_TO_API_KEYS.includes(endpointName)
    ? null
    : (API_KEY_SCOPES.find((scope) =>
        CALL_PATTERNS_BY_SCOPE[scope].some((pattern) => pattern.test(endpointName)),
      ) ?? null)

const SIGNED_IN_ENDPOINTS = ALL_ENDPOINTS.filter(
  ({ access }) => access !== 'public' && access !== 'invitation',
)

let server: TestServer
let household: Household
let mediaId = ''
const tokensByScope = new Map<ApiKeyScope, string>()
beforeAll(async () => {
  server = await startTestServer({ database: openSqliteDatabase(':memory:') })
  household = await createHousehold(server, { role: 'admin', pin: null })
  mediaId = (await addTestTitles(server)).safe.id
  for (const scope of API_KEY_SCOPES) {
    const body = { name: scope, scopes: [scope], password: TEST_PASSWORD }
    tokensByScope.set(scope, (await household.adult.post('/api/auth/api-keys', body)).body.token)
  }
}, 60_000)
afterAll(() => server.close())

async function sendWithKey(endpoint: (typeof ALL_ENDPOINTS)[number], scope: ApiKeyScope) {
  const caller = {
    accountId: household.accountId,
    profileId: household.mainId,
    otherProfileId: household.kidId,
    accessToken: tokensByScope.get(scope) ?? '',
    cookie: '',
  }
  const { path, init } = buildWriteRequest(endpoint, caller, mediaId)
  const { body, ...request } = init
  const response = await server.request(path, endpoint.method === 'GET' ? request : { ...request, body })
  const isJson = response.headers.get('content-type')?.includes('json')
  const errors = isJson ? ((await response.json()).errors ?? {}) : {}
  if (!isJson) await response.body?.cancel()
  return { status: response.status, isScopeRejected: errors.scope !== undefined }
}

it('the contract assigns to each call of a signed-in device the API key scope that CALL_PATTERNS_BY_SCOPE lists for it, and no scope to public calls', () => {
  const differingEndpoints = SIGNED_IN_ENDPOINTS.filter(
    (endpoint) => (endpoint.scope ?? null) !== findScope(getEndpointName(endpoint)),
  )
  expect(differingEndpoints.map((endpoint) => [getEndpointName(endpoint), endpoint.scope ?? null])).toEqual(
    [],
  )
  const unauthenticatedEndpoints = ALL_ENDPOINTS.filter(
    ({ access, scope }) => scope && (access === 'public' || access === 'invitation'),
  )
  expect(unauthenticatedEndpoints.map(getEndpointName)).toEqual([])
})

describe.each(API_KEY_SCOPES)('a key with the scope %s', (scope) => {
  it('every call that does not accept this scope rejects the key, and changes nothing', async () => {
    await new TestClient(server).send('GET', '/api/profile', undefined, {
      Authorization: `Bearer ${tokensByScope.get(scope)}`,
    })
    const hashBefore = hashDatabase(server)
    for (const endpoint of SIGNED_IN_ENDPOINTS) {
      const endpointName = getEndpointName(endpoint)
      if (findScope(endpointName) === scope) continue
      expect([endpointName, await sendWithKey(endpoint, scope)]).toEqual([
        endpointName,
        { status: 403, isScopeRejected: true },
      ])
    }
    expect(hashDatabase(server)).toBe(hashBefore)
  })

  it('a key is accepted by every call of its scope', async () => {
    await server.database.primary.updateTable('api_key').set({ last_used_at: null }).execute()
    const endpoints = SIGNED_IN_ENDPOINTS.filter(
      (endpoint) => findScope(getEndpointName(endpoint)) === scope && endpoint.status !== 202,
    )
    expect(endpoints.length).toBeGreaterThan(5)
    for (const endpoint of endpoints) {
      const endpointName = getEndpointName(endpoint)
      const { status, isScopeRejected } = await sendWithKey(endpoint, scope)
      expect([endpointName, isScopeRejected, status === 401 || status >= 500]).toEqual([
        endpointName,
        false,
        false,
      ])
    }
  })
})
