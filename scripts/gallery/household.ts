/** Starts the built site on a folder of its own and says who lives there. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Household } from './stage.ts'

const GUEST = { email: 'guest@example.org', password: 'Guest-of-2026' }

export async function moveIn(port: number): Promise<{ household: Household; leave: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-gallery-'))
  const server = spawn(process.execPath, ['server/main.ts'], {
    env: { ...process.env, PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'error' },
    stdio: 'ignore',
  })
  const leave = async () => {
    await stop(server)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const origin = `http://127.0.0.1:${port}`
    await ready(origin, server)
    return { household: await meet(origin, folder), leave }
  } catch (error) {
    await leave()
    throw error
  }
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return
  const gone = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGTERM')
  await gone
}

async function ready(origin: string, server: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 240; tries++) {
    if (server.exitCode !== null) throw new Error('The server did not start.')
    const answer = await fetch(`${origin}/api/health/ready`).catch(() => null)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error('The server did not become ready.')
}

/** Two invitations: one becomes the guest's account, which has no profile yet; one stays open. */
async function meet(origin: string, folder: string): Promise<Household> {
  const note = readFileSync(join(folder, 'first-sign-in.txt'), 'utf8')
  const admin = {
    email: /E-mail: (.*)/.exec(note)?.[1] ?? '',
    password: /Password: (.*)/.exec(note)?.[1] ?? '',
  }
  const ask = async <T>(path: string, bearer: string | null, body?: object): Promise<T> => {
    const headers: Record<string, string> = { Origin: origin, 'Content-Type': 'application/json' }
    if (bearer) headers['Authorization'] = `Bearer ${bearer}`
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
    const answer = await fetch(`${origin}/api${path}`, init)
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const { access_token } = await ask<{ access_token: string }>('/auth/login', null, admin)
  const invite = () => ask<{ token: string }>('/auth/register/invite', access_token, {})
  await ask('/auth/register', (await invite()).token, GUEST)
  const { results } = await ask<{ results: { profile_id: string; name: string }[] }>('/profile', access_token)
  return {
    origin,
    admin,
    guest: GUEST,
    profiles: Object.fromEntries(results.map((one) => [one.name, one.profile_id])),
    invitation: (await invite()).token,
  }
}
