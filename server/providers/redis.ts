/**
 * Redis, which may be away at any moment: a question to it has a short time, and while it is away nobody asks.
 * Nothing that anybody's rights rest on is kept there (docs/decisions/0014-redis.md).
 */
import { createClient } from '@redis/client'

/** A question that takes longer is not worth the answer. */
const ANSWER_MS = 150
/** After a question without answer, nobody asks for so long. */
const REST_MS = 500
const LONGEST_RECONNECT_MS = 1_000

type Client = ReturnType<typeof newClient>

export interface Redis {
  /** What every key and channel starts with: two installations may share one server by its database numbers. */
  prefix: string
  /** Undefined when Redis is away, slow or full. Never throws. */
  ask<T>(work: (client: Client) => Promise<T>): Promise<T | undefined>
  /** Calls `listener` when Redis answers again after it did not. */
  onReturn(listener: () => void): void
  /** A connection of its own for subscriptions, which connects again by itself. */
  subscriber(): Client
  close(): Promise<void>
}

function newClient(url: string, offlineQueue: boolean) {
  return createClient({
    url,
    disableOfflineQueue: !offlineQueue,
    pingInterval: 5_000,
    socket: {
      connectTimeout: 2_000,
      reconnectStrategy: (tries) => Math.min(50 * 2 ** Math.min(tries, 6), LONGEST_RECONNECT_MS),
    },
  })
}

/** Never waits for Redis: a process starts without it as well. `onError` hears what goes wrong, once per kind and minute. */
export function openRedis(url: string, onError: (error: unknown) => void = () => {}): Redis {
  const tell = seldom(onError)
  const connect = (client: Client) => {
    client.on('error', tell)
    client.connect().catch(tell)
    // Commands and tests end although it is connected; a server is kept alive by its port.
    client.unref()
    return client
  }
  const client = connect(newClient(url, false))
  const opened: Client[] = [client]
  const listeners: (() => void)[] = []
  let restUntil = 0
  let lost = false
  const rest = () => {
    lost = true
    restUntil = performance.now() + REST_MS
  }
  client.on('error', rest)
  const database = URL.parse(url)?.pathname.slice(1) || '0'
  return {
    prefix: `marquee:${database}:`,
    async ask(work) {
      if (!client.isReady || performance.now() < restUntil) return undefined
      try {
        const answer = await within(ANSWER_MS, work(client))
        if (lost) {
          lost = false
          for (const listener of listeners) listener()
        }
        return answer
      } catch (error) {
        rest()
        tell(error)
        return undefined
      }
    },
    onReturn: (listener) => {
      listeners.push(listener)
    },
    subscriber: () => {
      const one = connect(newClient(url, true))
      opened.push(one)
      return one
    },
    async close() {
      for (const one of opened) if (one.isOpen) one.destroy()
    },
  }
}

/** Late is what has not come when the loop has looked at its sockets once more: a process that was busy itself is not Redis' fault. */
async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => setImmediate(() => reject(new Error('Redis did not answer in time'))), ms)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

function seldom(tell: (error: unknown) => void): (error: unknown) => void {
  const told = new Map<string, number>()
  return (error) => {
    const kind =
      error instanceof Error ? `${error.name} ${(error as NodeJS.ErrnoException).code ?? ''}` : 'other'
    const now = performance.now()
    if (now - (told.get(kind) ?? Number.NEGATIVE_INFINITY) < 60_000) return
    told.set(kind, now)
    tell(error)
  }
}
