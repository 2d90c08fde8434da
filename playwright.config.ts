import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { findChromium } from './scripts/browser.ts'

/** Each worker has a server and a data folder of its own, which begins with the demo household. */
const SERVERS = 2
const PORTS_PER_SERVER = 10
process.env['E2E_FIRST_PORT'] ??= '24321'
process.env['E2E_DATA_ROOT'] ??= join(tmpdir(), `marquee-e2e-${process.pid}`)
const findPort = (index: number) => String(Number(process.env['E2E_FIRST_PORT']) + PORTS_PER_SERVER * index)
const findDataDir = (index: number) => join(process.env['E2E_DATA_ROOT'] ?? '', String(index))

/** Playwright loads this file again in every worker process and sets TEST_PARALLEL_INDEX to the index of the worker. */
const workerIndex = Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)
process.env['E2E_PORT'] = findPort(workerIndex)
process.env['E2E_DATA'] = findDataDir(workerIndex)
const executablePath = findChromium()
/** Journeys that compare times; they run alone. */
const MEASURED = 'budget.spec.ts'

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: false,
  workers: SERVERS,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  projects: [
    { name: 'journeys', testIgnore: MEASURED },
    { name: 'measured', testMatch: MEASURED },
  ],
  use: {
    baseURL: `http://127.0.0.1:${process.env['E2E_PORT']}`,
    viewport: { width: 1440, height: 900 },
    // Recording a trace takes a fifth of a journey's time.
    trace: 'on-first-retry',
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        '--disable-background-networking',
        '--autoplay-policy=no-user-gesture-required',
      ],
    },
  },
  webServer: Array.from({ length: SERVERS }, (_, index) => ({
    command: `${process.execPath} server/main.ts`,
    url: `http://127.0.0.1:${findPort(index)}/api/health/ready`,
    timeout: 60_000,
    env: { PORT: findPort(index), DATA_DIR: findDataDir(index), LOG_LEVEL: 'error' },
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
  })),
})
