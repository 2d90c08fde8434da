/** WORKERS=2 with SQLite: several server processes share one database file and one port. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listChildProcessIds } from '../support/child-processes.ts'
import { HttpTestClient } from '../support/http-test-client.ts'
import { findFreePort, waitUntilReady } from '../support/test-service.ts'

const METRICS_TOKEN = 'metrics-token-of-this-test'
const NEW_METRICS_TOKEN = 'changed-metrics-token-of-this-test'
let folder: string
/** Working folder of the supervisor. It contains `.env`. */
let workingFolder: string
let url: string
let supervisor: ReturnType<typeof spawn>
let admin: HttpTestClient
let supervisorOutput = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-workers-'))
  const port = await findFreePort()
  url = `http://127.0.0.1:${port}`
  workingFolder = mkdtempSync(join(tmpdir(), 'marquee-workers-cwd-'))
  symlinkSync(resolve('data'), join(workingFolder, 'data'))
  writeFileSync(join(workingFolder, '.env'), `METRICS_TOKEN=${METRICS_TOKEN}\n`)
  supervisor = spawn(process.execPath, [resolve('server/main.ts')], {
    cwd: workingFolder,
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
  supervisor.stdout?.on('data', (chunk) => {
    supervisorOutput += chunk
  })
  supervisor.stderr?.on('data', (chunk) => {
    supervisorOutput += chunk
  })
  await waitUntilReady(
    async () => (await new HttpTestClient(url).get('/api/health/ready')).status === 200,
    120_000,
  )
  const credentialsText = readFileSync(join(folder, 'first-sign-in.txt'), 'utf8')
  admin = new HttpTestClient(url)
  const loginResponse = await admin.login(
    /Email: (.+)/.exec(credentialsText)?.[1] ?? '',
    /Password: (.+)/.exec(credentialsText)?.[1] ?? '',
  )
  expect(loginResponse.status).toBe(200)
  admin.profileId = (await admin.get('/api/profile')).body.results[0].profile_id
}, 180_000)
afterAll(() => {
  supervisor.kill('SIGKILL')
  for (const pid of listWorkerPids()) process.kill(pid, 'SIGKILL')
  for (const temporaryFolder of [folder, workingFolder])
    rmSync(temporaryFolder, { recursive: true, force: true })
})

const listWorkerPids = () => (supervisor.pid ? listChildProcessIds(supervisor.pid) : [])

const requestMetrics = (token: string) =>
  fetch(`${url}/api/metrics`, { headers: { Authorization: `Bearer ${token}`, Connection: 'close' } })

it('the supervisor starts two workers and prints the initial sign-in credentials only once', async () => {
  // The first worker serves requests before the second worker has started.
  await waitUntilReady(async () => listWorkerPids().length === 2 && supervisorOutput.includes('Sign in with'))
  expect(listWorkerPids()).toHaveLength(2)
  expect(supervisorOutput.match(/Sign in with/g)).toHaveLength(1)
})

it('concurrent writes of both workers are stored without a lock error', async () => {
  const { results: movies } = (await admin.get('/api/movies?limit=50')).body
  const statuses = new Set<number>()
  await Promise.all(
    Array.from({ length: 8 }, async (_, writerIndex) => {
      for (let index = writerIndex; index < movies.length; index += 8) {
        const { status } = await admin.post(`/api/profile/${admin.profileId}/history`, {
          type: 'movie',
          media_id: movies[index].id,
          progress: 100 + index,
          data: { video_duration: 6_000 },
        })
        statuses.add(status)
      }
    }),
  )
  expect([...statuses]).toEqual([200])
  for (const [index, { id }] of movies.entries()) {
    const { body } = await admin.get(`/api/profile/${admin.profileId}/history/movie/${id}`)
    expect(body.latest.progress).toBe(100 + index)
  }
}, 60_000)

