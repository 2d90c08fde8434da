/** The event stream for API keys, and for clients that reconnect. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ApiKeyScope } from '../../src/lib/contract/endpoint.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '../support/server.ts'
import { TestClient } from '../support/test-client.ts'
import { addTestTitles, createHousehold, type Household } from './security/household.ts'

let server: TestServer
let household: Household
let movieId = ''
beforeAll(async () => {
  server = await startTestServer()
  movieId = (await addTestTitles(server)).safe.id
}, 60_000)
afterAll(() => server.close())
beforeEach(async () => {
  household = await createHousehold(server, { role: 'admin', pin: null })
})

async function createKey(scopes: ApiKeyScope[], profileId: string | null = null) {
  const body = { name: 'Lights', scopes, profile_id: profileId, password: TEST_PASSWORD }
  const { key_id, token } = (await household.adult.post('/api/auth/api-keys', body)).body
  return { keyId: key_id as string, token: token as string }
}

/**
 * Opens the event stream, or throws if the server rejects the request. `readEvent` returns the next event, or null at
 * the end of the stream.
 */
async function openEventStream(token: string, headers: Record<string, string> = {}) {
  const response = await server.request('/api/events', {
    headers: { Authorization: `Bearer ${token}`, ...headers },
  })
  if (!response.body || response.status !== 200) throw new Error(`status ${response.status}`)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let unreadText = ''
  const readBlock = async (): Promise<string | null> => {
    while (!unreadText.includes('\n\n')) {
      const { done, value } = await reader.read()
      if (done) return null
      unreadText += value
    }
    const [block = '', ...rest] = unreadText.split('\n\n')
    unreadText = rest.join('\n\n')
    return block
  }
  const welcomeBlock = await readBlock()
  const readEvent = async (): Promise<unknown> => {
    for (;;) {
      const block = await readBlock()
      if (block === null) return null
      const dataLine = block.split('\n').find((line) => line.startsWith('data: '))
      if (dataLine) return JSON.parse(dataLine.slice(6))
    }
  }
  return { welcomeBlock, readEvent, close: () => reader.cancel() }
}

const rateMovie = (profileId: string) =>
  household.adult.put(`/api/profile/${profileId}/ratings/movie/${movieId}`, { rating: 3 })
const addToWatchlist = async (profileId: string) => {
  household.adult.profileId = profileId
  const path = `/api/profile/${profileId}/watchlist/movie/${movieId}`
  expect((await household.adult.put(path, { in_watchlist: true })).status).toBe(200)
  household.adult.profileId = household.mainId
}

it('an API key for all profiles receives the events of every profile of its account, and an API key for one profile only the events of that profile', async () => {
  const eventStream = await openEventStream((await createKey(['tracking:read'])).token)
  const kidStream = await openEventStream((await createKey(['tracking:read'], household.kidId)).token)
  await addToWatchlist(household.mainId)
  await addToWatchlist(household.kidId)
  expect(await eventStream.readEvent()).toEqual({ kind: 'list', profile_id: household.mainId })
  expect(await eventStream.readEvent()).toEqual({ kind: 'list', profile_id: household.kidId })
  expect(await kidStream.readEvent()).toEqual({ kind: 'list', profile_id: household.kidId })
  await eventStream.close()
  await kidStream.close()
})

it('a key without the scope `tracking:read` cannot open an event stream', async () => {
  const { token } = await createKey(['catalogue:read', 'tracking:write', 'admin'])
  const client = Object.assign(new TestClient(server), { accessToken: token })
  expect((await client.get('/api/events')).status).toBe(403)
})

it('a key receives no events of a profile after the profile got a PIN', async () => {
  const eventStream = await openEventStream((await createKey(['tracking:read'])).token)
  const mainStream = await openEventStream((await createKey(['tracking:read'], household.mainId)).token)
  await household.adult.post(`/api/profile/${household.mainId}/lock`, { pin: '4821' })
  await household.adult.post(`/api/profile/${household.mainId}/unlock`, { pin: '4821' })
  expect(await eventStream.readEvent()).toEqual({ kind: 'profiles' })
  // Waits until the server ends the stream of the key for the main profile. The check that ends this stream also
  // removes the main profile from the other stream.
  let mainEvent: unknown
  do mainEvent = await mainStream.readEvent()
  while (mainEvent !== null)
  expect((await rateMovie(household.mainId)).status).toBe(200)
  server.deps.bus.publish('catalogue', {})
  let event: unknown
  do event = await eventStream.readEvent()
  while ((event as { kind: string }).kind === 'profiles')
  expect(event).toEqual({ kind: 'catalogue' })
  await eventStream.close()
})

