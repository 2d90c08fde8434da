/** Entry point: opens the dependencies, starts the HTTP server and shuts down gracefully. */
import cluster from 'node:cluster'
import { existsSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createApp, isUploadRequest } from './app.ts'
import { superviseWorkers } from './cluster-supervisor.ts'
import { type Config, loadConfig, SettingError } from './core/config.ts'
import { createLog, toErrorFields } from './core/log.ts'
import { BACKUP_FOLDER, createBackupName } from './db/backup.ts'
import { openDatabase } from './db/database.ts'
import { withProcessLock } from './db/lock.ts'
import { migrateDatabase } from './db/migrate.ts'
import { prepareFirstRun } from './first-run.ts'
import { admission, rejectWhenOverloaded } from './http/admission.ts'
import { enforceRequestTimeout } from './http/request-timeout.ts'
import { createStaticApp } from './http/static.ts'
import { checkPortAvailable, describeDatabaseError, describeListenError, ensureDataDir } from './preflight.ts'
import { FIRST_SIGN_IN_FILE } from './providers/first-sign-in.ts'
import { deriveKeys, loadKeys } from './providers/keys.ts'
import { dumpPostgresIfPossible } from './providers/pg-dump.ts'
import { openSharedBackends } from './providers/shared-backends.ts'
import { requireSameKeys } from './services/auth/same-keys.ts'
import { createBrowseService } from './services/catalogue/browse.ts'
import type { Deps } from './services/deps.ts'
import { findJobWorker } from './services/jobs/job-queue.ts'
import type { FirstCredentials } from './services/operations/demo-household.ts'
import { startDueJobs } from './services/operations/maintenance.ts'
import { watchSlowQueries } from './services/operations/slow-queries.ts'
import { openStreamSources } from './services/playback/stream-sources.ts'
import { createRecommender } from './services/recommendations/recommender.ts'
import { openSearchIndex } from './services/search/search-index.ts'

const SITE_FOLDER = 'dist'
const SERVER_PATHS = ['/api', '/proxy', '/images']
/**
 * Limits for slow clients (security.md). Headers must arrive within 10 s; http/request-timeout.ts limits the body.
 * Idle connections stay open for longer than proxies keep theirs (60 s). Otherwise the server could close a
 * connection on which a proxy is just sending a request.
 */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 0, keepAliveTimeout: 75_000 }
/** Longest delay until the search index contains the changes of another process. A search updates it at once. */
const SEARCH_INTERVAL_MS = 2_000
/** Interval at which the recommendation model checks for new viewings and titles. */
const RECOMMENDER_INTERVAL_MS = 300_000
/** Interval of the checks for jobs that are due and for jobs of crashed processes. */
const JOBS_INTERVAL_MS = 10_000
/** After SIGTERM, running requests have this long to finish. */
const DRAIN_MS = 8_000
/**
 * After SIGTERM, requests on open connections are still served, with `Connection: close`. Idle connections are closed
 * at this interval.
 */
const CLOSE_IDLE_INTERVAL_MS = 700

/**
 * Opens the database, migrates it and creates all dependencies. `stop` makes the readiness check fail.
 * Throws `SettingError` when the data folder or the database cannot be used.
 */
export async function createDeps(config: Config): Promise<{ deps: Deps; stop: () => void }> {
  ensureDataDir(config.dataDir)
  let stopping = false
  const log = createLog(config.logLevel)
  const database = openDatabase({
    dataDir: config.dataDir,
    url: config.databaseUrl,
    replicaUrl: config.databaseReplicaUrl,
    onError: (error) => log.warn('database connection lost', toErrorFields(error)),
  })
  const { databaseUrl, dataDir } = config
  const backupBeforeMigration = async () => {
    const file = join(dataDir, BACKUP_FOLDER, `${createBackupName(Date.now(), 'migration')}.dump`)
    if (databaseUrl) await dumpPostgresIfPossible(databaseUrl, file)
  }
  try {
    await withProcessLock(database, 'start', () => migrateDatabase(database, backupBeforeMigration))
  } catch (error) {
    throw describeDatabaseError(error, databaseUrl)
  }
  const shared = openSharedBackends(config.redisUrl, (error) => log.warn('event bus', toErrorFields(error)))
  const deps: Deps = {
    config,
    database,
    keys: config.keysSecret ? deriveKeys(config.keysSecret) : loadKeys(config.dataDir),
    searchIndex: await openSearchIndex(database),
    browseIndex: createBrowseService(database),
    recommender: createRecommender(database, { dataDir: config.dataDir, url: config.databaseUrl }),
    streamSources: await openStreamSources(config, log),
    bus: shared.bus,
    cache: shared.cache,
    quota: shared.quota,
    log,
    now: Date.now,
    isStopping: () => stopping,
  }
  return {
    deps,
    stop: () => {
      stopping = true
    },
  }
}

