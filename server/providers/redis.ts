/**
 * A Redis connection that may fail at any moment: commands have a short timeout, and after a failure no command is sent
 * for a while. No data that permissions depend on is stored in Redis (docs/decisions/0013-redis.md).
 */
import { createClient } from '@redis/client'

/**
 * Timeout of a command. It is short, because computing a value again is faster than a longer wait for the cached value.
 */
const COMMAND_TIMEOUT_MS = 150
/** Pause after a failed command. */
const FAILURE_PAUSE_MS = 500
const MAX_RECONNECT_DELAY_MS = 1_000
/**
 * Matches the error replies with which a Redis server rejects single commands. The server stores nothing at the moment,
 * because of its memory, its disk or its replicas; or its access list denies some keys or channels; or a key has
 * another type. The server still executes other commands, so commands are not paused after such a reply.
 */
const REJECTED_COMMAND_PATTERN = /^(OOM|READONLY|NOREPLICAS|MISCONF|NOPERM|WRONGTYPE) /

type RedisClient = ReturnType<typeof createRedisClient>

export interface RedisConnection {
  /**
   * Prefix of every key and channel. It contains the database number, because channels are not separated by database.
   */
  prefix: string
  /**
   * Runs commands and returns their result. Returns undefined if Redis is unavailable or slow, or rejects a command,
   * for example because it is out of memory. Never throws.
   */
  tryCommand<T>(runCommand: (client: RedisClient) => Promise<T>): Promise<T | undefined>
  /** Calls `listener` when commands succeed again after a failure. */
  onRecovered(listener: () => void): void
  /** Opens a separate connection for subscriptions. The connection reconnects automatically. */
  createSubscriber(): RedisClient
  close(): Promise<void>
}

/**
 * Client that is never connected. All other clients are its duplicates and share its class. Each call of `createClient`
 * with other options would create a class with all Redis commands, which takes about 40 ms.
 */
let templateClient: ReturnType<typeof createClient> | undefined

/**
 * Creates a client that is not connected yet. With `hasOfflineQueue`, commands wait while the client is not connected;
 * otherwise they fail.
 */
export function createRedisClient(url: string, hasOfflineQueue: boolean) {
  templateClient ??= createClient()
  return templateClient.duplicate({
    url,
    disableOfflineQueue: !hasOfflineQueue,
    pingInterval: 5_000,
    socket: {
      connectTimeout: 2_000,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 6), MAX_RECONNECT_DELAY_MS),
    },
  })
}

/**
 * Connects in the background, so that a process starts even if Redis is down. `onError` is called at most
 * once per minute for each kind of error.
 */
export function connectRedis(url: string, onError: (error: unknown) => void = () => {}): RedisConnection {
  const reportError = throttleErrorsByKind(onError)
  const connectClient = (client: RedisClient) => {
    client.on('error', reportError)
    client.connect().catch(reportError)
    // The connection must not keep command line tools and tests alive.
    client.unref()
    return client
  }
  const client = connectClient(createRedisClient(url, false))
  const clients: RedisClient[] = [client]
  const recoveryListeners: (() => void)[] = []
  let pausedUntilMs = 0
  let isFailing = false
  const pauseCommands = () => {
    isFailing = true
    pausedUntilMs = performance.now() + FAILURE_PAUSE_MS
  }
  client.on('error', pauseCommands)
  const database = URL.parse(url)?.pathname.slice(1) || '0'
  return {
    prefix: `marquee:${database}:`,
    async tryCommand(runCommand) {
      if (!client.isReady || performance.now() < pausedUntilMs) return undefined
      try {
        const commandResult = await withTimeout(COMMAND_TIMEOUT_MS, runCommand(client))
        if (isFailing) {
          isFailing = false
          for (const listener of recoveryListeners) listener()
        }
        return commandResult
      } catch (error) {
        if (!REJECTED_COMMAND_PATTERN.test((error as Error).message)) pauseCommands()
        reportError(error)
        return undefined
      }
    },
    onRecovered: (listener) => {
      recoveryListeners.push(listener)
    },
    createSubscriber: () => {
      const subscriber = connectClient(createRedisClient(url, true))
      clients.push(subscriber)
      return subscriber
    },
    async close() {
      for (const redisClient of clients) if (redisClient.isOpen) redisClient.destroy()
    },
  }
}

/**
 * Returns the reply, or rejects after `timeoutMs`. The rejection waits for one more turn of the event loop: a reply
 * that arrived while this process was busy is then still read.
 */
async function withTimeout<T>(timeoutMs: number, replyPromise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeoutPromise = new Promise<never>((_, reject) => {
    timer = setTimeout(() => setImmediate(() => reject(new Error('Redis command timed out'))), timeoutMs)
  })
  try {
    return await Promise.race([replyPromise, timeoutPromise])
  } finally {
    clearTimeout(timer)
  }
}

function throttleErrorsByKind(reportError: (error: unknown) => void): (error: unknown) => void {
  const reportedAtMsByKind = new Map<string, number>()
  return (error) => {
    const errorKind =
      error instanceof Error ? `${error.name} ${(error as NodeJS.ErrnoException).code ?? ''}` : 'other'
    const nowMs = performance.now()
    if (nowMs - (reportedAtMsByKind.get(errorKind) ?? Number.NEGATIVE_INFINITY) < 60_000) return
    reportedAtMsByKind.set(errorKind, nowMs)
    reportError(error)
  }
}