it.each([
  ['the key is revoked', (keyId: string) => household.adult.delete(`/api/auth/api-keys/${keyId}`)],
  [
    'the key expires',
    (keyId: string) =>
      server.database.primary
        .updateTable('api_key')
        .set({ expires_at: server.deps.now() - 1 })
        .where('key_id', '=', keyId)
        .execute(),
  ],
  [
    'the account is blocked',
    () =>
      server.database.primary
        .updateTable('account')
        .set({ blocked: 1 })
        .where('account_id', '=', household.accountId)
        .execute(),
  ],
  [
    'the profile of the key gets a PIN',
    () => household.adult.post(`/api/profile/${household.mainId}/lock`, { pin: '4821' }),
  ],
])('the event stream of a key ends when %s', async (_, invalidateKey) => {
  const { keyId, token } = await createKey(['tracking:read'], household.mainId)
  const eventStream = await openEventStream(token)
  await invalidateKey(keyId)
  let event: unknown
  do event = await eventStream.readEvent()
  while ((event as { kind: string }).kind === 'profiles')
  expect(event).toEqual({ kind: 'revoked' })
  expect(await eventStream.readEvent()).toBeNull()
})

it('job events reach only a key with the scope `admin`', async () => {
  const eventStream = await openEventStream((await createKey(['tracking:read'])).token)
  const adminStream = await openEventStream((await createKey(['tracking:read', 'admin'])).token)
  server.deps.bus.publish('jobs', { job: { job_id: 'j' } })
  expect(await adminStream.readEvent()).toEqual({ kind: 'job', job: { job_id: 'j' } })
  server.deps.bus.publish('catalogue', {})
  expect(await eventStream.readEvent()).toEqual({ kind: 'catalogue' })
  await eventStream.close()
  await adminStream.close()
})

it('a client that reconnects with `Last-Event-ID` gets the event `gap`, because events may have been missed', async () => {
  const accessToken = household.adult.accessToken ?? ''
  const firstStream = await openEventStream(accessToken)
  const [, eventId = ''] = /^id: (.+)$/m.exec(firstStream.welcomeBlock ?? '') ?? []
  expect(eventId).not.toBe('')
  await firstStream.close()
  const eventStream = await openEventStream(accessToken, { 'Last-Event-ID': eventId })
  expect(await eventStream.readEvent()).toEqual({ kind: 'gap' })
  await eventStream.close()
})

it('if job events arrive while the database is unavailable, one event `gap` is sent instead when the database responds again', async () => {
  const eventStream = await openEventStream(household.adult.accessToken ?? '')
  const { database } = server.deps
  const { primary } = database
  Object.assign(database, { primary: null })
  for (let count = 0; count < 3; count += 1) server.deps.bus.publish('jobs', { job: { job_id: 'j' } })
  await new Promise((resolve) => setTimeout(resolve, 50))
  Object.assign(database, { primary })
  expect(await eventStream.readEvent()).toEqual({ kind: 'gap' })
  server.deps.bus.publish('catalogue', {})
  expect(await eventStream.readEvent()).toEqual({ kind: 'catalogue' })
  await eventStream.close()
})

it('an event stream stays open if it is opened while the server checks which open event streams must end', async () => {
  const firstStream = await openEventStream(household.adult.accessToken ?? '')
  const otherDevice = await household.signIn()
  const { primary } = server.deps.database
  const { promise: checkStartedPromise, resolve: startCheck } = Promise.withResolvers<void>()
  const { promise: queryReleasedPromise, resolve: releaseQuery } = Promise.withResolvers<void>()
  // The query of the next check waits until the second stream is open.
  const holdQuery = <Query extends object>(query: Query): Query =>
    new Proxy(query, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key)
        if (typeof value !== 'function') return value
        if (key !== 'execute') return (...args: unknown[]) => holdQuery(Reflect.apply(value, target, args))
        return async () => {
          startCheck()
          await queryReleasedPromise
          return Reflect.apply(value, target, [])
        }
      },
    })
  const heldDatabase = new Proxy(primary, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const result = Reflect.apply(value, target, args)
        return key === 'selectFrom' && args[0] === 'login' ? holdQuery(result) : result
      }
    },
  })
  Object.assign(server.deps.database, { primary: heldDatabase })
  await checkStartedPromise
  Object.assign(server.deps.database, { primary })
  const secondStream = await openEventStream(otherDevice.accessToken ?? '')
  releaseQuery()
  await new Promise((resolve) => setTimeout(resolve, 100))
  server.deps.bus.publish('catalogue', {})
  expect(await secondStream.readEvent()).toEqual({ kind: 'catalogue' })
  await firstStream.close()
  await secondStream.close()
})
