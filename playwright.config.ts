import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { findChromium } from './scripts/browser.ts'

/** Each run has its own data folder, so that journeys begin with the demo household as a stranger finds it. */
const PORT = process.env['E2E_PORT'] ?? '24321'
process.env['E2E_PORT'] = PORT
process.env['E2E_DATA'] ??= join(tmpdir(), `marquee-e2e-${process.pid}`)
const executablePath = findChromium()

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: false,
  workers: 1,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    viewport: { width: 1440, height: 900 },
    trace: 'retain-on-failure',
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
  webServer: {
    command: `${process.execPath} server/main.ts`,
    url: `http://127.0.0.1:${PORT}/api/health/ready`,
    timeout: 60_000,
    env: { PORT, DATA_DIR: process.env['E2E_DATA'], LOG_LEVEL: 'error' },
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
  },
})
