/** Creation of an administrator on the command line: the error messages that the operator reads. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAdministrator } from '../../server/services/accounts/create-administrator.ts'
import { hashPassword } from '../../server/services/auth/password-hash.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '../support/server.ts'

/**
 * Number of passwords that the test hashes at the same time. On every machine, this number exceeds the number of hashes
 * that the server computes and queues at the same time.
 */
const HASH_COUNT = 400
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const createWithPassword = (password: string) =>
  createAdministrator(server.deps, { email: 'root@example.com', password, replacesExisting: false })

it('the error for a password that is too short states the minimum length', async () => {
  await expect(createWithPassword('short')).rejects.toThrow('--password needs at least 8 characters')
})

it('while too many passwords are waiting to be hashed, creating an administrator fails with the error `overloaded`, not with the error that states the password rules', async () => {
  const hashPromises = Array.from({ length: HASH_COUNT }, (_, index) =>
    hashPassword(server.deps, `account ${index}`, TEST_PASSWORD).catch(() => 'rejected'),
  )
  await expect(createWithPassword(TEST_PASSWORD)).rejects.toMatchObject({ type: 'overloaded' })
  await Promise.all(hashPromises)
  expect(await createWithPassword(TEST_PASSWORD)).toBe('created')
})
