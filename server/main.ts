/** Entry point: opens the dependencies, starts the HTTP server and shuts down gracefully. */
import cluster from 'node:cluster'
import { existsSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { Hono } from 'hono'
import { createApp, isUploadRequest } from './app.ts'
import { closeListener, superviseWorkers } from './cluster-supervisor.ts'
import { type Config, loadConfig } from './core/config.ts'
import { makeNewFilesPrivate } from './core/file-owner.ts'
import { ignoreLogWriteErrors } from './core/log.ts'
import { createDeps } from './create-deps.ts'
import { withProcessLock } from './db/lock.ts'
import { prepareFirstRun, seedDemoCatalogueInProcess } from './first-run.ts'
import { admission } from './http/admission.ts'
import { CONNECTION_BACKLOG, createHttpServer } from './http/node-server.ts'
import { createStaticApp } from './http/static.ts'
import { startPeriodicTasks } from './periodic-tasks.ts'
import { checkPortAvailable, describeFatalError, describeListenError } from './preflight.ts'
import { answerMetricsRequests } from './providers/worker-metrics.ts'
import { eraseRestoredAccounts } from './services/accounts/erasure.ts'
import { requireSameKeys } from './services/auth/same-keys.ts'
import type { Deps } from './services/deps.ts'
import { findJobWorker } from './services/jobs/job-queue.ts'
import { getLibrarySync } from './services/library/library-sync.ts'
import { closeConversions, deleteLeftoverConversions } from './services/playback/conversion/conversions.ts'
import { shutDownOnSignal } from './shutdown-signals.ts'
import { printWelcome } from './welcome.ts'

const SITE_FOLDER = 'dist'
const SERVER_PATH_PREFIXES = ['/api', '/proxy', '/images']
/** Running requests have this long to finish after SIGTERM or SIGINT. Then the process exits. */
const DRAIN_TIMEOUT_MS = 8_000

/** `npm start` passes this argument during a build of the site. The server then listens only after the build. */
const WAIT_FOR_SITE_ARGUMENT = '--wait-for-site'

async function main(): Promise<void> {
  ignoreLogWriteErrors()
  makeNewFilesPrivate()
  const siteBuild =
    cluster.isPrimary && process.argv.includes(WAIT_FOR_SITE_ARGUMENT) ? waitForSiteBuild() : null
  const config = loadConfig()
  if (cluster.isPrimary) await checkPortAvailable(config)
  const isSupervisor = config.workerCount > 1 && cluster.isPrimary
  const { deps, stop } = await createDeps(config, { isServing: !isSupervisor })
  await requireSameKeys(deps)
  const firstSignIn = await withProcessLock(
    deps.database,
    'prepare',
    async () => {
      await eraseRestoredAccounts(deps)
      return prepareFirstRun(deps, seedDemoCatalogueInProcess)
    },
    { onLongWait: () => deps.log.warn('waiting for another process that prepares the database') },
  )
  await siteBuild
  if (isSupervisor) {
    await deps.recommender.stop()
    await deps.searchIndex.stop()
    await deps.database.close()
    return superviseWorkers(config.workerCount, deps.log, () => printWelcome(deps, firstSignIn))
  }
  deleteLeftoverConversions(deps)
  const app = createAppWithSite(createApp(deps), config)
  const server = createHttpServer({
    config,
    fetch: app.fetch,
    isUpload: isUploadRequest,
    isStopping: deps.isStopping,
  })
  admission.startMeasuringLoopDelay()
  if (cluster.isWorker) answerMetricsRequests()
  server.on('error', (error: NodeJS.ErrnoException) => exitWithError(describeListenError(error, config)))
  server.on('listening', () => cluster.isWorker || printWelcome(deps, firstSignIn))
  // Node.js writes the compile cache when the process exits, but not when the process is killed. So the cache is
  // written here, before the server listens.
  flushCompileCache()
  server.listen({ host: config.host, port: config.port, backlog: CONNECTION_BACKLOG })
  const timers = startPeriodicTasks(deps)
  const shutDown = () => {
    stop()
    for (const timer of timers) clearInterval(timer)
    void deps.recommender.stop()
    const conversionsClosePromise = closeConversions(deps)
    const jobsStopPromise = Promise.all([findJobWorker(deps)?.stop(), getLibrarySync(deps)?.stop()])
    void deps.searchIndex.stop()
    void Promise.all([closeListener(server), jobsStopPromise, conversionsClosePromise])
      .then(() => closeDeps(deps))
      .then(() => process.exit(0))
    setTimeout(() => process.exit(0), DRAIN_TIMEOUT_MS).unref()
  }
  shutDownOnSignal(shutDown)
}

/** Resolves when the parent process reports that the site is built. Exits this process if the parent process ends. */
const waitForSiteBuild = () =>
  new Promise<void>((resolve) => {
    const exitProcess = () => process.exit(1)
    process.once('disconnect', exitProcess)
    process.once('message', () => {
      process.off('disconnect', exitProcess)
      resolve()
    })
  })

/** Returns an app that serves the API and, if the site has been built, the site. */
function createAppWithSite(api: Hono, { publicUrl, embedOrigins }: Config): Hono {
  if (!existsSync(SITE_FOLDER)) return api
  const site = createStaticApp({ root: SITE_FOLDER, isHttps: publicUrl.protocol === 'https:', embedOrigins })
  const app = new Hono()
  app.all('*', (c) => {
    const { path } = c.req
    const isServerPath = SERVER_PATH_PREFIXES.some(
      (prefix) => path === prefix || path.startsWith(`${prefix}/`),
    )
    return (isServerPath ? api : site).fetch(c.req.raw, c.env)
  })
  return app
}

async function closeDeps({ bus, database, searchIndex, searchRecorder }: Deps): Promise<void> {
  await searchIndex.stop()
  await searchRecorder.write()
  await bus.close()
  await database.close()
}

function exitWithError(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

main().catch((error: unknown) => exitWithError(describeFatalError(error)))
