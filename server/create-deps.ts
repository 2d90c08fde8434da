/** Creates the shared dependencies (`Deps`) of handlers and services, such as the database connection and the log. */
import { join } from 'node:path'
import type { Config } from './core/config.ts'
import { createLog, toErrorFields } from './core/log.ts'
import {
  deletePartialDataFiles,
  openCheckedDatabase,
  recordDatabaseIdentity,
  requireKnownDatabase,
} from './database-start.ts'
import { BACKUP_FOLDER, createBackupName, deleteInterruptedBackups } from './db/backup.ts'
import { withProcessLock } from './db/lock.ts'
import { migrateDatabase } from './db/migrate.ts'
import { convertDatabaseError, ensureDataDir } from './preflight.ts'
import { deriveKeys, loadKeys } from './providers/keys.ts'
import { dumpPostgresIfPossible } from './providers/pg-dump.ts'
import { openSharedBackends } from './providers/shared-backends.ts'
import { createBrowseService } from './services/catalogue/browse.ts'
import type { Deps } from './services/deps.ts'
import { SearchRecorder } from './services/family/search-recorder.ts'
import {
  applyStoredConfiguration,
  watchStoredConfiguration,
} from './services/operations/stored-configuration.ts'
import { answerStreamMessages } from './services/playback/running-streams.ts'
import { openStreamSources } from './services/playback/stream-sources.ts'
import { createRecommender } from './services/recommendations/recommender.ts'
import { openSearchIndex } from './services/search/search-index.ts'

/**
 * Opens the database, migrates it and creates all dependencies. After a call of the returned `stop`, the readiness
 * check fails, and every response closes its connection. `isServing` is false in a process that serves no requests: a
 * command, or the supervisor of the workers. Throws `SettingError` when the data folder or the database cannot be used.
 */
export async function createDeps(
  config: Config,
  { isServing = true }: { isServing?: boolean } = {},
): Promise<{ deps: Deps; stop: () => void }> {
  ensureDataDir(config.dataDir)
  deletePartialDataFiles(config.dataDir)
  deleteInterruptedBackups(join(config.dataDir, BACKUP_FOLDER))
  let isStopping = false
  const log = createLog(config.logLevel)
  const database = openCheckedDatabase(config, (error) =>
    log.warn('database connection lost', toErrorFields(error)),
  )
  const { databaseUrl, dataDir } = config
  const backUpBeforeMigration = async () => {
    const dumpFile = join(dataDir, BACKUP_FOLDER, `${createBackupName(Date.now(), 'migration')}.dump`)
    if (databaseUrl && !(await dumpPostgresIfPossible(databaseUrl, dumpFile)))
      log.warn('migrating without a backup', { reason: 'pg_dump or pg_restore is not on the PATH' })
  }
  try {
    await withProcessLock(
      database,
      'start',
      async () => {
        await requireKnownDatabase(config, database)
        await migrateDatabase(database, backUpBeforeMigration)
      },
      { onLongWait: () => log.warn('waiting for another process that starts or moves the database') },
    )
  } catch (error) {
    throw convertDatabaseError(error, databaseUrl)
  }
  const keys = config.keysSecret ? deriveKeys(config.keysSecret) : loadKeys(config.dataDir)
  await recordDatabaseIdentity(config, database)
  const sharedBackends = await openSharedBackends(
    config.redisUrl,
    (error) => log.warn('event bus', toErrorFields(error)),
    config.workerCount,
  )
  const databaseLocation = { dataDir, url: databaseUrl }
  const deps: Deps = {
    config,
    database,
    keys,
    searchIndex: await openSearchIndex(database, databaseLocation, {
      onError: (error) => log.warn('search-index', toErrorFields(error)),
      isServing,
    }),
    browseIndex: createBrowseService(database, { hasDemoClips: config.isDemoEnabled }),
    recommender: createRecommender(database, databaseLocation),
    streamSources: await openStreamSources(config, log, database),
    searchRecorder: new SearchRecorder(database, log),
    bus: sharedBackends.bus,
    cache: sharedBackends.cache,
    quota: sharedBackends.quota,
    log,
    now: Date.now,
    monotonicNow: () => performance.now(),
    isStopping: () => isStopping,
  }
  await applyStoredConfiguration(deps)
  watchStoredConfiguration(deps)
  if (isServing) answerStreamMessages(deps)
  return {
    deps,
    stop: () => {
      isStopping = true
    },
  }
}

/**
 * Creates the dependencies of a process that serves no requests, and calls `run` with them. Closes the search index and
 * the database afterwards.
 */
export async function runWithDeps<Result>(
  config: Config,
  run: (deps: Deps) => Promise<Result>,
): Promise<Result> {
  const { deps } = await createDeps(config, { isServing: false })
  try {
    return await run(deps)
  } finally {
    await deps.searchIndex.stop()
    await deps.database.close()
  }
}
