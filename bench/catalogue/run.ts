/**
 * Measures catalogue, search and dashboard requests at growing catalogue sizes. Requests pass through the whole server,
 * but not through a network socket. Run it with
 * `node bench/catalogue/run.ts [--titles=10000,100000,1000000] [--keep=FOLDER] [--cold | --limits | --postgres]
 * [--rounds=300]`.
 * Produces the figures of docs/measurements/catalogue.md. `--keep` keeps the generated databases for further runs.
 * `--cold` measures a second time with an empty file cache. `--limits` measures only lists and searches: of
 * profiles with limits and, for comparison, of a profile without limits. `--postgres` copies the titles to a PostgreSQL
 * server on this machine and measures requests with that database.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { DATABASE_FILE_NAME } from '../../server/db/database.ts'
import { SEARCH_FILE_NAME } from '../../server/db/search-file.ts'
import { insertTestAccount, startTestServer, type TestServer } from '../../tests/support/server.ts'
import { TestClient } from '../../tests/support/test-client.ts'
import { startLoadMeter } from '../machine-load.ts'
import { readOption } from '../options.ts'
import { type BenchDatabase, openBenchPostgres, openBenchSqlite } from './bench-database.ts'
import { provideGeneratedDatabase } from './generated-database.ts'
import { addParentalGuides, createLimitedAudiences } from './limited-audiences.ts'
import { formatVerdict, measureLatency, printLatency } from './report.ts'
import {
  BENCH_EMAIL,
  listDashboardRequestKinds,
  listLimitedRequestKinds,
  listRequestKinds,
  type RequestKind,
  requestWithSignIn,
} from './requests.ts'

const titleCounts = (readOption('titles') ?? '10000,100000,1000000').split(',').map(Number)
const defaultSampleCount = Number(readOption('rounds') ?? 300)
const shouldMeasureLimitedAudiences = process.argv.includes('--limits')
const shouldMeasureColdFileCache = process.argv.includes('--cold')
const isPostgres = process.argv.includes('--postgres')

/**
 * Budgets at a million titles: duration of a build of the search index, longest event loop delay during background
 * work, and memory of the process.
 */
const MAX_INDEX_BUILD_SECONDS = 180
const MAX_EVENT_LOOP_DELAY_MS = 100
const MAX_MEMORY_MIB = 700
/** Pause between the requests that measure how long background work delays other requests. */
const PROBE_INTERVAL_MS = 50

const toMebibytes = (bytes: number) => Math.round(bytes / 2 ** 20)

async function startBenchServer({ database, location }: BenchDatabase): Promise<TestServer> {
  const server = await startTestServer({ database, location })
  /* The quota is disabled, because the benchmark sends more searches than an account may. */
  server.deps.quota = { consume: async () => 0 }
  return server
}

async function createBenchDevice(server: TestServer): Promise<TestClient> {
  await insertTestAccount(server, BENCH_EMAIL, 'admin')
  const device = new TestClient(server)
  await device.login(BENCH_EMAIL)
  const preferences = { language: 'en' }
  const { body } = await device.post('/api/profile', { name: 'Bench', avatar: 1, preferences })
  device.profileId = body.profile_id
  return device
}

/**
 * Runs a task in the background. Prints the duration of the task, and how long other requests had to wait during the
 * task.
 */
async function measureBackgroundTask(
  label: string,
  {
    device,
    titleCount,
    benchDatabase,
    maxSeconds,
  }: { device: TestClient; titleCount: number; benchDatabase: BenchDatabase; maxSeconds?: number },
  runTask: () => Promise<unknown>,
): Promise<void> {
  const readMachineLoad = startLoadMeter(benchDatabase.listPids)
  const eventLoopDelay = monitorEventLoopDelay({ resolution: 5 })
  eventLoopDelay.enable()
  const startMs = performance.now()
  let isTaskDone = false
  let slowestRequestMs = 0
  const taskPromise = runTask().finally(() => {
    isTaskDone = true
  })
  for (let titleId = 1; !isTaskDone; titleId++) {
    const requestStartMs = performance.now()
    await requestWithSignIn(device, `/api/movies/slug/title-${1 + (titleId % titleCount)}`)
    slowestRequestMs = Math.max(slowestRequestMs, performance.now() - requestStartMs)
    await Promise.race([taskPromise, pause(PROBE_INTERVAL_MS)])
  }
  await taskPromise
  eventLoopDelay.disable()
  const [durationSeconds, machineLoad] = [(performance.now() - startMs) / 1_000, readMachineLoad()]
  const { isBusy: isMachineBusy } = machineLoad
  const maxDelayMs = eventLoopDelay.max / 1e6
  const p99DelayMs = eventLoopDelay.percentile(99) / 1e6
  console.log(
    `${label}: ${durationSeconds.toFixed(1)} s${formatVerdict(durationSeconds, maxSeconds, { titleCount, isMachineBusy })}, ` +
      `event loop delay p99 ${p99DelayMs.toFixed(0)} ms, max ${maxDelayMs.toFixed(0)} ms` +
      `${formatVerdict(maxDelayMs, MAX_EVENT_LOOP_DELAY_MS, { titleCount, isMachineBusy })}, ` +
      `slowest of the requests meanwhile ${slowestRequestMs.toFixed(0)} ms; ${machineLoad.summary}`,
  )
}

/**
 * Removes the files of the database and of the search index from the file cache of the operating system (GNU dd,
 * Linux).
 */
