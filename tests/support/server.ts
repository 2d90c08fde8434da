/** The whole server in one process, over an empty in-memory database: tests speak to it as a browser would. */
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/core/config.ts'
import { createLog } from '../../server/core/log.ts'
import type { Database } from '../../server/db/database.ts'
import { migrateDatabase } from '../../server/db/migrate.ts'
import { createKeys, type InstallationKeys } from '../../server/providers/keys.ts'
import { openSharedBackends } from '../../server/providers/shared-backends.ts'
import { insertAccount } from '../../server/queries/account.ts'
import { buildAccount } from '../../server/services/accounts/accounts.ts'
import { createBrowseService } from '../../server/services/catalogue/browse.ts'
import type { Deps } from '../../server/services/deps.ts'
import { openStreamSources } from '../../server/services/playback/stream-sources.ts'
import { createRecommender } from '../../server/services/recommendations/recommender.ts'
import { openSearchIndex } from '../../server/services/search/search-index.ts'
import { openEmpty, redisUrl } from './databases.ts'

export { DATABASES } from './databases.ts'

export interface TestServer {
  deps: Deps
  database: Database
  /** Lines the server logged. */
  log: string[]
  /** Moves the server's clock on, in ms. */
  advance: (ms: number) => void
  request: (path: string, init?: RequestInit) => Promise<Response>
  close: () => Promise<void>
}

interface Options {
  env?: Record<string, string>
  database?: Database
  /** Those of another server, for a second process of the same installation. */
  keys?: InstallationKeys
}

export async function startServer({ env = {}, database: given, keys }: Options = {}): Promise<TestServer> {
  const database = given ?? (await openEmpty())
  await migrateDatabase(database)
  const log: string[] = []
  let offset = 0
  const config = readConfig({ DATA_DIR: 'data/local/test', DEMO: '0', ...env })
  const logger = createLog('info', (line) => log.push(line))
  const shared = openSharedBackends(await redisUrl(), (error) => log.push(String(error)))
  const deps: Deps = {
    config,
    database,
    keys: keys ?? createKeys(),
    searchIndex: await openSearchIndex(database),
    browseIndex: createBrowseService(database),
    recommender: createRecommender(database, null),
    streamSources: await openStreamSources(config, logger),
    bus: shared.bus,
    cache: shared.cache,
    quota: shared.quota,
    log: logger,
    now: () => Date.now() + offset,
    isStopping: () => false,
  }
  const app = createApp(deps)
  return {
    deps,
    database,
    log,
    advance: (ms) => {
      offset += ms
    },
    request: async (path, init) => app.request(path, init),
    close: async () => {
      await shared.close()
      await database.close()
    },
  }
}

export const PASSWORD = 'Lumiere1895'

/** An account straight in the database, for tests that are not about registering. */
export async function addAccount(server: TestServer, email: string, role: 'admin' | 'user' = 'user') {
  const account = await buildAccount(server.deps, { email, password: PASSWORD, role })
  await insertAccount(server.database.primary, account)
  return account
}
