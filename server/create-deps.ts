/** Opens everything that handlers and services depend on. */
import { join } from 'node:path'
import type { Config } from './core/config.ts'
import { createLog, toErrorFields } from './core/log.ts'
import { BACKUP_FOLDER, createBackupName } from './db/backup.ts'
import { openDatabase } from './db/database.ts'
import { withProcessLock } from './db/lock.ts'
import { migrateDatabase } from './db/migrate.ts'
import { describeDatabaseError, ensureDataDir } from './preflight.ts'
import { deriveKeys, loadKeys } from './providers/keys.ts'
import { dumpPostgresIfPossible } from './providers/pg-dump.ts'
import { openSharedBackends } from './providers/shared-backends.ts'
import { createBrowseService } from './services/catalogue/browse.ts'
import type { Deps } from './services/deps.ts'
import { openStreamSources } from './services/playback/stream-sources.ts'
import { createRecommender } from './services/recommendations/recommender.ts'
import { openSearchIndex } from './services/search/search-index.ts'

/**
 * Opens the database, migrates it and creates all dependencies. `stop` makes the readiness check fail.
 * Throws `SettingError` when the data folder or the database cannot be used.
 */
export async function createDeps(config: Config): Promise<{ deps: Deps; stop: () => void }> {
  ensureDataDir(config.dataDir)
  let isStopping = false
  const log = createLog(config.logLevel)
  const database = openDatabase({
    dataDir: config.dataDir,
    url: config.databaseUrl,
    replicaUrl: config.databaseReplicaUrl,
    onError: (error) => log.warn('database connection lost', toErrorFields(error)),
  })
  const { databaseUrl, dataDir } = config
  const backUpBeforeMigration = async () => {
    const file = join(dataDir, BACKUP_FOLDER, `${createBackupName(Date.now(), 'migration')}.dump`)
    if (databaseUrl) await dumpPostgresIfPossible(databaseUrl, file)
  }
  try {
    await withProcessLock(database, 'start', () => migrateDatabase(database, backUpBeforeMigration))
  } catch (error) {
    throw describeDatabaseError(error, databaseUrl)
  }
  const sharedBackends = openSharedBackends(config.redisUrl, (error) =>
    log.warn('event bus', toErrorFields(error)),
  )
  const deps: Deps = {
    config,
    database,
    keys: config.keysSecret ? deriveKeys(config.keysSecret) : loadKeys(config.dataDir),
    searchIndex: await openSearchIndex(database),
    browseIndex: createBrowseService(database, { hasDemoClips: config.demo }),
    recommender: createRecommender(database, { dataDir: config.dataDir, url: config.databaseUrl }),
    streamSources: await openStreamSources(config, log),
    bus: sharedBackends.bus,
    cache: sharedBackends.cache,
    quota: sharedBackends.quota,
    log,
    now: Date.now,
    isStopping: () => isStopping,
  }
  return {
    deps,
    stop: () => {
      isStopping = true
    },
  }
}
