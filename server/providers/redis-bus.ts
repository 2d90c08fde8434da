/** The bus of several processes: what is published here is heard there, by Redis' publish and subscribe. */
import { randomUUID } from 'node:crypto'
import type { Bus, Listener, LocalBus, Message, Topic } from './bus.ts'
import type { Redis } from './redis.ts'

/** On it a process says that it may have kept news from the others while Redis was away. */
const GAP = 'gap'

interface Envelope {
  /** The process that sent it, which has told its own listeners already. */
  from: string
  message: Message
}

export function redisBus(redis: Redis, local: LocalBus): Bus {
  const me = randomUUID()
  const subscriber = redis.subscriber()
  const channelOf = (topic: string) => `${redis.prefix}bus:${topic}`
  const listening = new Set<string>()
  let wasReady = false

  const send = (channel: string, message: Message) =>
    redis.ask((client) =>
      client.publish(channelOf(channel), JSON.stringify({ from: me, message } satisfies Envelope)),
    )
  const receive = (tell: (message: Message) => void) => (text: string) => {
    const envelope = read(text)
    if (envelope && envelope.from !== me) tell(envelope.message)
  }
  const listen = (channel: string, tell: (message: Message) => void) => {
    if (listening.has(channel)) return
    listening.add(channel)
    subscriber.subscribe(channelOf(channel), receive(tell)).catch(() => listening.delete(channel))
  }
  const leave = (channel: string) => {
    if (!listening.delete(channel)) return
    subscriber.unsubscribe(channelOf(channel)).catch(() => {})
  }

  listen(GAP, () => local.gap())
  subscriber.on('ready', () => {
    if (wasReady) local.gap()
    wasReady = true
  })
  redis.onReturn(() => {
    local.gap()
    void send(GAP, {})
  })
  return {
    publish(topic, message) {
      local.publish(topic, message)
      void send(topic, message)
    },
    subscribe(topic: Topic, listener: Listener) {
      const end = local.subscribe(topic, listener)
      listen(topic, (message) => local.publish(topic, message))
      return () => {
        end()
        if (!local.hears(topic)) leave(topic)
      }
    },
    onGap: (listener) => local.onGap(listener),
    async close() {
      await local.close()
    },
  }
}

function read(text: string): Envelope | null {
  try {
    const value = JSON.parse(text) as Partial<Envelope> | null
    return value && typeof value.from === 'string' && value.message && typeof value.message === 'object'
      ? (value as Envelope)
      : null
  } catch {
    return null
  }
}
