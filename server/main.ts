/** Opens everything in order, serves, and stops gracefully. */
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

const SITE = 'dist'
const SERVER_PATHS = ['/api', '/proxy', '/images']
/**
 * Slow clients (security.md): headers within 10 s; of what comes after them http/patience.ts takes care. A connection that rests
 * is kept for longer than proxies keep theirs (60 s): closed by this side, it might be closed under a request that comes.
 */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 0, keepAliveTimeout: 75_000 }
/** How soon the search index learns what another process changed, when nobody searches. */
const SEARCH_EVERY_MS = 2_000
/** How soon recommendations learn what was watched and added since. */
const LEARN_EVERY_MS = 300_000
/** How soon a job that a dead process left, or whose time has come, is taken up. */
const JOBS_EVERY_MS = 10_000
/** Running requests get this long after SIGTERM. */
const DRAIN_MS = 8_000
/** After the signal, what comes on connections that are open is still answered, and told that it was the last. */
const LAST_CALL_MS = 700

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
  const backup = async () => {
    const file = join(dataDir, BACKUPS, `${backupName(Date.now(), 'migration')}.dump`)
    if (databaseUrl) await dumpBefore(databaseUrl, file)
  }
  try {
    await inTurn(database, 'start', () => migrate(database, backup))
  } catch (error) {
    throw databaseError(error, databaseUrl)
  }
  const shared = openShared(config.redisUrl, (error) => log.warn('news', errorFields(error)))
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
  const first = await inTurn(deps.database, 'prepare', () => prepare(deps))
  if (config.workers > 1 && cluster.isPrimary) {
    await deps.recommender.stop()
    await deps.database.close()
    return lead(config.workers, deps.log, () => greet(deps, first))
  }
  const app = new Hono()
  const api = createApp(deps)
  const site = existsSync(SITE)
    ? staticApp({
        root: SITE,
        https: config.publicUrl.protocol === 'https:',
        embedOrigins: config.embedOrigins,
      })
    : null
  app.all('*', (c) => {
    const path = c.req.path
    const ours = SERVER_PATHS.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
    return (ours || !site ? api : site).fetch(c.req.raw, c.env)
  })
  let leaving = false
  const sayWhenLeaving =
    (listener: RequestListener): RequestListener =>
    (request, response) => {
      if (leaving) response.setHeader('Connection', 'close')
      listener(request, response)
    }
  const server = serve({
    fetch: app.fetch,
    hostname: config.host,
    port: config.port,
    createServer: ((_: object, listener: RequestListener) =>
      createServer(TIMEOUTS, sayWhenLeaving(refuseEarly(listener)))) as typeof createServer,
  }) as Server
  limitPatience(server, bringsFile)
  admission.watch()
  server.on('error', (error: NodeJS.ErrnoException) => fail(listenError(error, config)))
  server.on('listening', () => cluster.isWorker || greet(deps, first))
  const keepers = keepUp(deps)
  let signals = 0
  const leave = () => {
    signals += 1
    if (signals > 1) process.exit(1)
    leaving = true
    stop()
    for (const keeper of keepers) clearInterval(keeper)
    void deps.recommender.stop()
    const jobs = workerOf(deps)?.stop()
    /* Not the server's own: it would end connections at once on which a request may just be on its way. */
    NetServer.prototype.close.call(server, () => {
      void Promise.resolve(jobs)
        .then(() => closeAll(deps))
        .then(() => process.exit(0))
    })
    setInterval(() => server.closeIdleConnections(), LAST_CALL_MS).unref()
    setTimeout(() => process.exit(0), DRAIN_MS).unref()
  }
  process.on('SIGTERM', leave)
  process.on('SIGINT', leave)
}

/** What follows the catalogue and the household behind the requests. A failure is logged; the next turn tries again. */
function keepUp(deps: Deps): NodeJS.Timeout[] {
  const { browse, log, recommender, searchIndex, streams } = deps
  const every = (ms: number, what: string, work: () => Promise<void>) => {
    const turn = () => void work().catch((error: unknown) => log.warn(what, errorFields(error)))
    turn()
    return setInterval(turn, ms)
  }
  void browse.warm().catch(() => {})
  void searchIndex.warm().catch(() => {})
  streams.library?.start().catch((error: unknown) => log.error('library', errorFields(error)))
  return [
    every(SEARCH_EVERY_MS, 'search-index', () => searchIndex.catchUp()),
    every(LEARN_EVERY_MS, 'recommendations', () => recommender.refresh()),
    every(JOBS_EVERY_MS, 'jobs', async () => {
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

/** Words for people, once; everything after it is one JSON object a line. */
function greet(deps: Deps, first: FirstSignIn | null): void {
  const { config, log } = deps
  log.info('listening', { address: config.publicUrl.href })
  const lines = [`${config.siteName} is at ${config.publicUrl.href}`]
  if (first) {
    lines.push(`Sign in with ${first.email} and the password ${first.password}`)
    if (first.pin) lines.push(`The profile Robin is locked; its PIN is ${first.pin}`)
    lines.push(`(kept in ${join(config.dataDir, FIRST_SIGN_IN)} until the password is changed)`)
  }
  if (
    config.publicUrl.protocol === 'http:' &&
    !['127.0.0.1', 'localhost'].includes(config.publicUrl.hostname)
  ) {
    log.warn('plain-http', {
      hint: 'Without HTTPS, passwords cross the network readably: set PUBLIC_URL behind a proxy.',
    })
  }
  process.stderr.write(`\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`)
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

if (import.meta.main) {
  main().catch((error: unknown) => {
    if (error instanceof SettingError) fail(error.message)
    const { code, path, message } = error as NodeJS.ErrnoException
    if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM')
      fail(`DATA_DIR cannot be written: ${path ?? message}`)
    fail(message)
  })
}
