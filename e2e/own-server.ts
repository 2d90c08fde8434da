/** Starts a separate server for journeys that change how people sign in, so that other journeys are not affected. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { copyDemoHousehold } from './demo-household.ts'

export interface OwnServer {
  stop: () => Promise<void>
}

/** Starts a server with a copy of the demo household. A test of passkeys needs an `origin` with a host name. */
export async function startOwnServer(origin: string): Promise<OwnServer> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-own-server-'))
  copyDemoHousehold(folder)
  const { port } = new URL(origin)
  const serverEnv = { ...process.env, PORT: port, PUBLIC_URL: origin, DATA_DIR: folder, LOG_LEVEL: 'error' }
  const server: ChildProcess = spawn(process.execPath, ['server/main.ts'], {
    env: serverEnv,
    stdio: 'ignore',
  })
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/api/health/ready`).catch(() => null))?.ok
  await expect.poll(isReady, { timeout: 60_000 }).toBe(true)
  const stop = async () => {
    const exitPromise = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGTERM')
    await exitPromise
    rmSync(folder, { recursive: true, force: true })
  }
  return { stop }
}
