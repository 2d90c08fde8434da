/** Thrown when too many tasks are waiting. */
export class TaskLimitError extends Error {}

/**
 * Returns a function that runs tasks, at most `maxRunningTasks` of them at the same time. The function throws
 * `TaskLimitError` when `maxWaitingTasks` other tasks are waiting.
 */
export function createTaskLimit(maxRunningTasks: number, maxWaitingTasks: number) {
  let runningCount = 0
  const waitingResolvers: (() => void)[] = []
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (runningCount >= maxRunningTasks) {
      if (waitingResolvers.length >= maxWaitingTasks) throw new TaskLimitError('too many tasks are waiting')
      // A task that ends gives its place to the next waiting task, so runningCount stays the same.
      await new Promise<void>((resolve) => waitingResolvers.push(resolve))
    } else runningCount += 1
    try {
      return await task()
    } finally {
      const startNextTask = waitingResolvers.shift()
      if (startNextTask) startNextTask()
      else runningCount -= 1
    }
  }
}
