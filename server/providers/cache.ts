/** Answers worth keeping. Keys carry the version of what they were made from, so that nothing ever has to be taken out. */
import type { Redis } from './redis.ts'

export interface Cache {
  get(key: string): Promise<string | undefined>
  /** Kept for `ttlMs` at most; may be forgotten earlier, or at once. */
  put(key: string, value: string, ttlMs: number): void
  /** Forgets everything here and, with Redis, there. False when Redis is set up but away. */
  clear(): Promise<boolean>
}

/** In UTF-16 units, so some 32 MB in the worst case. */
const LOCAL_SIZE = 16 * 1024 * 1024

/** Least recently used go first. */
export class LocalCache implements Cache {
  readonly #kept = new Map<string, { value: string; until: number }>()
  readonly #most: number
  #size = 0

  constructor(most = LOCAL_SIZE) {
    this.#most = most
  }

  async get(key: string): Promise<string | undefined> {
    const found = this.#kept.get(key)
    if (!found) return undefined
    this.#drop(key)
    if (found.until <= performance.now()) return undefined
    this.#keep(key, found)
    return found.value
  }

  put(key: string, value: string, ttlMs: number): void {
    this.#drop(key)
    if (value.length + key.length > this.#most / 8) return
    this.#keep(key, { value, until: performance.now() + ttlMs })
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= this.#most) break
      this.#drop(oldest)
    }
  }

  async clear(): Promise<boolean> {
    this.#kept.clear()
    this.#size = 0
    return true
  }

  #keep(key: string, entry: { value: string; until: number }): void {
    this.#kept.set(key, entry)
    this.#size += key.length + entry.value.length
  }

  #drop(key: string): void {
    const found = this.#kept.get(key)
    if (!found) return
    this.#kept.delete(key)
    this.#size -= key.length + found.value.length
  }
}

/** The process's own memory first, then what any process put into Redis. */
export function redisCache(redis: Redis, local: Cache = new LocalCache()): Cache {
  const keyOf = (key: string) => `${redis.prefix}cache:${key}`
  return {
    async get(key) {
      const own = await local.get(key)
      if (own !== undefined) return own
      const [value, left] =
        (await redis.ask((client) => Promise.all([client.get(keyOf(key)), client.pTTL(keyOf(key))]))) ?? []
      if (typeof value !== 'string') return undefined
      if (left !== undefined && left > 0) local.put(key, value, left)
      return value
    },
    put(key, value, ttlMs) {
      local.put(key, value, ttlMs)
      void redis.ask((client) => client.set(keyOf(key), value, { PX: ttlMs }))
    },
    async clear() {
      await local.clear()
      for (let cursor = '0'; ; ) {
        const from = cursor
        const page = await redis.ask(async (client) => {
          const found = await client.scan(from, { MATCH: keyOf('*'), COUNT: 500 })
          if (found.keys.length > 0) await client.unlink(found.keys)
          return found
        })
        if (!page) return false
        cursor = page.cursor
        if (cursor === '0') return true
      }
    },
  }
}
