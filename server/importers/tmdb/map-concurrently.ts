/** Calls `work` for several items concurrently and yields the results in the order of the items. */
export async function* mapConcurrently<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  concurrency: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = []
  for await (const item of items) {
    const promise = work(item)
    // The error is thrown when the promise is awaited. Until then it must not count as an unhandled rejection.
    promise.catch(() => {})
    running.push(promise)
    if (running.length >= concurrency) yield await (running.shift() as Promise<R>)
  }
  for (const promise of running) yield await promise
}
