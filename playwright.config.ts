import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { AUTOPLAY_ARGUMENT, createLaunchOptions } from './scripts/browser.ts'

/**
 * Number of servers, one for each Playwright worker. Every server has its own data folder, which initially contains the
 * demo household.
 */
const SERVER_COUNT = Number(process.env['E2E_SERVERS'] ?? 2)
const PORTS_PER_SERVER = 10
process.env['E2E_FIRST_PORT'] ??= '24321'
process.env['E2E_DATA_ROOT'] ??= join(tmpdir(), `marquee-e2e-${process.pid}`)
const getServerPort = (index: number) =>
  String(Number(process.env['E2E_FIRST_PORT']) + PORTS_PER_SERVER * index)
const getServerDataDir = (index: number) => join(process.env['E2E_DATA_ROOT'] ?? '', String(index))

/** Playwright loads this file again in every worker process and sets TEST_PARALLEL_INDEX to the index of the worker. */
const workerIndex = Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)
process.env['E2E_PORT'] = getServerPort(workerIndex)
process.env['E2E_DATA'] = getServerDataDir(workerIndex)
/** File with the journeys that compare times. These journeys must not run at the same time as other journeys. */
const TIME_MEASUREMENT_FILE = 'budget.spec.ts'
/**
 * Files of journeys in which the page draws a picture or must load pictures. For example, a preview opens only when its
 * picture is decoded.
 */
const PICTURE_FILES = [
  'calendar.spec.ts',
  'hero-rotation.spec.ts',
  'layout-shift.spec.ts',
  'preview-*.spec.ts',
  'rows-right-to-left.spec.ts',
  'player-tracks.spec.ts',
  'remote-focus.spec.ts',
]
const BROWSER_ARGUMENTS = ['--no-first-run', AUTOPLAY_ARGUMENT]
// The browser process itself draws and sends requests. With separate processes for these two tasks, a journey needs
// about 7 % more processor time.
const JOURNEY_ARGUMENTS = [
  ...BROWSER_ARGUMENTS,
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
]
// The service worker of a new browser context fetches the whole site, which takes an eighth of a journey's time. The
// context therefore blocks service workers, and journeys that need one allow it. The window is small, because drawing
// takes much of a journey's time.
const JOURNEY_OPTIONS = {
  serviceWorkers: 'block',
  viewport: { width: 1280, height: 720 },
  launchOptions: createLaunchOptions(...JOURNEY_ARGUMENTS),
} as const

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: false,
  workers: SERVER_COUNT,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  projects: [
    {
      name: 'journeys',
      testIgnore: [TIME_MEASUREMENT_FILE, ...PICTURE_FILES],
      // Images are disabled and motion is reduced: drawing posters takes a sixth of a journey's time, and so do
      // animations. The journeys of PICTURE_FILES have images and motion.
      use: {
        ...JOURNEY_OPTIONS,
        contextOptions: { reducedMotion: 'reduce' },
        launchOptions: createLaunchOptions(...JOURNEY_ARGUMENTS, '--blink-settings=imagesEnabled=false'),
      },
    },
    { name: 'journeys-with-pictures', testMatch: PICTURE_FILES, use: JOURNEY_OPTIONS },
    { name: 'measured', testMatch: TIME_MEASUREMENT_FILE, use: { viewport: { width: 1440, height: 900 } } },
  ],
  use: {
    // Names the action in the error, unlike the timeout of the whole journey.
    actionTimeout: 45_000,
    baseURL: `http://127.0.0.1:${process.env['E2E_PORT']}`,
    // Only a retry (option `--retries=1`) records a trace, because recording takes a fifth of a journey's time.
    trace: 'on-first-retry',
    launchOptions: createLaunchOptions(...BROWSER_ARGUMENTS),
  },
  webServer: Array.from({ length: SERVER_COUNT }, (_, index) => ({
    command: `${process.execPath} e2e/demo-server.ts`,
    url: `http://127.0.0.1:${getServerPort(index)}/api/health/ready`,
    // The timeout is long, because the first server to start also creates the demo household (e2e/demo-server.ts), with
    // another server that runs for a moment.
    timeout: 120_000,
    env: { PORT: getServerPort(index), DATA_DIR: getServerDataDir(index), LOG_LEVEL: 'error' },
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
  })),
})
