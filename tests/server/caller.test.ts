import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { selectActiveLogin } from '../../server/queries/caller.ts'
import { Device } from '../support/client.ts'
import { addAccount, startServer, type TestServer } from '../support/server.ts'

let server: TestServer
beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.close())

const MAILS = ['alice@example.com', 'bob@example.com', 'eve@example.com']

/** The `sid` of a login of each, whose account has two profiles. */
async function logins(): Promise<string[]> {
  for (const mail of MAILS) {
    await addAccount(server, mail)
    const device = new Device(server)
    await device.login(mail)
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

it('asks once for all who call in one turn, and tells each of themselves', async () => {
  const sids = await logins()
  const { primary } = server.database
  const asked = vi.spyOn(primary, 'executeQuery')
  const now = server.deps.now()
  const found = await Promise.all(
    [...sids, ...sids, 'nobody'].map((sid) => selectActiveLogin(primary, sid, now)),
  )
  expect(asked).toHaveBeenCalledTimes(1)
  expect(found.map((one) => one?.account.email)).toEqual([...MAILS, ...MAILS, undefined])
  for (const one of found.slice(0, -1)) {
    expect(one?.profiles.length).toBeGreaterThan(0)
    expect(new Set(one?.profiles.map(({ account_id }) => account_id))).toEqual(
      new Set([one?.account.account_id]),
    )
    expect(one?.profiles[0]?.main).toBe(1)
  }
})

it('asks for more than one statement takes, and mixes nobody up', async () => {
  const sids = await logins()
  const { primary } = server.database
  const strangers = Array.from({ length: 150 }, (_, at) => `nobody${at}`)
  const all = [...strangers.slice(0, 70), ...sids, ...strangers.slice(70)]
  const asked = vi.spyOn(primary, 'executeQuery')
  const found = await Promise.all(all.map((sid) => selectActiveLogin(primary, sid, server.deps.now())))
  expect(asked).toHaveBeenCalledTimes(3)
  expect(found.map((one) => one?.login.sid)).toEqual(all.map((sid) => (sids.includes(sid) ? sid : undefined)))
})

it('tells who calls later of what was committed before, also while another is being told', async () => {
  const [alice = ''] = await logins()
  const { primary } = server.database
  const now = server.deps.now()
  const before = selectActiveLogin(primary, alice, now)
  await new Promise((resolve) => setImmediate(resolve))
  await primary.updateTable('account').set({ blocked: 1 }).where('email', '=', 'alice@example.com').execute()
  const after = selectActiveLogin(primary, alice, now)
  expect((await after)?.account.blocked).toBe(1)
  expect((await before)?.account.email).toBe('alice@example.com')
})

it('knows no login that has run out by the time of its caller', async () => {
  const [alice = ''] = await logins()
  const { primary } = server.database
  const found = await selectActiveLogin(primary, alice, server.deps.now())
  const end = found?.login.expires_at ?? 0
  const [at, before] = await Promise.all([
    selectActiveLogin(primary, alice, end),
    selectActiveLogin(primary, alice, end - 1),
  ])
  expect(at).toBeUndefined()
  expect(before?.login.sid).toBe(alice)
})

it('reads no hash of a refresh token', async () => {
  const [alice = ''] = await logins()
  const found = await selectActiveLogin(server.database.primary, alice, server.deps.now())
  expect(Object.keys(found?.login ?? {})).toContain('expires_at')
  expect(Object.keys(found?.login ?? {}).filter((name) => name.endsWith('_hash'))).toEqual([])
})
