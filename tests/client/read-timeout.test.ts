/** Reads that get no reply, or a late reply, although the server can be reached. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

vi.mock('../../src/lib/client/auth.ts', () => ({
  isRefreshSlow: () => false,
  refreshSession: () => Promise.resolve(true),
}))
const { waitForReply } = await import('../../src/lib/client/read-cache.ts')

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a read that gets no immediate reply', () => {
  it('fails with a network error after 40 seconds at the latest', async () => {
    const outcomePromise = waitForReply(new Promise(() => {}), '/api/movies', null).catch(
      (error: unknown) => error,
    )
    await vi.advanceTimersByTimeAsync(40_000)
    expect(await Promise.race([outcomePromise, Promise.resolve('still waiting')])).toMatchObject({
      type: 'network_error',
      status: 0,
    })
  })

  it('returns a reply that arrives after 20 seconds', async () => {
    const lateReplyPromise = new Promise((resolve) => setTimeout(resolve, 20_000, 'late reply'))
    const outcomePromise = waitForReply(lateReplyPromise, '/api/movies', null)
    await vi.advanceTimersByTimeAsync(21_000)
    expect(await Promise.race([outcomePromise, Promise.resolve('still waiting')])).toBe('late reply')
  })
})
