/** News between the parts of the product, and between its processes: events for open tabs, and caches that must forget. */

/** Whom a message concerns; one topic, one kind of listener. */
export type Topic = `profile:${string}` | `account:${string}` | 'catalogue' | 'jobs'

/** Plain data that survives JSON. */
export type Message = Readonly<Record<string, unknown>>
export type Listener = (message: Message) => void

export interface Bus {
  /**
   * Tells every listener of the topic, in this process at once (before this returns) and in the others soon after.
   * Never throws and never waits: news may be lost, so nobody may depend on it for more than speed.
   * Publish after the transaction has been committed, or listeners read what was before.
   */
  publish(topic: Topic, message: Message): void
  /** Returns the function that ends the subscription; calling it again does nothing. */
  subscribe(topic: Topic, listener: Listener): () => void
  /** Calls back when news of other processes may have been missed: read everything again. Returns the end of it. */
  onGap(listener: () => void): () => void
  /** After it, nothing is delivered. */
  close(): Promise<void>
}

/** Inside one process. What reaches others (Redis, cluster) is built around it. */
export class LocalBus implements Bus {
  readonly #listeners = new Map<Topic, Set<Listener>>()
  readonly #gaps = new Set<() => void>()
  readonly #onError: (error: unknown) => void

  /** `onError` hears what listeners throw: one that fails keeps nothing from the others. */
  constructor(onError: (error: unknown) => void = () => {}) {
    this.#onError = onError
  }

  publish(topic: Topic, message: Message): void {
    for (const listener of [...(this.#listeners.get(topic) ?? [])]) this.#call(() => listener(message))
  }

  subscribe(topic: Topic, listener: Listener): () => void {
    const mine: Listener = (message) => listener(message)
    const listeners = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, listeners.add(mine))
    return () => {
      listeners.delete(mine)
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) this.#listeners.delete(topic)
    }
  }

  onGap(listener: () => void): () => void {
    const mine = () => listener()
    this.#gaps.add(mine)
    return () => {
      this.#gaps.delete(mine)
    }
  }

  gap(): void {
    for (const listener of [...this.#gaps]) this.#call(listener)
  }

  /** Whether anybody here listens. */
  hears(topic: Topic): boolean {
    return this.#listeners.has(topic)
  }

  async close(): Promise<void> {
    this.#listeners.clear()
    this.#gaps.clear()
  }

  #call(listener: () => void): void {
    try {
      listener()
    } catch (error) {
      this.#onError(error)
    }
  }
}
