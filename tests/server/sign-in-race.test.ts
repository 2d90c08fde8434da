/**
 * Sign-ins that have read the account before its password is changed, a second factor is set up, or the account is
 * blocked or deleted. They must leave no login with the old password or without the second factor.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RequestInfo } from '../../server/core/request-info.ts'
import {
  deleteAccount,
  replacePasswordHash,
  selectAccountById,
  updateAccount,
} from '../../server/queries/account.ts'
import type { AccountRow } from '../../server/queries/login.ts'
import { confirmTotp, storePendingTotp } from '../../server/queries/second-factor.ts'
import { createLogin } from '../../server/services/auth/create-login.ts'
import { startSignInStep } from '../../server/services/auth/sign-in-step.ts'
import {
  DATABASES,
  insertTestAccount,
  startTestServer,
  TEST_PASSWORD,
  type TestServer,
} from '../support/server.ts'
import { TestClient } from '../support/test-client.ts'

const REQUEST_INFO: RequestInfo = {
  id: 'request',
  ip: null,
  address: '203.0.113.7',
  userAgent: 'test',
  bearerToken: null,
  profileId: null,
  refreshToken: null,
  providerState: null,
  timeZone: null,
}
const NEW_PASSWORD = 'Melies1902'

describe.each(DATABASES)('a sign-in during a change of the account on %s', (_name, openTestDatabase) => {
  let server: TestServer
  let account: AccountRow
  let email: string
  let accountNumber = 0
  beforeAll(async () => {
    server = await startTestServer({ database: await openTestDatabase() })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    accountNumber += 1
    email = `alice${accountNumber}@example.org`
    const { account_id } = await insertTestAccount(server, email)
    account = (await selectAccountById(server.database.primary, account_id)) as AccountRow
  })
  const signInWithAccountRow = () => createLogin(server.deps, REQUEST_INFO, account)
  const startStepWithAccountRow = () => startSignInStep(server.deps, account, undefined)
  const countLogins = async () =>
    (
      await server.database.primary
        .selectFrom('login')
        .select('sid')
        .where('account_id', '=', account.account_id)
        .execute()
    ).length

  it.each<[string, (db: TestServer['database']['primary']) => Promise<unknown>]>([
    [
      'the password was changed',
      (db) => updateAccount(db, account.account_id, { password_hash: 'new hash' }),
    ],
    ['the account was blocked', (db) => updateAccount(db, account.account_id, { blocked: 1 })],
    ['the account was deleted', (db) => deleteAccount(db, account.account_id)],
  ])(
    'creates neither a login nor a sign-in step when %s after the sign-in has read the account',
    async (_change, change) => {
      await signInWithAccountRow()
      expect(await countLogins()).toBe(1)
      await startStepWithAccountRow()
      await change(server.database.primary)
      const loginCount = await countLogins()
      await expect(signInWithAccountRow()).rejects.toMatchObject({ type: 'unauthorized' })
      await expect(startStepWithAccountRow()).rejects.toMatchObject({ type: 'unauthorized' })
      expect(await countLogins()).toBe(loginCount)
    },
  )

  it('when the second factor was set up after the sign-in has read the account, creates no login without the second factor', async () => {
    const { primary } = server.database
    const { account_id: accountId } = account
    await storePendingTotp(primary, { accountId, secret: 'secret', nowMs: 1 })
    await signInWithAccountRow()
    await confirmTotp(primary, { accountId, secret: 'secret', step: 1, nowMs: 2 })
    await expect(signInWithAccountRow()).rejects.toMatchObject({ type: 'unauthorized' })
    expect(await countLogins()).toBe(1)
    await createLogin(server.deps, REQUEST_INFO, account, { secondFactorAtMs: 3 })
    expect(await countLogins()).toBe(2)
  })

  it('leaves no login that was created with the old password when the password is changed at the same time', async () => {
    const owner = new TestClient(server)
    await owner.login(email)
    const passwords = [TEST_PASSWORD, NEW_PASSWORD]
    for (let round = 0; round < 6; round++) {
      const [oldPassword, newPassword] = round % 2 === 0 ? passwords : passwords.toReversed()
      const signIns = Array.from({ length: 4 }, () =>
        new TestClient(server).post('/api/auth/login', { email, password: oldPassword }),
      )
      const change = owner.put('/api/auth/password', {
        current_password: oldPassword,
        new_password: newPassword,
        sign_out_others: true,
      })
      await Promise.all([change, ...signIns])
      expect((await change).status).toBe(204)
      expect(await countLogins()).toBe(1)
    }
  })

  it('keeps the hash of a new password when the old password is hashed again at the same time', async () => {
    const { primary } = server.database
    await updateAccount(primary, account.account_id, { password_hash: 'hash of the new password' })
    const hashes = { oldHash: account.password_hash, newHash: 'another hash of the old password' }
    await replacePasswordHash(primary, account.account_id, hashes)
    expect(await selectAccountById(primary, account.account_id)).toMatchObject({
      password_hash: 'hash of the new password',
    })
  })
})
