const MAX_COUNTED_KEYS = 10_000

interface ConsumeOptions {
  limit: number
  windowMs: number
  nowMs: number
}

/**
 * Counts events by key in fixed time windows, in this process. Above 10,000 keys, the least recently used keys are
 * dropped.
 */
export class FixedWindowCounter {
  readonly #windows = new Map<string, { count: number; endsAtMs: number }>()

  /**
   * Counts an event. Returns 0 while the window has at most `limit` events; otherwise the milliseconds until the window
   * ends.
   */
  consume(counterKey: string, { limit, windowMs, nowMs }: ConsumeOptions): number {
    const currentWindow = this.#windows.get(counterKey)
    const window =
      currentWindow && currentWindow.endsAtMs > nowMs
        ? currentWindow
        : { count: 0, endsAtMs: nowMs + windowMs }
    window.count += 1
    this.#windows.delete(counterKey)
    this.#windows.set(counterKey, window)
    if (this.#windows.size > MAX_COUNTED_KEYS) this.#windows.delete(this.#windows.keys().next().value ?? '')
    return window.count > limit ? window.endsAtMs - nowMs : 0
  }
}
