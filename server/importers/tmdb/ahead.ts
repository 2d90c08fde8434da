/** Runs work on items a few at a time and gives the results in the order of the items. */
export async function* ahead<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = []
  for await (const item of items) {
    const one = work(item)
    // Whoever waits for it is told; until then a failure must not end the process.
    one.catch(() => {})
    running.push(one)
    if (running.length >= atOnce) yield await (running.shift() as Promise<R>)
  }
  for (const one of running) yield await one
}
