/** Event bus between several processes, based on Redis publish and subscribe. */
import { randomUUID } from 'node:crypto'
import type { Bus, Listener, LocalBus, Message, Topic } from './bus.ts'
import type { Redis } from './redis.ts'

/** Channel on which a process reports that its events may not have reached the others while Redis was unavailable. */
const GAP_CHANNEL = 'gap'

interface Envelope {
  /** Id of the sending process, which has already called its own listeners. */
  from: string
  message: Message
}

export function redisBus(redis: Redis, local: LocalBus): Bus {
  const processId = randomUUID()
  const subscriber = redis.subscriber()
  const channelOf = (topic: string) => `${redis.prefix}bus:${topic}`
  const subscribedChannels = new Set<string>()
  let wasReady = false

  const send = (channel: string, message: Message) =>
    redis.ask((client) =>
      client.publish(channelOf(channel), JSON.stringify({ from: processId, message } satisfies Envelope)),
    )
  const createReceiver = (onMessage: (message: Message) => void) => (text: string) => {
    const envelope = parseEnvelope(text)
    if (envelope && envelope.from !== processId) onMessage(envelope.message)
  }
  const subscribeChannel = (channel: string, onMessage: (message: Message) => void) => {
    if (subscribedChannels.has(channel)) return
    subscribedChannels.add(channel)
    subscriber
      .subscribe(channelOf(channel), createReceiver(onMessage))
      .catch(() => subscribedChannels.delete(channel))
  }
  const unsubscribeChannel = (channel: string) => {
    if (!subscribedChannels.delete(channel)) return
    subscriber.unsubscribe(channelOf(channel)).catch(() => {})
  }

  subscribeChannel(GAP_CHANNEL, () => local.gap())
  subscriber.on('ready', () => {
    if (wasReady) local.gap()
    wasReady = true
  })
  redis.onReturn(() => {
    local.gap()
    void send(GAP_CHANNEL, {})
  })
  return {
    publish(topic, message) {
      local.publish(topic, message)
      void send(topic, message)
    },
    subscribe(topic: Topic, listener: Listener) {
      const unsubscribe = local.subscribe(topic, listener)
      subscribeChannel(topic, (message) => local.publish(topic, message))
      return () => {
        unsubscribe()
        if (!local.hears(topic)) unsubscribeChannel(topic)
      }
    },
    onGap: (listener) => local.onGap(listener),
    async close() {
      await local.close()
    },
  }
}

function parseEnvelope(text: string): Envelope | null {
  try {
    const value = JSON.parse(text) as Partial<Envelope> | null
    return value && typeof value.from === 'string' && value.message && typeof value.message === 'object'
      ? (value as Envelope)
      : null
  } catch {
    return null
  }
}
