/** Event bus within and between processes: events for open tabs, and notifications that evict cached values. */

/** The subject of a message. A subscriber receives the messages of one topic. */
export type EventTopic =
  | `profile:${string}`
  | `account:${string}`
  | `login:${string}`
  | 'catalogue'
  | 'jobs'
  | 'settings'
  | 'streams'

/** JSON-serialisable data. */
export type BusMessage = Readonly<Record<string, unknown>>
export type BusListener = (message: BusMessage) => void

export interface EventBus {
  /**
   * Calls every listener of the topic, synchronously in this process and asynchronously in the others.
   * Never throws and never blocks. Messages may be lost, so correctness must not depend on them.
   * Publish only after the transaction is committed, otherwise listeners read old data.
   */
  publish(topic: EventTopic, message: BusMessage): void
  /** Returns a function that ends the subscription; further calls of it do nothing. */
  subscribe(topic: EventTopic, listener: BusListener): () => void
  /**
   * Resolves when messages of other processes can reach the subscribers of the topic. The promise stays pending while
   * Redis is unavailable.
   */
  whenSubscribed(topic: EventTopic): Promise<void>
  /** Returns how many other processes receive the messages of the topic; 0 while Redis is unavailable. */
  countOtherProcesses(topic: EventTopic): Promise<number>
  /**
   * Calls `listener` when messages of other processes may have been lost, so that it can reload its data.
   * Returns a function that ends the subscription.
   */
  onGap(listener: () => void): () => void
  /** Closes the bus. It delivers no messages afterwards. */
  close(): Promise<void>
}

/** Event bus of a single process, on which the Redis and cluster buses are built. */
export class LocalEventBus implements EventBus {
  readonly #listeners = new Map<EventTopic, Set<BusListener>>()
  readonly #gapListeners = new Set<() => void>()
  readonly #onError: (error: unknown) => void

  /** `onError` receives the errors that listeners throw; a failing listener does not affect the others. */
  constructor(onError: (error: unknown) => void = () => {}) {
    this.#onError = onError
  }

  publish(topic: EventTopic, message: BusMessage): void {
    for (const listener of [...(this.#listeners.get(topic) ?? [])]) this.#call(() => listener(message))
  }

  subscribe(topic: EventTopic, listener: BusListener): () => void {
    const uniqueListener: BusListener = (message) => listener(message)
    const listeners = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, listeners.add(uniqueListener))
    return () => {
      listeners.delete(uniqueListener)
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) this.#listeners.delete(topic)
    }
  }

  async whenSubscribed(): Promise<void> {}

  async countOtherProcesses(): Promise<number> {
    return 0
  }

  onGap(listener: () => void): () => void {
    const uniqueListener = () => listener()
    this.#gapListeners.add(uniqueListener)
    return () => {
      this.#gapListeners.delete(uniqueListener)
    }
  }

  /** Calls the listeners of `onGap`. */
  notifyGap(): void {
    for (const listener of [...this.#gapListeners]) this.#call(listener)
  }

  /** True if the topic has a listener in this process. */
  hasListeners(topic: EventTopic): boolean {
    return this.#listeners.has(topic)
  }

  async close(): Promise<void> {
    this.#listeners.clear()
    this.#gapListeners.clear()
  }

  #call(listener: () => void): void {
    try {
      listener()
    } catch (error) {
      this.#onError(error)
    }
  }
}
