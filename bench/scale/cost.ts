/**
 * Measures the cost of one request of each kind: CPU time of the server and of PostgreSQL, number of statements, and
 * bytes of write-ahead log.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { createUserClient, loadTitleIds, signInAdmin } from '../../tests/scale/scenarios.ts'
import type { HttpTestClient } from '../../tests/support/http-test-client.ts'
import type { TestInstallation } from '../../tests/support/server-processes.ts'
import { readProcessCpuMs } from '../processor-time.ts'
import type { LoadPlan } from './load.ts'
import { createAuthHeaders, printResult, roundToHundredths, runLoadGenerator } from './measure.ts'

const RUN_SECONDS = 4
const OPEN_TAB_COUNT = 500

type PlannedRequests = LoadPlan['requests']

async function createRequestKinds(
  installation: TestInstallation,
  admin: HttpTestClient,
): Promise<[name: string, requests: PlannedRequests][]> {
  const viewer = await createUserClient(admin, `cost${Date.now()}`)
  const titleIds = await loadTitleIds(admin, 50)
  const headers = createAuthHeaders(viewer)
  const profilePath = `/api/profile/${viewer.profileId}`
  const createReadRequests = (...paths: string[]): PlannedRequests =>
    paths.map((path) => ({ method: 'GET', path, headers }))
  const createWriteRequest = (method: string, path: string, body: object) => ({
    method,
    path,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const createProgressWrite = (media_id: string, index: number) =>
    createWriteRequest('POST', `${profilePath}/history`, {
      type: 'movie',
      media_id,
      progress: 60 + index,
      data: { video_duration: 6_000 },
    })
  const loginRequest = {
    method: 'POST',
    path: '/api/auth/login',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: installation.admin.email, password: installation.admin.password }),
  }
  return [
    ['list (cached response)', createReadRequests('/api/movies?limit=20', '/api/series?limit=20')],
    ['detail of a title', createReadRequests(...titleIds.map((id) => `/api/movies/${id}`))],
    [
      'search',
      createReadRequests(
        ...['heat', 'love', 'night', 'gold', 'war'].map((query) => `/api/search?q=${query}`),
      ),
    ],
    ['continue watching', createReadRequests(`${profilePath}/continue-watching`)],
    ['recommendations', createReadRequests(`${profilePath}/recommend`)],
    ['watchlist', createReadRequests(`${profilePath}/watchlist`)],
    ['progress (write)', titleIds.map(createProgressWrite)],
    [
      'watchlist (write)',
      titleIds.map((id) => createWriteRequest('PUT', `${profilePath}/watchlist/movie/${id}`, {})),
    ],
    ['sign in', [loginRequest]],
  ]
}

/**
 * Restarts PostgreSQL with the extension pg_stat_statements, and returns a client that can read its statistics of
 * statements.
 */
