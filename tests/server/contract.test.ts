/**
 * The routes of the server match the API contract in src/lib/contract, and every endpoint enforces its access level.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { ROUTES } from '../../server/app.ts'
import { readCalendarFeed } from '../../src/lib/contract/calendar.ts'
import { exportAccount, exportProfile } from '../../src/lib/contract/history-transfer.ts'
import { receiveProviderResponse } from '../../src/lib/contract/identities.ts'
import { showUnsubscribePage, unsubscribeFromDigest } from '../../src/lib/contract/notice-delivery.ts'
import { searchCatalogue } from '../../src/lib/contract/search.ts'
import { streamAccountEvents } from '../../src/lib/contract/system.ts'
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

  it('unauthenticated requests are allowed only for the listed public endpoints', () => {
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

describe('the OpenAPI document', () => {
  let server: TestServer
  let device: TestClient
  // biome-ignore lint/suspicious/noExplicitAny: the test reads the document without types, as a code generator does
  let openApi: any
  beforeAll(async () => {
    server = await startTestServer()
    await insertTestAccount(server, 'reader@example.com')
    device = new TestClient(server)
    await device.login('reader@example.com')
    device.profileId = (await device.post('/api/profile', { name: 'Reader' })).body.profile_id
    openApi = await (await server.request('/api/openapi.json')).json()
  })
  afterAll(() => server.close())
  const getOperation = ({ method, base, path }: (typeof ALL_ENDPOINTS)[number]) =>
    openApi.paths[base + path][method.toLowerCase()]

  it('marks a query parameter as required if and only if a call without the parameter is rejected', () => {
    for (const endpoint of ALL_ENDPOINTS) {
      const { error } = z.safeParse(endpoint.query, {})
      const requiredNames = (getOperation(endpoint).parameters as { [key: string]: unknown }[])
        .filter((parameter) => parameter['in'] === 'query' && parameter['required'])
        .map((parameter) => parameter['name'])
      expect(requiredNames.sort(), getEndpointName(endpoint)).toEqual(
        (error?.issues ?? []).map(({ path }) => path[0]).sort(),
      )
    }
    const requiredNames = getOperation(searchCatalogue)
      .parameters.filter((parameter: { required?: boolean }) => parameter.required)
      .map((parameter: { name: string }) => parameter.name)
    expect(requiredNames).toEqual(['q'])
  })

  it('lists JSON as media type of request bodies, URL-encoded forms as another media type if no field is an object, and any media type for uploads', () => {
    for (const endpoint of ALL_ENDPOINTS) {
      const { requestBody } = getOperation(endpoint)
      const name = getEndpointName(endpoint)
      if (endpoint.upload) {
        expect(requestBody.required, name).toBe(true)
        expect(Object.keys(requestBody.content)).toEqual([
          'multipart/form-data',
          'application/octet-stream',
          '*/*',
        ])
      } else if (requestBody) {
        expect(requestBody.required, name).toBe(!z.safeParse(endpoint.body, {}).success)
        const { properties } = requestBody.content['application/json'].schema
        const hasObjectFields = JSON.stringify(properties).includes('"type":"object"')
        expect(Object.keys(requestBody.content), name).toEqual([
          'application/json',
          ...(hasObjectFields ? [] : ['application/x-www-form-urlencoded']),
        ])
      } else expect(z.safeParse(endpoint.body, {}).success, name).toBe(true)
    }
  })

  it('lists the header X-Profile-Id for every call of a signed-in device', () => {
    expect(openApi.components.parameters.ProfileId).toMatchObject({ name: 'X-Profile-Id', in: 'header' })
    for (const endpoint of ALL_ENDPOINTS) {
      const isListed = JSON.stringify(getOperation(endpoint).parameters).includes('parameters/ProfileId')
      const requiresSignIn = endpoint.access !== 'public' && endpoint.access !== 'invitation'
      expect(isListed, getEndpointName(endpoint)).toBe(requiresSignIn)
    }
  })

  it('names the status and the media type of responses that are not JSON', async () => {
    const profilePath = `/api/profile/${device.profileId}`
    const calendarUrl = (await device.post(`${profilePath}/calendar/feed`)).body.url
    const requests = [
      [streamAccountEvents, '/api/events'],
      [exportProfile, `${profilePath}/export?format=csv`],
      [exportProfile, `${profilePath}/export`],
      [exportAccount, '/api/auth/user-account/export?format=csv'],
      [showUnsubscribePage, '/api/unsubscribe/unknown'],
      [unsubscribeFromDigest, '/api/unsubscribe/unknown'],
      [readCalendarFeed, new URL(calendarUrl).pathname],
      [receiveProviderResponse, '/api/auth/providers/unknown/callback?state=x'],
    ] as const
    for (const [endpoint, path] of requests) {
      const response = await server.request(path, {
        method: endpoint.method,
        headers: { Authorization: `Bearer ${device.accessToken}`, 'X-Profile-Id': device.profileId ?? '' },
      })
      await response.body?.cancel()
      const documentedResponse = getOperation(endpoint).responses[response.status]
      const mediaType = response.headers.get('content-type')?.split(';')[0]
      expect(Object.keys(documentedResponse.content ?? {}), path).toEqual(
        mediaType === undefined ? [] : expect.arrayContaining([mediaType]),
      )
    }
  })
})
