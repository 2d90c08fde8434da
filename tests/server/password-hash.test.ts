/** The cost parameters of password hashes. A server in production must reject the lower cost that tests use. */
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../server/core/config.ts'
import { hashPassword, needsRehash, verifyPassword } from '../../server/services/auth/password-hash.ts'

const TEST_PASSWORD = 'Lumiere1895'

describe('hashPassword', () => {
  const defaultCostDeps = { config: readConfig({}) }
  const testCostDeps = { config: readConfig({ PASSWORD_HASH_COST: 'test' }) }

  it('uses argon2id with 19 MiB and two passes by default', async () => {
    const hash = await hashPassword(defaultCostDeps, TEST_PASSWORD)
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect([
      await verifyPassword(defaultCostDeps, TEST_PASSWORD, hash),
      await verifyPassword(defaultCostDeps, 'Wrong12345', hash),
    ]).toEqual([true, false])
    expect([needsRehash(defaultCostDeps, hash), needsRehash(testCostDeps, hash)]).toEqual([false, true])
  })

  it('readConfig rejects PASSWORD_HASH_COST=test when NODE_ENV is production', () => {
    expect(() => readConfig({ PASSWORD_HASH_COST: 'test', NODE_ENV: 'production' })).toThrow(
      'PASSWORD_HASH_COST',
    )
  })
})
