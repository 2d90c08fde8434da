/**
 * Calls `mapItem` for at most `concurrency` items at the same time, and yields the results in the order of the items.
 */
export async function* mapConcurrently<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  concurrency: number,
  mapItem: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const runningPromises: Promise<R>[] = []
  for await (const item of items) {
    const promise = mapItem(item)
    // The error is thrown when the promise is awaited. Until then it must not count as an unhandled rejection.
    promise.catch(() => {})
    runningPromises.push(promise)
    if (runningPromises.length >= concurrency) yield await (runningPromises.shift() as Promise<R>)
  }
  for (const promise of runningPromises) yield await promise
}

/**
 * Returns the same items, but the iteration ends at an error. The function `throwPostponedError` throws this error
 * afterwards, so that the items before it can be written first.
 */
export function postponeError<T>(items: AsyncIterable<T>): {
  items: AsyncGenerator<T>
  throwPostponedError: () => void
} {
  const errors: unknown[] = []
  async function* readUntilError() {
    try {
      yield* items
    } catch (error) {
      errors.push(error)
    }
  }
  return {
    items: readUntilError(),
    throwPostponedError() {
      if (errors.length > 0) throw errors[0]
    },
  }
}
