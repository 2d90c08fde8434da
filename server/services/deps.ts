import type { Config } from '../core/config.ts'
import type { Log } from '../core/log.ts'
import type { Database } from '../db/database.ts'
import type { StringCache } from '../providers/cache.ts'
import type { EventBus } from '../providers/event-bus.ts'
import type { InstallationKeys } from '../providers/keys.ts'
import type { Quota } from '../providers/quota.ts'
import type { BrowseService } from './catalogue/browse.ts'
import type { SearchRecorder } from './family/search-recorder.ts'
import type { StreamSources } from './playback/stream-sources.ts'
import type { Recommender } from './recommendations/recommender.ts'
import type { SearchIndex } from './search/search-index.ts'

/**
 * Dependencies of every handler and service. create-deps.ts creates them once per process. Tests create their
 * own.
 */
export interface Deps {
  config: Config
  database: Database
  keys: InstallationKeys
  searchIndex: SearchIndex
  browseIndex: BrowseService
  recommender: Recommender
  streamSources: StreamSources
  /** Records the searches of kids profiles. */
  searchRecorder: SearchRecorder
  /** Publishes events to open tabs and to the other server processes. */
  bus: EventBus
  /**
   * Cached responses that are the same for many callers. All processes share the cache when Redis is
   * configured.
   */
  cache: StringCache
  quota: Quota
  log: Log
  /** Current time in milliseconds since 1970. Tests replace it. */
  now: () => number
  /**
   * Milliseconds since a fixed moment of this process, for durations inside the process. Unlike `now`, it never goes
   * back, so that no pause and no cached value lasts longer when the clock of the machine is set back.
   */
  monotonicNow: () => number
  /** True after a stop signal: the readiness check fails, and running requests finish. */
  isStopping: () => boolean
}
