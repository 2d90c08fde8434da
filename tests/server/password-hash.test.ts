/**
 * The cost parameters and the queue of password hashes. A server in production must reject the lower cost that tests
 * use.
 */
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../server/core/config.ts'
import { hashPassword, needsRehash, verifyPassword } from '../../server/services/auth/password-hash.ts'

const TEST_PASSWORD = 'Lumiere1895'

describe('password hashes', () => {
  const defaultCostDeps = { config: readConfig({}) }
  const testCostDeps = { config: readConfig({ PASSWORD_HASH_COST: 'test' }) }

  it('password hashes use argon2id with 19 MiB and two passes by default', async () => {
    const hash = await hashPassword(defaultCostDeps, 'account', TEST_PASSWORD)
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect([
      await verifyPassword(defaultCostDeps, 'account', { password: TEST_PASSWORD, hash }),
      await verifyPassword(defaultCostDeps, 'account', { password: 'Wrong12345', hash }),
    ]).toEqual([true, false])
    expect([needsRehash(defaultCostDeps, hash), needsRehash(testCostDeps, hash)]).toEqual([false, true])
  })

  it('readConfig rejects PASSWORD_HASH_COST=test when NODE_ENV is production', () => {
    expect(() => readConfig({ PASSWORD_HASH_COST: 'test', NODE_ENV: 'production' })).toThrow(
      'PASSWORD_HASH_COST',
    )
  })
})

describe('the queue of hashes', () => {
  const deps = { config: readConfig({ PASSWORD_HASH_COST: 'test' }) }
  /** More hashes than can run or wait at the same time on any machine. */
  const HASH_COUNT = 400

  it('rejects further hashes of an account that has filled the queue, and still computes the hashes of all other accounts', async () => {
    const finishedKeys: string[] = []
    const startHash = (requesterKey: string) =>
      hashPassword(deps, requesterKey, TEST_PASSWORD).then(
        () => {
          finishedKeys.push(requesterKey)
          return 'hashed'
        },
        (problem) => problem.type,
      )
    const busyHashPromises = Array.from({ length: HASH_COUNT }, () => startHash('busy account'))
    const otherHashPromises = Array.from({ length: 5 }, (_, index) => startHash(`account ${index}`))
    expect(await Promise.all(otherHashPromises)).toEqual(Array(5).fill('hashed'))
    expect(new Set(await Promise.all(busyHashPromises))).toEqual(new Set(['hashed', 'overloaded']))
    // The accounts take turns, so the other accounts do not wait for all hashes of the busy account.
    expect(finishedKeys.at(-1)).toBe('busy account')
  })

  it('rejects a hash with 503 when many accounts have filled the queue', async () => {
    const results = await Promise.all(
      Array.from({ length: HASH_COUNT }, (_, index) =>
        hashPassword(deps, `account ${index}`, TEST_PASSWORD).then(
          () => 'hashed',
          (problem) => problem.status,
        ),
      ),
    )
    expect(new Set(results)).toEqual(new Set(['hashed', 503]))
    expect(await hashPassword(deps, 'late account', TEST_PASSWORD)).toMatch(/^\$argon2id\$/)
  })
})
