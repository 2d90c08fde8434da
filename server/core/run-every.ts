/**
 * Calls `task` now, and then every `intervalMs`, but not while its previous call is still running. Otherwise, the calls
 * of a task that takes longer than its interval, for example while the database does not respond, would use up the
 * connections of the database. `task` must not reject.
 */
export function runEvery(intervalMs: number, task: () => Promise<unknown>): NodeJS.Timeout {
  let isRunning = false
  const runUnlessRunning = async () => {
    if (isRunning) return
    isRunning = true
    try {
      await task()
    } finally {
      isRunning = false
    }
  }
  void runUnlessRunning()
  return setInterval(runUnlessRunning, intervalMs)
}
