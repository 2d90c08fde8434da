/** The store `$today` must contain the current date of the viewer, also while a page stays open for days. */
import { afterEach, expect, it, vi } from 'vitest'
import { installBrowserGlobals } from '../support/browser-globals.ts'

installBrowserGlobals()
const { $today, keepTodayUpdated } = await import('../../src/lib/stores/today.ts')

const setSimulatedTime = (time: string) => vi.setSystemTime(new Date(time))
afterEach(() => {
  vi.useRealTimers()
})

it('the date changes a minute after midnight, and when the page becomes visible after the device was asleep', () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval'] })
  setSimulatedTime('2031-05-01T23:58:30')
  $today.set('2031-05-01')
  const onChange = vi.fn()
  keepTodayUpdated(onChange)
  vi.advanceTimersByTime(2 * 60_000)
  expect($today.get()).toBe('2031-05-01')
  vi.advanceTimersByTime(60_000)
  expect($today.get()).toBe('2031-05-02')
  expect(onChange).toHaveBeenCalledTimes(1)
  setSimulatedTime('2031-05-04T08:00:00')
  document.dispatchEvent(new Event('visibilitychange'))
  expect($today.get()).toBe('2031-05-04')
  expect(onChange).toHaveBeenCalledTimes(2)
})

it('the date of a page that was opened in the first minute of a day does not change back to the previous day', () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval'] })
  setSimulatedTime('2031-05-06T00:00:20')
  $today.set('2031-05-06')
  const onChange = vi.fn()
  keepTodayUpdated(onChange)
  document.dispatchEvent(new Event('visibilitychange'))
  expect($today.get()).toBe('2031-05-06')
  expect(onChange).not.toHaveBeenCalled()
})
