/** Thrown when too many tasks are waiting. */
export class TaskLimitError extends Error {}

/**
 * Returns a function that runs at most `maxRunning` tasks at once. The function throws `TaskLimitError` when
 * `maxWaiting` other tasks are waiting.
 */
export function createTaskLimit(maxRunning: number, maxWaiting: number) {
  let runningCount = 0
  const waiting: (() => void)[] = []
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (runningCount >= maxRunning) {
      if (waiting.length >= maxWaiting) throw new TaskLimitError('too many tasks are waiting')
      // The task that ends passes its slot on, so runningCount stays the same.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else runningCount += 1
    try {
      return await task()
    } finally {
      const nextTask = waiting.shift()
      if (nextTask) nextTask()
      else runningCount -= 1
    }
  }
}
