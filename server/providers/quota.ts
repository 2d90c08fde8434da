/**
 * How often something costly may be asked, counted in a fixed window over all processes. A courtesy to the machine, never a
 * guard: failures of passwords and PINs are counted in the database (services/limiter.ts, services/pin.ts), whatever Redis does.
 */
import type { Redis } from './redis.ts'

export interface Quota {
  /** Counts one; how long to wait in ms when that is one too many, otherwise 0. */
  take(bucket: string, most: number, windowMs: number): Promise<number>
}

const BUCKETS_KEPT = 10_000

/** Of this process alone. */
export function localQuota(now: () => number = () => performance.now()): Quota {
  const windows = new Map<string, { count: number; ends: number }>()
  return {
    async take(bucket, most, windowMs) {
      const at = now()
      const found = windows.get(bucket)
      const window = found && found.ends > at ? found : { count: 0, ends: at + windowMs }
      window.count += 1
      windows.delete(bucket)
      windows.set(bucket, window)
      if (windows.size > BUCKETS_KEPT) windows.delete(windows.keys().next().value ?? '')
      return window.count > most ? window.ends - at : 0
    },
  }
}

/** Of all processes; this one's own count while Redis is away. */
export function redisQuota(redis: Redis, local: Quota = localQuota()): Quota {
  return {
    async take(bucket, most, windowMs) {
      const key = `${redis.prefix}quota:${bucket}`
      const answer = await redis.ask(async (client) => {
        const [count, , left] = await client.multi().incr(key).pExpire(key, windowMs, 'NX').pTTL(key).exec()
        return { count: Number(count), left: Number(left) }
      })
      if (!answer) return local.take(bucket, most, windowMs)
      return answer.count > most ? Math.max(answer.left, 1) : 0
    },
  }
}
