/** Event bus between several processes, based on Redis publish and subscribe. */
import { randomUUID } from 'node:crypto'
import type { BusListener, BusMessage, EventBus, EventTopic, LocalEventBus } from './event-bus.ts'
import type { RedisConnection } from './redis.ts'

/** Channel on which a process reports that Redis was unavailable, so that others may have missed its events. */
const GAP_CHANNEL = 'gap'

interface RedisMessage {
  /** Id of the sending process, which has already called its own listeners. */
  from: string
  message: BusMessage
}

export function createRedisEventBus(redis: RedisConnection, local: LocalEventBus): EventBus {
  const processId = randomUUID()
  const subscriber = redis.createSubscriber()
  const createChannelName = (topic: string) => `${redis.prefix}bus:${topic}`
  const subscribedChannels = new Set<string>()
  let hasBeenReady = false

  const send = (channel: string, message: BusMessage) =>
    redis.tryCommand((client) =>
      client.publish(
        createChannelName(channel),
        JSON.stringify({ from: processId, message } satisfies RedisMessage),
      ),
    )
  const createReceiver = (onMessage: (message: BusMessage) => void) => (text: string) => {
    const redisMessage = parseRedisMessage(text)
    if (redisMessage && redisMessage.from !== processId) onMessage(redisMessage.message)
  }
  const subscribeChannel = (channel: string, onMessage: (message: BusMessage) => void) => {
    if (subscribedChannels.has(channel)) return
    subscribedChannels.add(channel)
    subscriber
      .subscribe(createChannelName(channel), createReceiver(onMessage))
      .catch(() => subscribedChannels.delete(channel))
  }
  const unsubscribeChannel = (channel: string) => {
    if (!subscribedChannels.delete(channel)) return
    subscriber.unsubscribe(createChannelName(channel)).catch(() => {})
  }

  subscribeChannel(GAP_CHANNEL, () => local.notifyGap())
  subscriber.on('ready', () => {
    if (hasBeenReady) local.notifyGap()
    hasBeenReady = true
  })
  redis.onRecovered(() => {
    local.notifyGap()
    void send(GAP_CHANNEL, {})
  })
  return {
    publish(topic, message) {
      local.publish(topic, message)
      void send(topic, message)
    },
    subscribe(topic: EventTopic, listener: BusListener) {
      const unsubscribe = local.subscribe(topic, listener)
      subscribeChannel(topic, (message) => local.publish(topic, message))
      return () => {
        unsubscribe()
        if (!local.hasListeners(topic)) unsubscribeChannel(topic)
      }
    },
    onGap: (listener) => local.onGap(listener),
    async close() {
      await local.close()
    },
  }
}

function parseRedisMessage(text: string): RedisMessage | null {
  try {
    const value = JSON.parse(text) as Partial<RedisMessage> | null
    return value && typeof value.from === 'string' && value.message && typeof value.message === 'object'
      ? (value as RedisMessage)
      : null
  } catch {
    return null
  }
}
