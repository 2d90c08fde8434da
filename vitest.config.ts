import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { findDatabaseTests } from './tests/support/database-tests.ts'
import { WaitingFilesFirst } from './tests/support/waiting-files-first.ts'

const include = ['tests/**/*.test.ts', 'tests/**/*.test.tsx']
/** Several times what any test takes on a fast machine: a slow machine with other work must not fail the tests. */
const timeouts = { testTimeout: 60_000, hookTimeout: 60_000 }
/** Tests of code that keeps its state in modules: the setup file gives each file modules of its own. */
const browserTests = ['client', 'dashboard', 'page-scripts', 'stores'].map(
  (folder) => `tests/${folder}/**/*.test.{ts,tsx}`,
)
/** Files that share a process, and thereby loaded packages, save two thirds of a second each. */
const sharedProcesses = { isolate: false, ...timeouts }

/**
 * `browser` runs the tests of code of the site, `sqlite` all other test files. `postgres` runs the files that open a database a second time, on a real PostgreSQL with
 * Redis, which its global setup starts; `*.postgres.test.ts` run there alone.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: WaitingFilesFirst },
    projects: [
      {
        resolve: { alias: { 'astro:transitions/client': resolve('tests/support/astro-router.ts') } },
        test: {
          name: 'browser',
          include: browserTests,
          env: { MARQUEE_TEST_DB: 'sqlite' },
          setupFiles: 'tests/support/fresh-modules.ts',
          ...sharedProcesses,
        },
      },
      {
        test: {
          name: 'sqlite',
          include,
          exclude: ['**/*.postgres.test.ts', ...browserTests],
          env: { MARQUEE_TEST_DB: 'sqlite' },
          ...sharedProcesses,
        },
      },
      {
        test: {
          name: 'postgres',
          include: findDatabaseTests(),
          env: { MARQUEE_TEST_DB: 'postgres+redis' },
          globalSetup: 'tests/support/start-test-servers.ts',
          ...sharedProcesses,
        },
      },
    ],
  },
})
