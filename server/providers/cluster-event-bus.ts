/** Event bus between processes of one machine without Redis: the primary process relays every message to the other workers. */
import cluster from 'node:cluster'
import type { BusListener, BusMessage, EventBus, EventTopic, LocalEventBus } from './event-bus.ts'

interface ClusterMessage {
  marqueeBus: EventTopic
  message: BusMessage
}

function isClusterMessage(value: unknown): value is ClusterMessage {
  return typeof value === 'object' && value !== null && 'marqueeBus' in value
}

/** Creates the event bus of a worker process. */
export function createClusterEventBus(local: LocalEventBus): EventBus {
  const receive = (value: unknown) => {
    if (isClusterMessage(value)) local.publish(value.marqueeBus, value.message)
  }
  process.on('message', receive)
  return {
    publish(topic: EventTopic, message: BusMessage) {
      local.publish(topic, message)
      if (process.connected) process.send?.({ marqueeBus: topic, message } satisfies ClusterMessage)
    },
    subscribe: (topic: EventTopic, listener: BusListener) => local.subscribe(topic, listener),
    whenSubscribed: () => local.whenSubscribed(),
    onGap: (listener) => local.onGap(listener),
    async close() {
      process.off('message', receive)
      await local.close()
    },
  }
}

/** Relays messages between workers. Runs in the primary process, which serves no requests itself. */
export function relayClusterMessages(): void {
  cluster.on('message', (sender, value: unknown) => {
    if (!isClusterMessage(value)) return
    for (const worker of Object.values(cluster.workers ?? {})) {
      if (worker && worker.id !== sender.id && worker.isConnected()) worker.send(value)
    }
  })
}
