import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runEvery } from '../../../server/core/run-every.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

it('a task that takes longer than its interval does not overlap with itself, and is called again after its end', async () => {
  let startCount = 0
  const pendingTasks: PromiseWithResolvers<void>[] = []
  const timer = runEvery(100, () => {
    startCount += 1
    const pendingTask = Promise.withResolvers<void>()
    pendingTasks.push(pendingTask)
    return pendingTask.promise
  })
  await vi.advanceTimersByTimeAsync(350)
  expect(startCount).toBe(1)
  pendingTasks[0]?.resolve()
  await vi.advanceTimersByTimeAsync(100)
  expect(startCount).toBe(2)
  clearInterval(timer)
})
