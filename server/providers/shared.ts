/** Backends that the processes of one installation share: event bus, cache and quota. */
import cluster from 'node:cluster'
import { type Bus, LocalBus } from './bus.ts'
import { type Cache, LocalCache, redisCache } from './cache.ts'
import { clusterBus } from './cluster-bus.ts'
import { localQuota, type Quota, redisQuota } from './quota.ts'
import { openRedis, type Redis } from './redis.ts'
import { redisBus } from './redis-bus.ts'

export interface Shared {
  bus: Bus
  cache: Cache
  quota: Quota
  /** Null if cache and quota are per process. */
  redis: Redis | null
  close(): Promise<void>
}

/**
 * With Redis, all backends span all machines. Without it, the event bus spans the processes of this machine, and cache
 * and quota are per process.
 */
export function openShared(redisUrl: string | undefined, onError: (error: unknown) => void): Shared {
  const local = new LocalBus(onError)
  if (!redisUrl) {
    const bus = cluster.isWorker ? clusterBus(local) : local
    return { bus, cache: new LocalCache(), quota: localQuota(), redis: null, close: () => bus.close() }
  }
  const redis = openRedis(redisUrl, onError)
  const bus = redisBus(redis, local)
  const close = async () => {
    await bus.close()
    await redis.close()
  }
  return { bus: { ...bus, close }, cache: redisCache(redis), quota: redisQuota(redis), redis, close }
}
