/**
 * Event bus between processes of one machine without Redis: the primary process relays every message to the other
 * workers.
 */
import cluster, { type Worker } from 'node:cluster'
import type { BusListener, BusMessage, EventBus, EventTopic, LocalEventBus } from './event-bus.ts'

interface ClusterMessage {
  marqueeEventTopic: EventTopic
  message: BusMessage
}

function isClusterMessage(value: unknown): value is ClusterMessage {
  return typeof value === 'object' && value !== null && 'marqueeEventTopic' in value
}

/** Creates the event bus of a worker process. `workerCount` is the number of workers, including this one. */
export function createClusterEventBus(localBus: LocalEventBus, workerCount: number): EventBus {
  const receiveMessage = (rawMessage: unknown) => {
    if (isClusterMessage(rawMessage)) localBus.publish(rawMessage.marqueeEventTopic, rawMessage.message)
  }
  process.on('message', receiveMessage)
  return {
    publish(topic: EventTopic, message: BusMessage) {
      localBus.publish(topic, message)
      if (process.connected) process.send?.({ marqueeEventTopic: topic, message } satisfies ClusterMessage)
    },
    subscribe: (topic: EventTopic, listener: BusListener) => localBus.subscribe(topic, listener),
    whenSubscribed: () => localBus.whenSubscribed(),
    countOtherProcesses: async () => workerCount - 1,
    onGap: (listener) => localBus.onGap(listener),
    async close() {
      process.off('message', receiveMessage)
      await localBus.close()
    },
  }
}

/**
 * Sends a message to a worker. If the worker has just ended, the message is lost. The empty callback receives the error
 * of such a message, which would otherwise be uncaught and would end the primary process and all workers.
 */
export const sendToWorker = (worker: Worker, message: unknown) =>
  void worker.send(message as Parameters<Worker['send']>[0], () => {})

/** Relays messages between workers. Runs in the primary process, which serves no requests itself. */
export function relayClusterMessages(): void {
  cluster.on('message', (sender, rawMessage: unknown) => {
    if (!isClusterMessage(rawMessage)) return
    for (const worker of Object.values(cluster.workers ?? {})) {
      if (worker && worker.id !== sender.id && worker.isConnected()) sendToWorker(worker, rawMessage)
    }
  })
}