async function main(): Promise<void> {
  const config = loadConfig()
  if (cluster.isPrimary) await checkPortAvailable(config)
  const { deps, stop } = await createDeps(config)
  await requireSameKeys(deps)
  const firstSignIn = await withProcessLock(deps.database, 'prepare', () => prepareFirstRun(deps))
  if (config.workers > 1 && cluster.isPrimary) {
    await deps.recommender.stop()
    await deps.database.close()
    return superviseWorkers(config.workers, deps.log, () => printWelcome(deps, firstSignIn))
  }
  const app = new Hono()
  const api = createApp(deps)
  const site = existsSync(SITE_FOLDER)
    ? createStaticApp({
        root: SITE_FOLDER,
        https: config.publicUrl.protocol === 'https:',
        embedOrigins: config.embedOrigins,
      })
    : null
  app.all('*', (c) => {
    const path = c.req.path
    const isServerPath = SERVER_PATHS.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
    return (isServerPath || !site ? api : site).fetch(c.req.raw, c.env)
  })
  let shuttingDown = false
  const closeConnectionOnShutdown =
    (listener: RequestListener): RequestListener =>
    (request, response) => {
      if (shuttingDown) response.setHeader('Connection', 'close')
      listener(request, response)
    }
  const server = serve({
    fetch: app.fetch,
    hostname: config.host,
    port: config.port,
    createServer: ((_: object, listener: RequestListener) =>
      createServer(
        TIMEOUTS,
        closeConnectionOnShutdown(rejectWhenOverloaded(listener)),
      )) as typeof createServer,
  }) as Server
  enforceRequestTimeout(server, isUploadRequest)
  admission.startMeasuring()
  server.on('error', (error: NodeJS.ErrnoException) => exitWithError(describeListenError(error, config)))
  server.on('listening', () => cluster.isWorker || printWelcome(deps, firstSignIn))
  const timers = startPeriodicTasks(deps)
  let signalCount = 0
  const shutDown = () => {
    signalCount += 1
    if (signalCount > 1) process.exit(1)
    shuttingDown = true
    stop()
    for (const timer of timers) clearInterval(timer)
    void deps.recommender.stop()
    const jobsStopped = findJobWorker(deps)?.stop()
    // http.Server.close() would also close idle connections at once, although a request may be in transit on them.
    NetServer.prototype.close.call(server, () => {
      void Promise.resolve(jobsStopped)
        .then(() => closeAll(deps))
        .then(() => process.exit(0))
    })
    setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_INTERVAL_MS).unref()
    setTimeout(() => process.exit(0), DRAIN_MS).unref()
  }
  process.on('SIGTERM', shutDown)
  process.on('SIGINT', shutDown)
}

/** Runs the periodic background tasks. A failure is logged, and the next run tries again. */
function startPeriodicTasks(deps: Deps): NodeJS.Timeout[] {
  const { browseIndex: browse, log, recommender, searchIndex, streamSources: streams } = deps
  const runEvery = (intervalMs: number, taskName: string, task: () => Promise<void>) => {
    const run = () => void task().catch((error: unknown) => log.warn(taskName, toErrorFields(error)))
    run()
    return setInterval(run, intervalMs)
  }
  void browse.warm().catch(() => {})
  void searchIndex.warm().catch(() => {})
  streams.library?.start().catch((error: unknown) => log.error('library', toErrorFields(error)))
  return [
    runEvery(SEARCH_INTERVAL_MS, 'search-index', () => searchIndex.catchUp()),
    runEvery(RECOMMENDER_INTERVAL_MS, 'recommendations', () => recommender.refresh()),
    runEvery(JOBS_INTERVAL_MS, 'jobs', async () => {
      await watchSlowQueries(deps)
      await startDueJobs(deps)
      await findJobWorker(deps)?.tick()
    }),
  ]
}

async function closeAll({ bus, database }: Deps): Promise<void> {
  await bus.close()
  await database.close()
}

/** Prints the address and the first sign-in for the operator, once. All other output is one JSON object per line. */
function printWelcome(deps: Deps, firstSignIn: FirstCredentials | null): void {
  const { config, log } = deps
  log.info('listening', { address: config.publicUrl.href })
  const lines = [`${config.siteName} is at ${config.publicUrl.href}`]
  if (firstSignIn) {
    lines.push(`Sign in with ${firstSignIn.email} and the password ${firstSignIn.password}`)
    if (firstSignIn.pin) lines.push(`The profile Robin is locked; its PIN is ${firstSignIn.pin}`)
    lines.push(`(stored in ${join(config.dataDir, FIRST_SIGN_IN_FILE)} until the password is changed)`)
  }
  if (
    config.publicUrl.protocol === 'http:' &&
    !['127.0.0.1', 'localhost'].includes(config.publicUrl.hostname)
  ) {
    log.warn('plain-http', {
      hint: 'Passwords are sent unencrypted. Use HTTPS: run a reverse proxy and set PUBLIC_URL to its https address.',
    })
  }
  process.stderr.write(`\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`)
}

function exitWithError(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

if (import.meta.main) {
  main().catch((error: unknown) => {
    if (error instanceof SettingError) exitWithError(error.message)
    const { code, path, message } = error as NodeJS.ErrnoException
    if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM')
      exitWithError(`DATA_DIR cannot be written: ${path ?? message}`)
    exitWithError(message)
  })
}
