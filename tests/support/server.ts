/** Starts the whole server in this process, with an empty database. Tests send HTTP requests to it without a socket. */
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/core/config.ts'
import { createLog } from '../../server/core/log.ts'
import type { Database, DatabaseLocation } from '../../server/db/database.ts'
import { createKeys, type InstallationKeys } from '../../server/providers/keys.ts'
import { openSharedBackends } from '../../server/providers/shared-backends.ts'
import { insertAccount } from '../../server/queries/account.ts'
import { buildAccount } from '../../server/services/accounts/accounts.ts'
import { createBrowseService } from '../../server/services/catalogue/browse.ts'
import type { Deps } from '../../server/services/deps.ts'
import { SearchRecorder } from '../../server/services/family/search-recorder.ts'
import { closeConversions } from '../../server/services/playback/conversion/conversions.ts'
import { openStreamSources } from '../../server/services/playback/stream-sources.ts'
import { createRecommender } from '../../server/services/recommendations/recommender.ts'
import { openSearchIndex } from '../../server/services/search/search-index.ts'
import { createRedisDatabase, ensureMigrated, openEmptyDatabase } from './databases.ts'
import { assertDocumentedResponse } from './documented-responses.ts'

export { DATABASES } from './databases.ts'

export interface TestServer {
  deps: Deps
  database: Database
  /** Lines that the server logged. */
  logLines: string[]
  /**
   * Moves the wall clock and the monotonic clock of the server by `durationMs`. A negative duration moves only the wall
   * clock.
   */
  advanceClock: (durationMs: number) => void
  /** Sends a request to the server. Throws an error if the API reference does not contain the response. */
  request: (path: string, init?: RequestInit) => Promise<Response>
  close: () => Promise<void>
}

interface TestServerOptions {
  env?: Record<string, string>
  database?: Database
  /** Keys of another server, to simulate a second process of the same installation. */
  keys?: InstallationKeys
  /**
   * Location of the database, for the processes that rebuild the search index and train the model. Without it, the
   * rebuild and the training run in this process.
   */
  location?: DatabaseLocation
}

export async function startTestServer({
  env = {},
  database: givenDatabase,
  keys,
  location,
}: TestServerOptions = {}): Promise<TestServer> {
  const database = givenDatabase ?? (await openEmptyDatabase())
  if (givenDatabase) await ensureMigrated(database)
  const logLines: string[] = []
  let clockOffsetMs = 0
  let monotonicOffsetMs = 0
  const config = readConfig({ DATA_DIR: 'data/local/test', DEMO: '0', PASSWORD_HASH_COST: 'test', ...env })
  const logger = createLog('info', (line) => logLines.push(line))
  const sharedBackends = await openSharedBackends(await createRedisDatabase(), (error) =>
    logLines.push(String(error)),
  )
  const deps: Deps = {
    config,
    database,
    keys: keys ?? createKeys(),
    searchIndex: await openSearchIndex(database, location ?? null),
    browseIndex: createBrowseService(database, { hasDemoClips: config.isDemoEnabled }),
    recommender: createRecommender(database, location ?? null),
    streamSources: await openStreamSources(config, logger, database),
    searchRecorder: new SearchRecorder(database, logger),
    bus: sharedBackends.bus,
    cache: sharedBackends.cache,
    quota: sharedBackends.quota,
    log: logger,
    now: () => Date.now() + clockOffsetMs,
    monotonicNow: () => performance.now() + monotonicOffsetMs,
    isStopping: () => false,
  }
  const app = createApp(deps)
  return {
    deps,
    database,
    logLines,
    advanceClock: (durationMs) => {
      clockOffsetMs += durationMs
      monotonicOffsetMs += Math.max(0, durationMs)
    },
    request: async (path, init) => {
      const response = await app.request(path, init)
      assertDocumentedResponse(path, init?.method ?? 'GET', response)
      return response
    },
    close: async () => {
      await closeConversions(deps)
      await deps.searchIndex.stop()
      await deps.searchRecorder.write()
      await sharedBackends.close()
      await database.close()
    },
  }
}

export const TEST_PASSWORD = 'Lumiere1895'

/** Inserts an account directly into the database, for tests that do not test registration. */
export async function insertTestAccount(server: TestServer, email: string, role: 'admin' | 'user' = 'user') {
  const account = await buildAccount(server.deps, { email, password: TEST_PASSWORD, role })
  await insertAccount(server.database.primary, account)
  return account
}
