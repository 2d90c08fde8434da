/** The whole server in one process, over an empty in-memory database: tests speak to it as a browser would. */
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { migrate } from '../../server/db/migrate.ts'
import type { Database } from '../../server/db/open.ts'
import type { Deps } from '../../server/deps.ts'
import { createLog } from '../../server/http/log.ts'
import { createKeys, type Keys } from '../../server/providers/keys.ts'
import { openShared } from '../../server/providers/shared.ts'
import { insertAccount } from '../../server/queries/account.ts'
import { newAccount } from '../../server/services/accounts.ts'
import { createBrowse } from '../../server/services/browse-index.ts'
import { createRecommender } from '../../server/services/recommender.ts'
import { openSearchIndex } from '../../server/services/search-index.ts'
import { openStreamSources } from '../../server/services/stream-sources.ts'
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
  keys?: Keys
}

export async function startServer({ env = {}, database: given, keys }: Options = {}): Promise<TestServer> {
  const database = given ?? (await openEmpty())
  await migrate(database)
  const log: string[] = []
  let offset = 0
  const config = readConfig({ DATA_DIR: 'data/local/test', DEMO: '0', ...env })
  const logger = createLog('info', (line) => log.push(line))
  const shared = openShared(await redisUrl(), (error) => log.push(String(error)))
  const deps: Deps = {
    config,
    database,
    keys: keys ?? createKeys(),
    searchIndex: await openSearchIndex(database),
    browse: createBrowse(database),
    recommender: createRecommender(database, null),
    streams: await openStreamSources(config, logger),
    bus: shared.bus,
    cache: shared.cache,
    quota: shared.quota,
    log: logger,
    now: () => Date.now() + offset,
    stopping: () => false,
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
  const account = await newAccount(server.deps, { email, password: PASSWORD, role })
  await insertAccount(server.database.primary, account)
  return account
}