async function enableStatementStatistics(installation: TestInstallation): Promise<pg.Client> {
  const connectClient = async () => {
    const client = new pg.Client({ connectionString: installation.postgres.getUrl() })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const setupClient = await connectClient()
  await setupClient.query("alter system set shared_preload_libraries = 'pg_stat_statements'")
  await setupClient.end()
  await installation.postgres.crash()
  await installation.postgres.start()
  const statisticsClient = await connectClient()
  await statisticsClient.query('create extension pg_stat_statements')
  return statisticsClient
}

async function readStatementTotals(statisticsClient: pg.Client) {
  const { rows: statisticsRows } = await statisticsClient.query(`
    select coalesce(sum(calls) filter (where query ilike 'select%' or query ilike 'with%'), 0)::float8 as reads,
           coalesce(sum(calls) filter (where query ~* '^(insert|update|delete)'), 0)::float8 as writes,
           coalesce(sum(wal_bytes), 0)::float8 as wal_bytes
    from pg_stat_statements where query not like '%pg_stat%'`)
  return statisticsRows[0] as { reads: number; writes: number; wal_bytes: number }
}

/** Returns the CPU time in ms of each PostgreSQL backend, by process id. */
async function readCpuMsByBackend(statisticsClient: pg.Client): Promise<Map<number, number>> {
  const { rows: backendRows } = await statisticsClient.query(
    'select pid from pg_stat_activity where pid <> pg_backend_pid()',
  )
  return new Map(backendRows.map(({ pid }: { pid: number }) => [pid, readProcessCpuMs(pid)]))
}

const readMemoryMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024

export async function measureRequestCost(installation: TestInstallation): Promise<void> {
  const statisticsClient = await enableStatementStatistics(installation)
  await pause(2_000)
  const [firstProcess] = installation.processes
  if (!firstProcess) throw new Error('no process')
  const admin = await signInAdmin(installation, firstProcess.url)
  printResult('memory of a process after start (MB)', Math.round(readMemoryMb(firstProcess.getPid())))
  for (const [name, requests] of await createRequestKinds(installation, admin)) {
    const plan: Omit<LoadPlan, 'seconds'> = { urls: [firstProcess.url], requests, connectionCount: 4 }
    // Four requests a second stay below the search rate limit of an account.
    if (name === 'search') plan.requestsPerSecond = 4
    await runLoadGenerator({ ...plan, seconds: 1 })
    await statisticsClient.query('select pg_stat_statements_reset()')
    const cpuBeforeMsByBackend = await readCpuMsByBackend(statisticsClient)
    const apiCpuBeforeMs = readProcessCpuMs(firstProcess.getPid())
    const { successPerSecond, responseCountsByStatus, p50Ms, p99Ms } = await runLoadGenerator({
      ...plan,
      seconds: RUN_SECONDS,
    })
    const requestCount = Object.values(responseCountsByStatus).reduce(
      (sum, responseCount) => sum + responseCount,
      0,
    )
    let postgresCpuMs = 0
    for (const [pid, backendCpuMs] of await readCpuMsByBackend(statisticsClient))
      postgresCpuMs += backendCpuMs - (cpuBeforeMsByBackend.get(pid) ?? 0)
    const { reads, writes, wal_bytes } = await readStatementTotals(statisticsClient)
    printResult(name, {
      successPerSecond,
      p50Ms,
      p99Ms,
      apiCpuMsPerRequest: roundToHundredths(
        (readProcessCpuMs(firstProcess.getPid()) - apiCpuBeforeMs) / requestCount,
      ),
      postgresCpuMsPerRequest: roundToHundredths(postgresCpuMs / requestCount),
      readsPerRequest: roundToHundredths(reads / requestCount),
      writesPerRequest: roundToHundredths(writes / requestCount),
      walBytesPerRequest: Math.round(wal_bytes / requestCount),
      otherStatuses: Object.keys(responseCountsByStatus).filter((status) => !status.startsWith('2')),
    })
  }
  await printRowSizes(statisticsClient)
  await measureOpenTabs(firstProcess, admin)
  await statisticsClient.end()
}

/** Prints the average row size in bytes, without indexes, of the tables that grow with the number of viewers. */
async function printRowSizes(statisticsClient: pg.Client): Promise<void> {
  const { rows } = await statisticsClient.query(`
    select (select round(avg(pg_column_size(p.*))) from progress p)::int as progress,
           (select round(avg(pg_column_size(w.*))) from watchlist_entry w)::int as watchlist_entry,
           (select round(avg(pg_column_size(l.*))) from login l)::int as login`)
  printResult('average row size (bytes)', rows[0])
}

/** Prints the memory of the server per open event stream. */
async function measureOpenTabs(
  serverProcess: { url: string; getPid: () => number },
  visitor: HttpTestClient,
): Promise<void> {
  const memoryBeforeMb = readMemoryMb(serverProcess.getPid())
  const abortController = new AbortController()
  const headers = createAuthHeaders(visitor)
  const streamStatuses: number[] = []
  while (streamStatuses.length < OPEN_TAB_COUNT)
    streamStatuses.push(
      ...(await Promise.all(
        Array.from({ length: 25 }, () =>
          fetch(`${serverProcess.url}/api/events`, { headers, signal: abortController.signal }).then(
            ({ status }) => status,
          ),
        ),
      )),
    )
  await pause(2_000)
  printResult(`memory per open tab, ${OPEN_TAB_COUNT} tabs (kB)`, {
    openStreams: streamStatuses.filter((status) => status === 200).length,
    kilobytesPerTab: Math.round(
      ((readMemoryMb(serverProcess.getPid()) - memoryBeforeMb) * 1_024) / OPEN_TAB_COUNT,
    ),
  })
  abortController.abort()
}
