/** The contract and the routes are the same list, and every guard stands in front of every call. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROUTES } from '../../server/app.ts'
import { Device, pathOf } from '../support/client.ts'
import { CONTRACT, nameOf } from '../support/contract.ts'
import { addAccount, startServer, type TestServer } from '../support/server.ts'

it('answers every call of the contract, once, and no other', () => {
  expect(ROUTES.map((one) => nameOf(one.endpoint)).sort()).toEqual(CONTRACT.map(nameOf).sort())
  expect(new Set(CONTRACT.map(nameOf)).size).toBe(CONTRACT.length)
})

describe('without a credential', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.close())
  const PUBLIC = [
    'POST /api/auth/login',
    'POST /api/auth/refresh',
    'POST /api/auth/logout',
    'GET /api/health/live',
    'GET /api/health/ready',
  ]

  it('has only the reviewed calls in public', () => {
    expect(
      CONTRACT.filter((one) => one.access === 'public')
        .map(nameOf)
        .sort(),
    ).toEqual([...PUBLIC].sort())
  })

  const guarded = CONTRACT.filter((one) => one.access !== 'public')
  it.each(guarded.map((one) => [nameOf(one), one] as const))(
    'refuses %s, however the credential is spelled',
    async (_name, endpoint) => {
      for (const value of [
        undefined,
        '',
        'Bearer',
        'Bearer ',
        'Basic YTpi',
        'bearer x',
        'Bearer a.b.c',
        'Bearer eyJhbGciOiJub25lIn0.e30.',
      ]) {
        const response = await server.request(pathOf(endpoint, { id: 'x' }), {
          method: endpoint.method,
          headers: value === undefined ? {} : { Authorization: value },
        })
        expect(response.status).toBe(401)
        expect(await response.json()).toMatchObject({ type: 'unauthorized', status_code: 401 })
        expect(response.headers.get('cache-control')).toBe('no-store')
      }
    },
  )
})

describe('administrators’ calls', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
    await addAccount(server, 'admin@example.com', 'admin')
    await addAccount(server, 'viewer@example.com')
  })
  afterAll(() => server.close())
  const calls = CONTRACT.filter((one) => one.access === 'admin')

  it.each(calls.map((one) => [nameOf(one), one] as const))(
    'refuses %s to a viewer and to an administrator on another profile',
    async (_name, endpoint) => {
      const viewer = new Device(server)
      await viewer.login('viewer@example.com')
      expect((await viewer.send(endpoint.method, pathOf(endpoint, { id: 'x' }))).body.type).toBe('forbidden')
      const admin = new Device(server)
      await admin.login('admin@example.com')
      const profiles = (await admin.get('/api/profile')).body.results as {
        profile_id: string
        main: boolean
      }[]
      if (profiles.length === 0) {
        await admin.post('/api/profile', { name: 'Main' })
        await admin.post('/api/profile', { name: 'Other' })
      }
      const other = (
        (await admin.get('/api/profile')).body.results as { profile_id: string; main: boolean }[]
      ).find((one) => !one.main)
      admin.profileId = other?.profile_id ?? null
      expect((await admin.send(endpoint.method, pathOf(endpoint, { id: 'x' }))).body.type).toBe('forbidden')
    },
  )
})
