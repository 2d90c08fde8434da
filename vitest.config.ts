import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { findDatabaseTests } from './tests/support/database-tests.ts'
import { WaitingFilesFirst } from './tests/support/waiting-files-first.ts'

const include = ['tests/**/*.test.ts', 'tests/**/*.test.tsx']
/** Several times the longest duration of a test on a fast machine, so that slow or busy machines pass too. */
const timeouts = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000 } } }
/** Tests of code that keeps its state in modules. fresh-modules.ts gives each test file its own module instances. */
const browserTestPatterns = ['client', 'dashboard', 'page-scripts', 'stores'].map(
  (folder) => `tests/${folder}/**/*.test.{ts,tsx}`,
)
/** Test files that share a process also share the loaded packages. This saves two thirds of a second per file. */
const sharedProcessOptions = { isolate: false, ...timeouts }

/**
 * The project `browser` runs the tests of the code of the site. The project `sqlite` runs all other test files, except
 * `*.postgres.test.ts`. The project `postgres` runs the test files whose result can depend on the database, on a real
 * PostgreSQL with Redis, which its global setup starts.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: WaitingFilesFirst },
    projects: [
      {
        resolve: { alias: { 'astro:transitions/client': resolve('tests/support/astro-router.ts') } },
        test: {
          name: 'browser',
          include: browserTestPatterns,
          env: { MARQUEE_TEST_DB: 'sqlite' },
          setupFiles: 'tests/support/fresh-modules.ts',
          ...sharedProcessOptions,
        },
      },
      {
        test: {
          name: 'sqlite',
          include,
          exclude: ['**/*.postgres.test.ts', ...browserTestPatterns],
          env: { MARQUEE_TEST_DB: 'sqlite' },
          ...sharedProcessOptions,
        },
      },
      {
        test: {
          name: 'postgres',
          include: findDatabaseTests(),
          env: { MARQUEE_TEST_DB: 'postgres+redis' },
          globalSetup: 'tests/support/start-test-servers.ts',
          ...sharedProcessOptions,
        },
      },
    ],
  },
})
