/**
 * Cache of strings. A key contains the version of the data from which its value was computed, so that entries never
 * need invalidation.
 */
import type { RedisConnection } from './redis.ts'

export interface StringCache {
  get(key: string): Promise<string | undefined>
  /** Stores a value for at most `ttlMs`. The cache may evict the value earlier, or not store it at all. */
  set(key: string, value: string, ttlMs: number): void
  /** Deletes all entries, including those in Redis. Returns false if Redis is configured but unavailable. */
  clear(): Promise<boolean>
}

/** Maximum total length of keys and values in UTF-16 code units. It corresponds to about 32 MB in the worst case. */
const DEFAULT_MAX_TOTAL_LENGTH = 16 * 1024 * 1024

/** In-memory cache of one process. Evicts the least recently used entries. */
export class MemoryCache implements StringCache {
  readonly #entries = new Map<string, { value: string; expiresAtMs: number }>()
  readonly #maxLength: number
  #totalLength = 0

  constructor(maxLength = DEFAULT_MAX_TOTAL_LENGTH) {
    this.#maxLength = maxLength
  }

  async get(key: string): Promise<string | undefined> {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    this.#evict(key)
    if (entry.expiresAtMs <= performance.now()) return undefined
    this.#insert(key, entry)
    return entry.value
  }

  set(key: string, value: string, ttlMs: number): void {
    this.#evict(key)
    if (value.length + key.length > this.#maxLength / 8) return
    this.#insert(key, { value, expiresAtMs: performance.now() + ttlMs })
    for (const oldestKey of this.#entries.keys()) {
      if (this.#totalLength <= this.#maxLength) break
      this.#evict(oldestKey)
    }
  }

  async clear(): Promise<boolean> {
    this.#entries.clear()
    this.#totalLength = 0
    return true
  }

  #insert(key: string, entry: { value: string; expiresAtMs: number }): void {
    this.#entries.set(key, entry)
    this.#totalLength += key.length + entry.value.length
  }

  #evict(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    this.#totalLength -= key.length + entry.value.length
  }
}

/** Creates a cache that looks in the memory of this process first, then in Redis, which all processes share. */
export function createRedisCache(
  redis: RedisConnection,
  localCache: StringCache = new MemoryCache(),
): StringCache {
  const createRedisKey = (key: string) => `${redis.prefix}cache:${key}`
  return {
    async get(key) {
      const localValue = await localCache.get(key)
      if (localValue !== undefined) return localValue
      const [value, remainingMs] =
        (await redis.tryCommand((client) =>
          Promise.all([client.get(createRedisKey(key)), client.pTTL(createRedisKey(key))]),
        )) ?? []
      if (typeof value !== 'string') return undefined
      if (remainingMs !== undefined && remainingMs > 0) localCache.set(key, value, remainingMs)
      return value
    },
    set(key, value, ttlMs) {
      localCache.set(key, value, ttlMs)
      void redis.tryCommand((client) => client.set(createRedisKey(key), value, { PX: ttlMs }))
    },
    async clear() {
      await localCache.clear()
      for (let cursor = '0'; ; ) {
        const batchCursor = cursor
        const scannedBatch = await redis.tryCommand(async (client) => {
          const batch = await client.scan(batchCursor, { MATCH: createRedisKey('*'), COUNT: 500 })
          if (batch.keys.length > 0) await client.unlink(batch.keys)
          return batch
        })
        if (!scannedBatch) return false
        cursor = scannedBatch.cursor
        if (cursor === '0') return true
      }
    },
  }
}
