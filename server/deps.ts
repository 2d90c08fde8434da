import type { Config } from './config.ts'
import type { Database } from './db/open.ts'
import type { Log } from './http/log.ts'
import type { Bus } from './providers/bus.ts'
import type { Cache } from './providers/cache.ts'
import type { Keys } from './providers/keys.ts'
import type { Quota } from './providers/quota.ts'
import type { Browse } from './services/browse-index.ts'
import type { Recommender } from './services/recommender.ts'
import type { SearchIndex } from './services/search-index.ts'
import type { StreamSources } from './services/stream-sources.ts'

/** Dependencies of every handler and service. main.ts creates them once; tests create their own. */
export interface Deps {
  config: Config
  database: Database
  keys: Keys
  searchIndex: SearchIndex
  browse: Browse
  recommender: Recommender
  streams: StreamSources
  /** Publishes events to open tabs and to the other server processes. */
  bus: Bus
  /** Cached responses that are the same for many callers. All processes share it when Redis is configured. */
  cache: Cache
  quota: Quota
  log: Log
  /** Current time in milliseconds since 1970. Tests replace it. */
  now: () => number
  /** True after a stop signal: the readiness check fails, and running requests finish. */
  stopping: () => boolean
}