it('each response of /api/metrics contains the metrics of both workers', async () => {
  for (let requestIndex = 0; requestIndex < 4; requestIndex += 1) {
    const metricsText = await (await requestMetrics(METRICS_TOKEN)).text()
    const workerMatches = [
      ...metricsText.matchAll(/^process_resident_memory_bytes\{worker="(\d+)"\} [1-9]/gm),
    ]
    expect(workerMatches.map(([, workerNumber]) => workerNumber)).toEqual(['1', '2'])
    expect(metricsText.match(/^# TYPE process_resident_memory_bytes /gm)).toHaveLength(1)
  }
})

it('every worker lists a stream that one of the workers sends', async () => {
  const { results: movies } = (await admin.get('/api/movies?limit=1')).body
  const { body: stream } = await admin.get(
    `/proxy/torrent-streamer/stream/movie/${movies[0].imdb_id ?? movies[0].id}`,
  )
  const mediaResponse = await fetch(new URL(stream.sources[0].url, url), { headers: { Range: 'bytes=0-9' } })
  expect((await mediaResponse.arrayBuffer()).byteLength).toBe(10)
  const listStreams = async () => {
    const replies = await Promise.all(Array.from({ length: 16 }, () => admin.get('/api/admin/streams')))
    return replies.map(({ body }) => body.results)
  }
  // The list omits the streams of a worker that does not reply within a second. The test therefore repeats the request.
  const expectedStreams = [{ delivery: 'direct', title: { id: movies[0].id } }]
  await expect
    .poll(listStreams, { timeout: 30_000 })
    .toMatchObject(Array.from({ length: 16 }, () => expectedStreams))
})

it('an unpublished title disappears on every worker immediately and reappears after publishing', async () => {
  const [{ id: titleId }] = (await admin.get('/api/movies?limit=1')).body.results
  for (let round = 0; round < 10; round += 1) {
    const isPublished = round % 2 === 1
    expect((await admin.patch(`/api/movies/${titleId}/publish`, { published: isPublished })).status).toBe(200)
    const responses = await Promise.all(Array.from({ length: 8 }, () => admin.get(`/api/movies/${titleId}`)))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([isPublished ? 200 : 404]))
  }
}, 60_000)

it('the supervisor replaces a killed worker, and replaces all workers on SIGHUP while no request fails', async () => {
  const [killedPid, survivingPid] = listWorkerPids()
  process.kill(killedPid as number, 'SIGKILL')
  await waitUntilReady(
    async () => listWorkerPids().length === 2 && !listWorkerPids().includes(killedPid as number),
  )
  expect(listWorkerPids()).toContain(survivingPid)
  // The supervisor has already logged that the killed worker ended, but the test may receive this output later.
  await waitUntilReady(async () => supervisorOutput.includes('worker exited'))
  const previousPids = listWorkerPids()
  const failedStatuses: number[] = []
  let isRunning = true
  const readLoopPromise = (async () => {
    while (isRunning) {
      const { status } = await admin.get('/api/auth/me')
      if (status !== 200) failedStatuses.push(status)
      await pause(5)
    }
  })()
  writeFileSync(join(workingFolder, '.env'), `METRICS_TOKEN=${NEW_METRICS_TOKEN}\nWORKERS=5\n`)
  supervisor.kill('SIGHUP')
  await waitUntilReady(async () => supervisorOutput.includes('workers replaced'), 90_000)
  isRunning = false
  await readLoopPromise
  expect(listWorkerPids().filter((pid) => previousPids.includes(pid))).toEqual([])
  expect(listWorkerPids()).toHaveLength(2)
  expect(failedStatuses).toEqual([])
  // The new workers have the changed setting of `.env`.
  const metricsStatuses = await Promise.all(
    [METRICS_TOKEN, NEW_METRICS_TOKEN].map(async (token) => (await requestMetrics(token)).status),
  )
  expect(metricsStatuses).toEqual([401, 200])
}, 120_000)

it('when the supervisor and its workers all receive SIGTERM, the supervisor stops the workers and exits with code 0', async () => {
  const workerPids = listWorkerPids()
  const exitCodePromise = new Promise<number | null>((resolve) => supervisor.once('exit', resolve))
  // systemd sends SIGTERM to every process of the service. In addition, npm forwards the signal that npm receives.
  for (const pid of workerPids) process.kill(pid, 'SIGTERM')
  supervisor.kill('SIGTERM')
  await pause(100)
  supervisor.kill('SIGTERM')
  expect(await exitCodePromise).toBe(0)
  for (const pid of workerPids) expect(() => process.kill(pid, 0)).toThrow()
})
