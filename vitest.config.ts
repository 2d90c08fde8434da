import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { findDatabaseTests } from './tests/support/database-tests.ts'

const include = ['tests/**/*.test.ts', 'tests/**/*.test.tsx']
const timeouts = { testTimeout: 20_000, hookTimeout: 30_000 }

/**
 * `sqlite` runs every test file. `postgres` runs the files that open a database a second time, on a real PostgreSQL with
 * Redis, which its global setup starts; `*.postgres.test.ts` run there alone.
 */
export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias: { 'astro:transitions/client': resolve('tests/support/astro-router.ts') } },
        test: {
          name: 'sqlite',
          include,
          exclude: ['**/*.postgres.test.ts'],
          env: { MARQUEE_TEST_DB: 'sqlite' },
          ...timeouts,
        },
      },
      {
        test: {
          name: 'postgres',
          include: findDatabaseTests(),
          env: { MARQUEE_TEST_DB: 'postgres+redis' },
          globalSetup: 'tests/support/start-test-servers.ts',
          ...timeouts,
        },
      },
    ],
  },
})
