/** Starts a server with the built site and the demo household in a temporary data folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GalleryHousehold } from './window.ts'

const INVITED_USER = { email: 'guest@example.org', password: 'Guest-of-2026' }

/** `stop` ends the server and deletes its data. Throws if the server does not become ready within a minute. */
export async function startGalleryServer(
  port: number,
): Promise<{ household: GalleryHousehold; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-gallery-'))
  const server = spawn(process.execPath, ['server/main.ts'], {
    env: { ...process.env, PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'error' },
    stdio: 'ignore',
  })
  const stop = async () => {
    await stopServer(server)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const origin = `http://127.0.0.1:${port}`
    await waitUntilReady(origin, server)
    return { household: await prepareHousehold(origin, folder), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return
  const exited = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGTERM')
  await exited
}

async function waitUntilReady(origin: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 240; attempt++) {
    if (server.exitCode !== null) throw new Error('The server did not start.')
    const response = await fetch(`${origin}/api/health/ready`).catch(() => null)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error('The server did not become ready.')
}

/** Creates two invitations: one is accepted by an account without profiles, the other stays open. */
async function prepareHousehold(origin: string, folder: string): Promise<GalleryHousehold> {
  const note = readFileSync(join(folder, 'first-sign-in.txt'), 'utf8')
  const admin = {
    email: /E-?mail: (.*)/.exec(note)?.[1] ?? '',
    password: /Password: (.*)/.exec(note)?.[1] ?? '',
  }
  const callApi = async <T>(path: string, token: string | null, body?: object): Promise<T> => {
    const headers: Record<string, string> = { Origin: origin, 'Content-Type': 'application/json' }
    if (token) headers['Authorization'] = `Bearer ${token}`
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
    const response = await fetch(`${origin}/api${path}`, init)
    if (!response.ok) throw new Error(`${path} responded ${response.status}: ${await response.text()}`)
    return (await response.json()) as T
  }
  const { access_token } = await callApi<{ access_token: string }>('/auth/login', null, admin)
  const invite = () => callApi<{ token: string }>('/auth/register/invite', access_token, {})
  await callApi('/auth/register', (await invite()).token, INVITED_USER)
  const { results } = await callApi<{ results: { profile_id: string; name: string }[] }>(
    '/profile',
    access_token,
  )
  return {
    origin,
    admin,
    invitedUser: INVITED_USER,
    profileIds: Object.fromEntries(results.map((profile) => [profile.name, profile.profile_id])),
    invitation: (await invite()).token,
  }
}
