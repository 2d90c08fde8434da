/** Backends that the processes of one installation share: event bus, cache and quota. */
import cluster from 'node:cluster'
import { createRedisCache, MemoryCache, type StringCache } from './cache.ts'
import { createClusterEventBus } from './cluster-event-bus.ts'
import { type EventBus, LocalEventBus } from './event-bus.ts'
import { createLocalQuota, createRedisQuota, type Quota } from './quota.ts'
import type { RedisConnection } from './redis.ts'
import { createRedisEventBus } from './redis-event-bus.ts'

export interface SharedBackends {
  bus: EventBus
  cache: StringCache
  quota: Quota
  /** Null without Redis. Each process then has its own cache and quota. */
  redis: RedisConnection | null
  close(): Promise<void>
}

/**
 * Opens the backends. With Redis, the processes of all machines share event bus, cache and quota. Without Redis, the
 * processes of this machine share the event bus, and each process has its own cache and quota. `workerCount` is the
 * number of processes on this machine.
 */
export async function openSharedBackends(
  redisUrl: string | undefined,
  onError: (error: unknown) => void,
  workerCount = 1,
): Promise<SharedBackends> {
  const localBus = new LocalEventBus(onError)
  if (!redisUrl) {
    const bus = cluster.isWorker ? createClusterEventBus(localBus, workerCount) : localBus
    return { bus, cache: new MemoryCache(), quota: createLocalQuota(), redis: null, close: () => bus.close() }
  }
  // The Redis client has 471 modules. A server without Redis does not load them.
  const { connectRedis } = await import('./redis.ts')
  const redis = connectRedis(redisUrl, onError)
  const bus = createRedisEventBus(redis, localBus)
  const close = async () => {
    await bus.close()
    await redis.close()
  }
  return {
    bus: { ...bus, close },
    cache: createRedisCache(redis),
    quota: createRedisQuota(redis),
    redis,
    close,
  }
}
