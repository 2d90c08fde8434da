/**
 * The routes of the server match the API contract in src/lib/contract, and every endpoint enforces its access level.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROUTES } from '../../server/app.ts'
import { ALL_ENDPOINTS, getEndpointName } from '../support/endpoints.ts'
import { insertTestAccount, startTestServer, type TestServer } from '../support/server.ts'
import { fillEndpointPath, TestClient } from '../support/test-client.ts'

it('the server has exactly one route for each endpoint of the contract', () => {
  expect(ROUTES.map((route) => getEndpointName(route.endpoint)).sort()).toEqual(
    ALL_ENDPOINTS.map(getEndpointName).sort(),
  )
  expect(new Set(ALL_ENDPOINTS.map(getEndpointName)).size).toBe(ALL_ENDPOINTS.length)
})

describe('unauthenticated requests', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.close())
  const PUBLIC_ENDPOINTS = [
    'GET /api/calendar/{token}/releases.ics',
    'POST /api/auth/login',
    'POST /api/auth/login/second-factor',
    'GET /api/auth/sign-in-methods',
    'POST /api/auth/providers/{id}/start',
    'GET /api/auth/providers/{id}/callback',
    'POST /api/auth/providers/{id}/complete',
    'POST /api/auth/email/validate',
    'POST /api/auth/email/complete',
    'POST /api/auth/passkey/options',
    'POST /api/auth/passkey/sign-in',
    'POST /api/auth/device-code',
    'POST /api/auth/device-code/token',
    'POST /api/auth/device-code/events',
    'POST /api/auth/password-reset',
    'POST /api/auth/password-reset/validate',
    'POST /api/auth/password-reset/complete',
    'POST /api/auth/refresh',
    'POST /api/auth/logout',
    'GET /api/unsubscribe/{token}',
    'POST /api/unsubscribe/{token}',
    'GET /api/health/live',
    'GET /api/health/ready',
  ]

  it('allows only the listed public endpoints', () => {
    expect(
      ALL_ENDPOINTS.filter((endpoint) => endpoint.access === 'public')
        .map(getEndpointName)
        .sort(),
    ).toEqual([...PUBLIC_ENDPOINTS].sort())
  })

  const protectedEndpoints = ALL_ENDPOINTS.filter((endpoint) => endpoint.access !== 'public')
  it.each(protectedEndpoints.map((endpoint) => [getEndpointName(endpoint), endpoint] as const))(
    '%s rejects a missing or malformed credential with 401',
    async (_name, endpoint) => {
      for (const authorizationHeader of [
        undefined,
        '',
        'Bearer',
        'Bearer ',
        'Basic YTpi',
        'bearer x',
        'Bearer a.b.c',
        'Bearer eyJhbGciOiJub25lIn0.e30.',
      ]) {
        const response = await server.request(fillEndpointPath(endpoint, { id: 'x' }), {
          method: endpoint.method,
          headers: authorizationHeader === undefined ? {} : { Authorization: authorizationHeader },
        })
        expect(response.status).toBe(401)
        expect(await response.json()).toMatchObject({ type: 'unauthorized', status_code: 401 })
        expect(response.headers.get('cache-control')).toBe('no-store')
      }
    },
  )
})

describe('administrator endpoints', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
    await insertTestAccount(server, 'admin@example.com', 'admin')
    await insertTestAccount(server, 'viewer@example.com')
  })
  afterAll(() => server.close())
  const adminEndpoints = ALL_ENDPOINTS.filter((endpoint) => endpoint.access === 'admin')

  it.each(adminEndpoints.map((endpoint) => [getEndpointName(endpoint), endpoint] as const))(
    '%s rejects a viewer, and an administrator whose acting profile is not the main profile',
    async (_name, endpoint) => {
      const viewer = new TestClient(server)
      await viewer.login('viewer@example.com')
      expect((await viewer.send(endpoint.method, fillEndpointPath(endpoint, { id: 'x' }))).body.type).toBe(
        'forbidden',
      )
      const admin = new TestClient(server)
      await admin.login('admin@example.com')
      const profiles = (await admin.get('/api/profile')).body.results as {
        profile_id: string
        main: boolean
      }[]
      if (profiles.length === 0) {
        await admin.post('/api/profile', { name: 'Main' })
        await admin.post('/api/profile', { name: 'Other' })
      }
      const otherProfile = (
        (await admin.get('/api/profile')).body.results as { profile_id: string; main: boolean }[]
      ).find((profile) => !profile.main)
      admin.profileId = otherProfile?.profile_id ?? null
      expect((await admin.send(endpoint.method, fillEndpointPath(endpoint, { id: 'x' }))).body.type).toBe(
        'forbidden',
      )
    },
  )
})
