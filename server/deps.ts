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

/** What every handler and service is given; made once in main.ts, or by a test. */
export interface Deps {
  config: Config
  database: Database
  keys: Keys
  searchIndex: SearchIndex
  browse: Browse
  recommender: Recommender
  streams: StreamSources
  /** News to open tabs and to the other processes. */
  bus: Bus
  /** Answers that are the same for many; shared by the processes where there is Redis. */
  cache: Cache
  quota: Quota
  log: Log
  /** Milliseconds since 1970; tests move it. */
  now: () => number
  /** True once the process was told to stop: readiness says no, running requests finish. */
  stopping: () => boolean
}
