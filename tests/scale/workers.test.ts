/** WORKERS=n on one machine, on SQLite: several processes, one file, one port. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort, untilOpen } from '../support/running.ts'
import { Visitor } from '../support/visitor.ts'

let folder: string
let url: string
let leader: ReturnType<typeof spawn>
let admin: Visitor
let said = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-workers-'))
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  leader = spawn(process.execPath, ['server/main.ts'], {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: folder,
      WORKERS: '2',
      LOG_LEVEL: 'info',
      DATABASE_URL: '',
      REDIS_URL: '',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  leader.stdout?.on('data', (part) => {
    said += part
  })
  leader.stderr?.on('data', (part) => {
    said += part
  })
  await untilOpen(async () => (await new Visitor(url).get('/api/health/ready')).status === 200, 120_000)
  const note = readFileSync(join(folder, 'first-sign-in.txt'), 'utf8')
  admin = new Visitor(url)
  const signedIn = await admin.login(
    /E-mail: (.+)/.exec(note)?.[1] ?? '',
    /Password: (.+)/.exec(note)?.[1] ?? '',
  )
  expect(signedIn.status).toBe(200)
  admin.profileId = (await admin.get('/api/profile')).body.results[0].profile_id
}, 180_000)
afterAll(() => {
  leader.kill('SIGKILL')
  for (const pid of workers()) process.kill(pid, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const workers = () =>
  spawnSync('pgrep', ['-P', String(leader.pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)
    .map(Number)

it('serves with two processes, greets once, and tells the first sign-in', async () => {
  // The first of them answers before the other is there.
  await untilOpen(async () => workers().length === 2 && said.includes('Sign in with'))
  expect(workers()).toHaveLength(2)
  expect(said.match(/Sign in with/g)).toHaveLength(1)
})

it('writes from both at once: nothing is lost and nobody hears of a lock', async () => {
  const { results } = (await admin.get('/api/movies?limit=50')).body
  const statuses = new Set<number>()
  await Promise.all(
    Array.from({ length: 8 }, async (_, lane) => {
      for (let turn = lane; turn < results.length; turn += 8) {
        const { status } = await admin.post(`/api/profile/${admin.profileId}/history`, {
          type: 'movie',
          media_id: results[turn].id,
          progress: 100 + turn,
          data: { video_duration: 6_000 },
        })
        statuses.add(status)
      }
    }),
  )
  expect([...statuses]).toEqual([200])
  for (const [turn, { id }] of results.entries()) {
    const { body } = await admin.get(`/api/profile/${admin.profileId}/history/movie/${id}`)
    expect(body.latest.progress).toBe(100 + turn)
  }
}, 60_000)

it('shows every process what another hid, at once', async () => {
  const [{ id }] = (await admin.get('/api/movies?limit=1')).body.results
  for (let turn = 0; turn < 10; turn += 1) {
    const published = turn % 2 === 1
    expect((await admin.patch(`/api/movies/${id}/publish`, { published })).status).toBe(200)
    const answers = await Promise.all(Array.from({ length: 8 }, () => admin.get(`/api/movies/${id}`)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([published ? 200 : 404]))
  }
}, 60_000)

it('replaces a process that died, and all of them on SIGHUP without a request lost', async () => {
  const [victim, survivor] = workers()
  process.kill(victim as number, 'SIGKILL')
  await untilOpen(async () => workers().length === 2 && !workers().includes(victim as number))
  expect(workers()).toContain(survivor)
  // The new one has yet to open its database.
  await untilOpen(async () => said.includes('worker exited'))
  const before = workers()
  const failed: number[] = []
  let on = true
  const reading = (async () => {
    while (on) {
      const { status } = await admin.get('/api/auth/me')
      if (status !== 200) failed.push(status)
      await pause(5)
    }
  })()
  leader.kill('SIGHUP')
  await untilOpen(async () => said.includes('workers replaced'), 90_000)
  on = false
  await reading
  expect(workers().filter((pid) => before.includes(pid))).toEqual([])
  expect(failed).toEqual([])
}, 120_000)

it('stops altogether, in order, on SIGTERM', async () => {
  const pids = workers()
  const ended = new Promise<number | null>((resolve) => leader.once('exit', resolve))
  leader.kill('SIGTERM')
  expect(await ended).toBe(0)
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow()
}, 30_000)
