/**
 * `npm run dev`: starts Astro with hot reload and the API server behind it. When one of them ends, the other is
 * stopped.
 */
import { spawn } from 'node:child_process'
import { loadEnv, loadSiteConfig } from '../server/core/config.ts'

const { siteName, imageBaseUrl } = loadSiteConfig()
const PORT = loadEnv()['PORT'] ?? '4321'
const API_PORT = String(Number(PORT) + 1)
const apiProcess = spawn(process.execPath, ['--watch', 'server/main.ts'], {
  stdio: 'inherit',
  env: { ...process.env, PORT: API_PORT, PUBLIC_URL: `http://127.0.0.1:${PORT}` },
})
const siteProcess = spawn(
  process.execPath,
  ['node_modules/astro/bin/astro.mjs', 'dev', '--port', PORT, '--host', '127.0.0.1'],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      SITE_NAME: siteName,
      IMAGE_BASE_URL: imageBaseUrl ?? '',
      MARQUEE_API: `http://127.0.0.1:${API_PORT}`,
      ASTRO_TELEMETRY_DISABLED: '1',
    },
  },
)
const stopProcesses = () => {
  apiProcess.kill()
  siteProcess.kill()
}
for (const childProcess of [apiProcess, siteProcess]) childProcess.on('exit', stopProcesses)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stopProcesses)
