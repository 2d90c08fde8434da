/** Event bus within and between processes: events for open tabs, and notifications that evict cached values. */

/** What a message is about. A subscriber receives the messages of one topic. */
export type Topic = `profile:${string}` | `account:${string}` | 'catalogue' | 'jobs'

/** JSON-serialisable data. */
export type Message = Readonly<Record<string, unknown>>
export type Listener = (message: Message) => void

export interface Bus {
  /**
   * Calls every listener of the topic, synchronously in this process and asynchronously in the others.
   * Never throws and never blocks. Messages may be lost, so correctness must not depend on them.
   * Publish only after the transaction is committed, otherwise listeners read old data.
   */
  publish(topic: Topic, message: Message): void
  /** Returns a function that ends the subscription; further calls of it do nothing. */
  subscribe(topic: Topic, listener: Listener): () => void
  /**
   * Calls `listener` when messages of other processes may have been lost, so that it can reload its data.
   * Returns a function that ends the subscription.
   */
  onGap(listener: () => void): () => void
  /** No message is delivered after this. */
  close(): Promise<void>
}

/** Event bus of a single process, on which the Redis and cluster buses are built. */
export class LocalBus implements Bus {
  readonly #listeners = new Map<Topic, Set<Listener>>()
  readonly #gapListeners = new Set<() => void>()
  readonly #onError: (error: unknown) => void

  /** `onError` receives the errors that listeners throw; a failing listener does not affect the others. */
  constructor(onError: (error: unknown) => void = () => {}) {
    this.#onError = onError
  }

  publish(topic: Topic, message: Message): void {
    for (const listener of [...(this.#listeners.get(topic) ?? [])]) this.#call(() => listener(message))
  }

  subscribe(topic: Topic, listener: Listener): () => void {
    const uniqueListener: Listener = (message) => listener(message)
    const listeners = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, listeners.add(uniqueListener))
    return () => {
      listeners.delete(uniqueListener)
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) this.#listeners.delete(topic)
    }
  }

  onGap(listener: () => void): () => void {
    const uniqueListener = () => listener()
    this.#gapListeners.add(uniqueListener)
    return () => {
      this.#gapListeners.delete(uniqueListener)
    }
  }

  /** Calls the gap listeners. */
  gap(): void {
    for (const listener of [...this.#gapListeners]) this.#call(listener)
  }

  /** True if the topic has a listener in this process. */
  hears(topic: Topic): boolean {
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