function dropFileCache(folder: string): void {
  for (const fileName of [DATABASE_FILE_NAME, SEARCH_FILE_NAME])
    execFileSync('dd', [`if=${join(folder, fileName)}`, 'iflag=nocache', 'count=0', 'status=none'])
}

async function measureRequests(
  requestKinds: RequestKind[],
  {
    titleCount,
    benchDatabase,
    isFileCacheCold = false,
  }: { titleCount: number; benchDatabase: BenchDatabase; isFileCacheCold?: boolean },
): Promise<void> {
  for (const { label, sampleCount, send } of requestKinds) {
    const readMachineLoad = startLoadMeter(benchDatabase.listPids)
    const latency = await measureLatency(sampleCount, send)
    printLatency(label, latency, {
      titleCount,
      machineLoad: readMachineLoad(),
      isFileCacheCold,
      kind: benchDatabase.database.kind,
    })
  }
}

/**
 * Loads what a server keeps in memory, and sends every request once, so that the database files are in the file cache.
 */
async function warmUp(server: TestServer, requestKinds: RequestKind[]): Promise<void> {
  await server.deps.browseIndex.warm()
  await server.deps.searchIndex.warm()
  for (const { sampleCount, send } of requestKinds) await measureLatency(sampleCount, send)
}

async function measureColdFileCache(
  folder: string,
  titleCount: number,
  profileId: string | null,
): Promise<void> {
  const benchDatabase = openBenchSqlite(folder)
  const server = await startBenchServer(benchDatabase)
  const device = new TestClient(server)
  await device.login(BENCH_EMAIL)
  device.profileId = profileId
  await server.deps.browseIndex.warm()
  await server.deps.searchIndex.warm()
  const requestKinds = listRequestKinds(device, {
    sqlite: benchDatabase.sampleDatabase,
    titleCount,
    sampleCount: defaultSampleCount,
  })
  await server.deps.recommender.refresh()
  dropFileCache(folder)
  await measureRequests(requestKinds, { titleCount, benchDatabase, isFileCacheCold: true })
  await server.close()
}

async function measureCatalogueOfSize(titleCount: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-bench-'))
  await provideGeneratedDatabase(folder, titleCount, readOption('keep'))
  const benchDatabase = isPostgres
    ? await openBenchPostgres(folder, getPostgresFolder(titleCount))
    : openBenchSqlite(folder)
  const server = await startBenchServer(benchDatabase)
  if (shouldMeasureLimitedAudiences) addParentalGuides(benchDatabase.sampleDatabase)
  const device = await createBenchDevice(server)
  console.log(`\n## ${titleCount.toLocaleString('en')} titles, ${benchDatabase.database.kind}`)
  const measurementContext = { device, titleCount, benchDatabase }
  await requestWithSignIn(device, '/api/movies/slug/title-1')
  await measureBackgroundTask(
    'search index built',
    { ...measurementContext, maxSeconds: MAX_INDEX_BUILD_SECONDS },
    // The server is already building the index, because the database is new. The task only waits for the end.
    () => server.deps.searchIndex.whenIdle(),
  )
  console.log(`peak memory so far ${toMebibytes(process.resourceUsage().maxRSS * 1_024)} MB`)
  await measureBackgroundTask('first page of movies', measurementContext, () =>
    requestWithSignIn(device, '/api/movies'),
  )
  await measureBackgroundTask('credits of people loaded', measurementContext, () =>
    server.deps.browseIndex.warm(),
  )
  await measureRequestKinds(server, measurementContext)
  const memoryMib = toMebibytes(process.memoryUsage.rss())
  const memoryVerdict = formatVerdict(memoryMib, MAX_MEMORY_MIB, { titleCount, isMachineBusy: false })
  console.log(`process memory ${memoryMib} MB${memoryVerdict}`)
  console.log(await benchDatabase.describeSize())
  await server.close()
  await benchDatabase.close()
  if (shouldMeasureColdFileCache) await measureColdFileCache(folder, titleCount, device.profileId)
  rmSync(folder, { recursive: true })
}

function getPostgresFolder(titleCount: number): string | undefined {
  const permanentFolder = readOption('keep')
  return permanentFolder && join(permanentFolder, `postgres-${titleCount}`)
}

async function measureRequestKinds(
  server: TestServer,
  context: { device: TestClient; titleCount: number; benchDatabase: BenchDatabase },
): Promise<void> {
  const { device, titleCount, benchDatabase } = context
  const requestOptions = { sqlite: benchDatabase.sampleDatabase, titleCount, sampleCount: defaultSampleCount }
  if (shouldMeasureLimitedAudiences) {
    const audiences = await createLimitedAudiences(device, benchDatabase.sampleDatabase, titleCount)
    await warmUp(server, await listLimitedRequestKinds(device, audiences, requestOptions))
    return measureRequests(await listLimitedRequestKinds(device, audiences, requestOptions), context)
  }
  await measureBackgroundTask('recommendation model trained', context, () =>
    server.deps.recommender.refresh(),
  )
  await warmUp(server, listRequestKinds(device, requestOptions))
  await measureRequests(listRequestKinds(device, requestOptions), context)
  // The dashboard is measured on SQLite only, because its users are inserted with SQLite statements.
  if (!isPostgres)
    await measureRequests(listDashboardRequestKinds(device, benchDatabase.sampleDatabase), context)
}

console.log(
  `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}; milliseconds at p50 / p90 / p95 / p99`,
)
for (const titleCount of titleCounts) await measureCatalogueOfSize(titleCount)
