/** Event bus between several processes, based on Redis publish and subscribe. */
import { randomUUID } from 'node:crypto'
import type { BusListener, BusMessage, EventBus, EventTopic, LocalEventBus } from './event-bus.ts'
import type { RedisConnection } from './redis.ts'

/**
 * Channel on which a process reports that it could not reach Redis for a while. Other processes may have missed the
 * events that this process published.
 */
const GAP_CHANNEL = 'gap'

interface RedisMessage {
  /** Id of the sending process. That process ignores the message, because it has already called its own listeners. */
  from: string
  message: BusMessage
}

interface ChannelSubscription {
  receiveMessage: (messageText: string) => void
  isWanted: boolean
  /** True while the subscription is active, as last confirmed by Redis. */
  isActive: boolean
  /** Resolves when every requested change of the subscription was confirmed by Redis or has failed. */
  changePromise: Promise<void>
}

export function createRedisEventBus(redis: RedisConnection, localBus: LocalEventBus): EventBus {
  const processId = randomUUID()
  const subscriber = redis.createSubscriber()
  const createChannelName = (topic: string) => `${redis.prefix}bus:${topic}`
  const subscriptionsByChannel = new Map<string, ChannelSubscription>()
  let hasConnectedBefore = false

  const sendMessage = (channel: string, message: BusMessage) =>
    redis.tryCommand((client) =>
      client.publish(
        createChannelName(channel),
        JSON.stringify({ from: processId, message } satisfies RedisMessage),
      ),
    )
  const createReceiver = (onMessage: (message: BusMessage) => void) => (messageText: string) => {
    const redisMessage = parseRedisMessage(messageText)
    if (redisMessage && redisMessage.from !== processId) onMessage(redisMessage.message)
  }
  /**
   * Subscribes to a channel if the subscription is wanted, and otherwise ends the subscription. Waits until all earlier
   * changes of this subscription are confirmed or have failed, because the Redis client loses a subscription that
   * starts before the previous one has ended.
   */
  const changeSubscription = (channel: string, subscription: ChannelSubscription) => {
    const channelName = createChannelName(channel)
    subscription.changePromise = subscription.changePromise.then(async () => {
      const { isWanted, isActive, receiveMessage } = subscription
      if (isWanted === isActive) return
      try {
        await (isWanted
          ? subscriber.subscribe(channelName, receiveMessage)
          : subscriber.unsubscribe(channelName))
        subscription.isActive = isWanted
      } catch {
        // The connection is closed. The next subscriber of the topic tries again.
        subscription.isActive = false
      }
      if (!subscription.isWanted && !subscription.isActive) subscriptionsByChannel.delete(channel)
    })
  }
  const subscribeChannel = (channel: string, onMessage: (message: BusMessage) => void) => {
    const subscription: ChannelSubscription = subscriptionsByChannel.get(channel) ?? {
      receiveMessage: createReceiver(onMessage),
      isWanted: false,
      isActive: false,
      changePromise: Promise.resolve(),
    }
    subscriptionsByChannel.set(channel, subscription)
    subscription.isWanted = true
    changeSubscription(channel, subscription)
  }
  const unsubscribeChannel = (channel: string) => {
    const subscription = subscriptionsByChannel.get(channel)
    if (!subscription) return
    subscription.isWanted = false
    changeSubscription(channel, subscription)
  }

  subscribeChannel(GAP_CHANNEL, () => localBus.notifyGap())
  subscriber.on('ready', () => {
    if (hasConnectedBefore) localBus.notifyGap()
    hasConnectedBefore = true
  })
  redis.onRecovered(() => {
    localBus.notifyGap()
    void sendMessage(GAP_CHANNEL, {})
  })
  return {
    publish(topic, message) {
      localBus.publish(topic, message)
      void sendMessage(topic, message)
    },
    subscribe(topic: EventTopic, listener: BusListener) {
      const unsubscribe = localBus.subscribe(topic, listener)
      subscribeChannel(topic, (message) => localBus.publish(topic, message))
      return () => {
        unsubscribe()
        if (!localBus.hasListeners(topic)) unsubscribeChannel(topic)
      }
    },
    async whenSubscribed(topic) {
      await subscriptionsByChannel.get(topic)?.changePromise
    },
    async countOtherProcesses(topic) {
      const channelName = createChannelName(topic)
      const subscriberCounts = await redis.tryCommand((client) => client.pubSubNumSub([channelName]))
      const ownSubscriberCount = subscriptionsByChannel.get(topic)?.isActive ? 1 : 0
      return Math.max(0, (subscriberCounts?.[channelName] ?? 0) - ownSubscriberCount)
    },
    onGap: (listener) => localBus.onGap(listener),
    async close() {
      await localBus.close()
    },
  }
}

function parseRedisMessage(messageText: string): RedisMessage | null {
  try {
    const parsedMessage = JSON.parse(messageText) as Partial<RedisMessage> | null
    return parsedMessage &&
      typeof parsedMessage.from === 'string' &&
      parsedMessage.message &&
      typeof parsedMessage.message === 'object'
      ? (parsedMessage as RedisMessage)
      : null
  } catch {
    return null
  }
}
