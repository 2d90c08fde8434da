/** Entry point: opens the dependencies, starts the HTTP server and shuts down gracefully. */
import cluster from 'node:cluster'
import { existsSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { bringsFile, createApp } from './app.ts'
import { type Config, loadConfig, SettingError } from './config.ts'
import { BACKUPS, backupName } from './db/backup.ts'
import { inTurn } from './db/lock.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import type { Deps } from './deps.ts'
import { admission, refuseEarly } from './http/admission.ts'
import { createLog, errorFields } from './http/log.ts'
import { limitPatience } from './http/patience.ts'
import { staticApp } from './http/static.ts'
import { databaseError, listenError, requireDataDir, requirePort } from './preflight.ts'
import { FIRST_SIGN_IN } from './providers/first-sign-in.ts'
import { deriveKeys, loadKeys } from './providers/keys.ts'
import { dumpBefore } from './providers/pg-dump.ts'
import { openShared } from './providers/shared.ts'
import { createBrowse } from './services/browse-index.ts'
import type { FirstSignIn } from './services/demo-household.ts'
import { startDue } from './services/housekeeping.ts'
import { workerOf } from './services/job-queue.ts'
import { createRecommender } from './services/recommender.ts'
import { requireSameKeys } from './services/same-keys.ts'
import { openSearchIndex } from './services/search-index.ts'
import { watchQueries } from './services/slow-queries.ts'
import { openStreamSources } from './services/stream-sources.ts'
import { prepare } from './start.ts'
import { lead } from './workers.ts'

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
export async function openDeps(config: Config): Promise<{ deps: Deps; stop: () => void }> {
  requireDataDir(config.dataDir)
  let stopping = false
  const log = createLog(config.logLevel)
  const database = openDatabase({
    dataDir: config.dataDir,
    url: config.databaseUrl,
    replicaUrl: config.databaseReplicaUrl,
    onError: (error) => log.warn('database connection lost', errorFields(error)),
  })
  const { databaseUrl, dataDir } = config
  const backupBeforeMigration = async () => {
    const file = join(dataDir, BACKUPS, `${backupName(Date.now(), 'migration')}.dump`)
    if (databaseUrl) await dumpBefore(databaseUrl, file)
  }
  try {
    await inTurn(database, 'start', () => migrate(database, backupBeforeMigration))
  } catch (error) {
    throw databaseError(error, databaseUrl)
  }
  const shared = openShared(config.redisUrl, (error) => log.warn('event bus', errorFields(error)))
  const deps: Deps = {
    config,
    database,
    keys: config.keysSecret ? deriveKeys(config.keysSecret) : loadKeys(config.dataDir),
    searchIndex: await openSearchIndex(database),
    browse: createBrowse(database),
    recommender: createRecommender(database, { dataDir: config.dataDir, url: config.databaseUrl }),
    streams: await openStreamSources(config, log),
    bus: shared.bus,
    cache: shared.cache,
    quota: shared.quota,
    log,
    now: Date.now,
    stopping: () => stopping,
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
  if (cluster.isPrimary) await requirePort(config)
  const { deps, stop } = await openDeps(config)
  await requireSameKeys(deps)
  const firstSignIn = await inTurn(deps.database, 'prepare', () => prepare(deps))
  if (config.workers > 1 && cluster.isPrimary) {
    await deps.recommender.stop()
    await deps.database.close()
    return lead(config.workers, deps.log, () => printWelcome(deps, firstSignIn))
  }
  const app = new Hono()
  const api = createApp(deps)
  const site = existsSync(SITE_FOLDER)
    ? staticApp({
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
      createServer(TIMEOUTS, closeConnectionOnShutdown(refuseEarly(listener)))) as typeof createServer,
  }) as Server
  limitPatience(server, bringsFile)
  admission.watch()
  server.on('error', (error: NodeJS.ErrnoException) => exitWithError(listenError(error, config)))
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
    const jobsStopped = workerOf(deps)?.stop()
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
  const { browse, log, recommender, searchIndex, streams } = deps
  const runEvery = (intervalMs: number, taskName: string, task: () => Promise<void>) => {
    const run = () => void task().catch((error: unknown) => log.warn(taskName, errorFields(error)))
    run()
    return setInterval(run, intervalMs)
  }
  void browse.warm().catch(() => {})
  void searchIndex.warm().catch(() => {})
  streams.library?.start().catch((error: unknown) => log.error('library', errorFields(error)))
  return [
    runEvery(SEARCH_INTERVAL_MS, 'search-index', () => searchIndex.catchUp()),
    runEvery(RECOMMENDER_INTERVAL_MS, 'recommendations', () => recommender.refresh()),
    runEvery(JOBS_INTERVAL_MS, 'jobs', async () => {
      await watchQueries(deps)
      await startDue(deps)
      await workerOf(deps)?.tick()
    }),
  ]
}

async function closeAll({ bus, database }: Deps): Promise<void> {
  await bus.close()
  await database.close()
}

/** Prints the address and the first sign-in for the operator, once. All other output is one JSON object per line. */
function printWelcome(deps: Deps, firstSignIn: FirstSignIn | null): void {
  const { config, log } = deps
  log.info('listening', { address: config.publicUrl.href })
  const lines = [`${config.siteName} is at ${config.publicUrl.href}`]
  if (firstSignIn) {
    lines.push(`Sign in with ${firstSignIn.email} and the password ${firstSignIn.password}`)
    if (firstSignIn.pin) lines.push(`The profile Robin is locked; its PIN is ${firstSignIn.pin}`)
    lines.push(`(stored in ${join(config.dataDir, FIRST_SIGN_IN)} until the password is changed)`)
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
