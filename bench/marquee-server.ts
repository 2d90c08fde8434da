/** Starts the whole server as a separate process for a benchmark, and signs in as its first administrator. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright'
import { findFreePort } from '../tests/support/test-service.ts'

export interface MarqueeServer {
  /** URL of the server without a path. */
  baseUrl: string
  process: ChildProcess
}

/** Starts the server on a free port, with its data in `dataDir`. Rejects when the server ends before it listens. */
export async function startMarquee(dataDir: string, env: NodeJS.ProcessEnv = {}): Promise<MarqueeServer> {
  const port = await findFreePort()
  const server = spawn(process.execPath, ['server/main.ts'], {
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await new Promise<void>((resolve, reject) => {
    server.once('exit', () => reject(new Error('the server did not start')))
    server.stderr.on('data', (outputChunk) => String(outputChunk).includes('is at') && resolve())
  })
  return { baseUrl: `http://127.0.0.1:${port}`, process: server }
}

/** Reads the email and password of the first administrator, which the server stores at its first start. */
export function readFirstSignIn(dataDir: string): { email: string; password: string } {
  const signInNote = readFileSync(join(dataDir, 'first-sign-in.txt'), 'utf8')
  const readNoteValue = (label: string) => new RegExp(`${label}: (.*)`).exec(signInNote)?.[1] ?? ''
  return { email: readNoteValue('Email'), password: readNoteValue('Password') }
}

/** Signs a browser in as the administrator of the demo household and selects the first profile. */
export async function signInBrowser(
  context: BrowserContext,
  baseUrl: string,
  dataDir: string,
): Promise<void> {
  const { email, password } = readFirstSignIn(dataDir)
  const page = await context.newPage()
  await page.goto(`${baseUrl}/login/`)
  await page.locator('form[data-ready]').waitFor()
  await page.locator('input[name=email]').fill(email)
  await page.locator('input[name=password]').fill(password)
  await page.keyboard.press('Enter')
  await page.locator('[data-profile]').first().click()
  await page.locator('.row-track a').first().waitFor()
  await page.close()
}
