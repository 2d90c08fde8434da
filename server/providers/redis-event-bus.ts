/** Event bus between several processes, based on Redis publish and subscribe. */
import { randomUUID } from 'node:crypto'
import type { BusListener, BusMessage, EventBus, EventTopic, LocalEventBus } from './event-bus.ts'
import type { RedisConnection } from './redis.ts'

/**
 * Channel on which a process reports that Redis was unavailable for it, so that other processes may have
 * missed its events.
 */
const GAP_CHANNEL = 'gap'

interface RedisMessage {
  /** Id of the sending process, which has already called its own listeners. */
  from: string
  message: BusMessage
}

interface ChannelSubscription {
  receive: (text: string) => void
  isWanted: boolean
  /** State that Redis has confirmed. */
  isActive: boolean
  /** Resolves when all changes so far are confirmed or have failed. */
  changed: Promise<void>
}

export function createRedisEventBus(redis: RedisConnection, local: LocalEventBus): EventBus {
  const processId = randomUUID()
  const subscriber = redis.createSubscriber()
  const createChannelName = (topic: string) => `${redis.prefix}bus:${topic}`
  const channels = new Map<string, ChannelSubscription>()
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
  /**
   * Changes the subscription of a channel after all earlier changes. The client loses a new subscription if
   * the end of the previous one is not confirmed yet.
   */
  const changeSubscription = (channel: string, subscription: ChannelSubscription) => {
    const name = createChannelName(channel)
    subscription.changed = subscription.changed.then(async () => {
      const { isWanted, isActive, receive } = subscription
      if (isWanted === isActive) return
      try {
        await (isWanted ? subscriber.subscribe(name, receive) : subscriber.unsubscribe(name))
        subscription.isActive = isWanted
      } catch {
        // The connection is closed. The next subscriber of the topic tries again.
        subscription.isActive = false
      }
      if (!subscription.isWanted && !subscription.isActive) channels.delete(channel)
    })
  }
  const subscribeChannel = (channel: string, onMessage: (message: BusMessage) => void) => {
    const subscription: ChannelSubscription = channels.get(channel) ?? {
      receive: createReceiver(onMessage),
      isWanted: false,
      isActive: false,
      changed: Promise.resolve(),
    }
    channels.set(channel, subscription)
    subscription.isWanted = true
    changeSubscription(channel, subscription)
  }
  const unsubscribeChannel = (channel: string) => {
    const subscription = channels.get(channel)
    if (!subscription) return
    subscription.isWanted = false
    changeSubscription(channel, subscription)
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
    async whenSubscribed(topic) {
      await channels.get(topic)?.changed
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
