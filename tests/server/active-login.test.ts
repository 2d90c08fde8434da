import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { selectActiveApiKeys } from '../../server/queries/api-key.ts'
import { selectActiveLogin } from '../../server/queries/caller.ts'
import { selectActiveLoginIds, selectAdministratorLoginIds } from '../../server/queries/login.ts'
import { insertTestAccount, startTestServer, type TestServer } from '../support/server.ts'
import { TestClient } from '../support/test-client.ts'

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
})
afterEach(() => server.close())

const EMAILS = ['alice@example.com', 'bob@example.com', 'eve@example.com']

/**
 * Creates one account for each address in EMAILS, with one login and two profiles. Returns the `sid` of each login, in
 * the alphabetical order of the addresses.
 */
async function createLogins(): Promise<string[]> {
  for (const email of EMAILS) {
    await insertTestAccount(server, email)
    const device = new TestClient(server)
    await device.login(email)
    for (const name of ['One', 'Two']) await device.post('/api/profile', { name, avatar: 1 })
  }
  const rows = await server.database.primary
    .selectFrom('login')
    .innerJoin('account', 'account.account_id', 'login.account_id')
    .select(['login.sid', 'account.email'])
    .orderBy('account.email')
    .execute()
  return rows.map(({ sid }) => sid)
}

it('concurrent lookups of active logins are answered with one query, and each lookup gets the account of its login', async () => {
  const sids = await createLogins()
  const { primary } = server.database
  const executeQuerySpy = vi.spyOn(primary, 'executeQuery')
  const nowMs = server.deps.now()
  const activeLogins = await Promise.all(
    [...sids, ...sids, 'nobody'].map((sid) => selectActiveLogin(primary, sid, nowMs)),
  )
  expect(executeQuerySpy).toHaveBeenCalledTimes(1)
  expect(activeLogins.map((activeLogin) => activeLogin?.account.email)).toEqual([
    ...EMAILS,
    ...EMAILS,
    undefined,
  ])
  for (const activeLogin of activeLogins.slice(0, -1)) {
    expect(activeLogin?.profiles.length).toBeGreaterThan(0)
    expect(new Set(activeLogin?.profiles.map(({ account_id }) => account_id))).toEqual(
      new Set([activeLogin?.account.account_id]),
    )
    expect(activeLogin?.profiles[0]?.main).toBe(1)
  }
})

it('many concurrent lookups of active logins are split into several queries, and each lookup gets its login or undefined', async () => {
  const sids = await createLogins()
  const { primary } = server.database
  const unknownSids = Array.from({ length: 150 }, (_, index) => `nobody${index}`)
  const allSids = [...unknownSids.slice(0, 70), ...sids, ...unknownSids.slice(70)]
  const executeQuerySpy = vi.spyOn(primary, 'executeQuery')
  const activeLogins = await Promise.all(
    allSids.map((sid) => selectActiveLogin(primary, sid, server.deps.now())),
  )
  expect(executeQuerySpy).toHaveBeenCalledTimes(3)
  expect(activeLogins.map((activeLogin) => activeLogin?.login.sid)).toEqual(
    allSids.map((sid) => (sids.includes(sid) ? sid : undefined)),
  )
})

it('the SQL statement of a lookup of active logins starts with "select", so that PostgreSQL prepares the statement', async () => {
  const [aliceSid = ''] = await createLogins()
  const { primary } = server.database
  const executeQuerySpy = vi.spyOn(primary, 'executeQuery')
  await selectActiveLogin(primary, aliceSid, server.deps.now())
  expect(executeQuerySpy.mock.calls[0]?.[0]).toMatchObject({ sql: expect.stringMatching(/^select /) })
})

it('a lookup of an active login returns the account as blocked if the block was committed before the lookup began, even while an earlier lookup is in progress', async () => {
  const [aliceSid = ''] = await createLogins()
  const { primary } = server.database
  const nowMs = server.deps.now()
  const earlierLookupPromise = selectActiveLogin(primary, aliceSid, nowMs)
  await new Promise((resolve) => setImmediate(resolve))
  await primary.updateTable('account').set({ blocked: 1 }).where('email', '=', 'alice@example.com').execute()
  const laterLookupPromise = selectActiveLogin(primary, aliceSid, nowMs)
  expect((await laterLookupPromise)?.account.blocked).toBe(1)
  expect((await earlierLookupPromise)?.account.email).toBe('alice@example.com')
})

it('an active login is returned until one millisecond before its expiry time', async () => {
  const [aliceSid = ''] = await createLogins()
  const { primary } = server.database
  const activeLogin = await selectActiveLogin(primary, aliceSid, server.deps.now())
  const expiresAtMs = activeLogin?.login.expires_at ?? 0
  const [loginAtExpiry, loginBeforeExpiry] = await Promise.all([
    selectActiveLogin(primary, aliceSid, expiresAtMs),
    selectActiveLogin(primary, aliceSid, expiresAtMs - 1),
  ])
  expect(loginAtExpiry).toBeUndefined()
  expect(loginBeforeExpiry?.login.sid).toBe(aliceSid)
})

it('an active login is returned without the hashes of its refresh tokens', async () => {
  const [aliceSid = ''] = await createLogins()
  const activeLogin = await selectActiveLogin(server.database.primary, aliceSid, server.deps.now())
  expect(Object.keys(activeLogin?.login ?? {})).toContain('expires_at')
  expect(Object.keys(activeLogin?.login ?? {}).filter((name) => name.endsWith('_hash'))).toEqual([])
})

it('one call can check more logins than an SQL statement can have parameters', async () => {
  const sids = await createLogins()
  const { primary } = server.database
  const nowMs = server.deps.now()
  const unknownSids = Array.from({ length: 70_000 }, (_, index) => `unknown ${index}`)
  expect(await selectActiveLoginIds(primary, [...unknownSids, ...sids], nowMs)).toEqual(new Set(sids))
  await primary.updateTable('account').set({ role: 'admin' }).where('email', '=', 'bob@example.com').execute()
  expect(await selectAdministratorLoginIds(primary, [...unknownSids, ...sids], nowMs)).toEqual([sids[1]])
  expect(await selectActiveApiKeys(primary, unknownSids, nowMs)).toEqual(new Map())
})
