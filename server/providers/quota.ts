/**
 * Limits the number of expensive requests per fixed time window. The requests of all processes are counted together if
 * Redis is used. The limit protects capacity and is not a security measure: wrong passwords and PINs are counted in the
 * database, independent of Redis (services/auth/attempt-limit.ts, services/profiles/pin.ts).
 */
import { FixedWindowCounter } from '../core/fixed-window-counter.ts'
import type { RedisConnection } from './redis.ts'

export interface Quota {
  /** Counts one request. Returns 0 if the request is within the limit, otherwise the milliseconds to wait. */
  consume(bucket: string, maxCount: number, windowMs: number): Promise<number>
}

/** Creates a quota that counts in this process only. */
export function createLocalQuota(now: () => number = () => performance.now()): Quota {
  const counter = new FixedWindowCounter()
  return {
    async consume(bucket, maxCount, windowMs) {
      return counter.consume(bucket, { limit: maxCount, windowMs, nowMs: now() })
    },
  }
}

/** Creates a quota that counts over all processes, or only in this process while Redis is unavailable. */
export function createRedisQuota(redis: RedisConnection, localQuota: Quota = createLocalQuota()): Quota {
  return {
    async consume(bucket, maxCount, windowMs) {
      const redisKey = `${redis.prefix}quota:${bucket}`
      const commandResult = await redis.tryCommand(async (client) => {
        const [count, , remainingMs] = await client
          .multi()
          .incr(redisKey)
          .pExpire(redisKey, windowMs, 'NX')
          .pTTL(redisKey)
          .exec()
        return { count: Number(count), remainingMs: Number(remainingMs) }
      })
      if (!commandResult) return localQuota.consume(bucket, maxCount, windowMs)
      return commandResult.count > maxCount ? Math.max(commandResult.remainingMs, 1) : 0
    },
  }
}
