/** Starts a separate server for journeys that change how people sign in, so that other journeys are not affected. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'

export interface OwnServer {
  credentials: { email: string; password: string }
  stop: () => Promise<void>
}

/** Starts a server with the demo household. `origin` must have a host name, because passkeys need one. */
export async function startOwnServer(origin: string): Promise<OwnServer> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-own-server-'))
  const { port } = new URL(origin)
  const serverEnv = { ...process.env, PORT: port, PUBLIC_URL: origin, DATA_DIR: folder, LOG_LEVEL: 'error' }
  const server: ChildProcess = spawn(process.execPath, ['server/main.ts'], {
    env: serverEnv,
    stdio: 'ignore',
  })
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/api/health/ready`).catch(() => null))?.ok
  await expect.poll(isReady, { timeout: 60_000 }).toBe(true)
  const signInNote = readFileSync(join(folder, 'first-sign-in.txt'), 'utf8')
  const credentials = {
    email: /Email: (.*)/.exec(signInNote)?.[1] ?? '',
    password: /Password: (.*)/.exec(signInNote)?.[1] ?? '',
  }
  const stop = async () => {
    const exitPromise = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGTERM')
    await exitPromise
    rmSync(folder, { recursive: true, force: true })
  }
  return { credentials, stop }
}
