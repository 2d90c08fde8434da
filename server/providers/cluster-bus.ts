/** Event bus between processes of one machine without Redis: the primary process relays every message to the other workers. */
import cluster from 'node:cluster'
import type { Bus, Listener, LocalBus, Message, Topic } from './bus.ts'

interface Envelope {
  marqueeBus: Topic
  message: Message
}

function isEnvelope(value: unknown): value is Envelope {
  return typeof value === 'object' && value !== null && 'marqueeBus' in value
}

/** The bus of a worker process. */
export function clusterBus(local: LocalBus): Bus {
  const receive = (value: unknown) => {
    if (isEnvelope(value)) local.publish(value.marqueeBus, value.message)
  }
  process.on('message', receive)
  return {
    publish(topic: Topic, message: Message) {
      local.publish(topic, message)
      if (process.connected) process.send?.({ marqueeBus: topic, message } satisfies Envelope)
    },
    subscribe: (topic: Topic, listener: Listener) => local.subscribe(topic, listener),
    onGap: (listener) => local.onGap(listener),
    async close() {
      process.off('message', receive)
      await local.close()
    },
  }
}

/** Relays messages between workers. Runs in the primary process, which serves no requests itself. */
export function passOn(): void {
  cluster.on('message', (sender, value: unknown) => {
    if (!isEnvelope(value)) return
    for (const worker of Object.values(cluster.workers ?? {})) {
      if (worker && worker.id !== sender.id && worker.isConnected()) worker.send(value)
    }
  })
}
