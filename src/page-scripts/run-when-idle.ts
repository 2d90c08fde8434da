/** Runs a task while the browser is idle, or after five seconds. Without requestIdleCallback, runs it after 500 ms. */
export function runWhenIdle(task: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(task, { timeout: 5_000 })
  else setTimeout(task, 500)
}
