/** Checks in a simulated browser which errors mean that a code file could not be loaded, so that the page reloads. */
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { reloadWhenCodeIsStale } from '../../src/page-scripts/inline/stale-code-reload.ts'

const page = new EventTarget()
const reload = vi.fn()
let storedValues = new Map<string, string>()

/**
 * Reports an error as Vite does after a dynamic import. Returns whether the page has prevented the default action,
 * which would throw the error.
 */
function reportImportError(payload: unknown): boolean {
  const event = Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload })
  page.dispatchEvent(event)
  return event.defaultPrevented
}

function reportHydrationError(error: unknown): void {
  const detail = { error, componentUrl: '/_a/HomePage.js' }
  page.dispatchEvent(Object.assign(new Event('astro:hydration-error'), { detail }))
}

/** The messages with which Chromium, Firefox, Safari and Vite report a code file that cannot be loaded. */
const LOAD_ERROR_MESSAGES = [
  'Failed to fetch dynamically imported module: https://films.example.com/_a/Taste.js',
  'error loading dynamically imported module: https://films.example.com/_a/Taste.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /_a/Taste.css',
]
/** Errors of code that has loaded. Vite reports them too if `.then()` follows the import directly. */
const OTHER_ERROR_MESSAGES = [
  'Not found',
  'Failed to fetch',
  'The import was not found.',
  'x is undefined',
  '',
]

describe('the page after an error', () => {
  beforeAll(() => {
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
    vi.stubGlobal('location', { reload })
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => storedValues.get(key) ?? null,
      setItem: (key: string, value: string) => storedValues.set(key, value),
    })
    reloadWhenCodeIsStale()
    return () => vi.unstubAllGlobals()
  })
  beforeEach(() => {
    reload.mockClear()
    storedValues = new Map()
    vi.stubGlobal('navigator', { onLine: true })
  })

  it.each(LOAD_ERROR_MESSAGES)('reloads once if a module cannot be loaded: %s', (message) => {
    expect(reportImportError(new TypeError(message))).toBe(true)
    expect(reportImportError(new TypeError(message))).toBe(false)
    expect(reload).toHaveBeenCalledOnce()
  })

  it.each(LOAD_ERROR_MESSAGES)('reloads once if an island cannot be loaded: %s', (message) => {
    reportHydrationError(new TypeError(message))
    reportHydrationError(new TypeError(message))
    expect(reload).toHaveBeenCalledOnce()
  })

  it.each(OTHER_ERROR_MESSAGES)(
    'neither reloads nor suppresses the error if loaded code throws: "%s"',
    (message) => {
      expect(reportImportError(new Error(message))).toBe(false)
      reportHydrationError(new Error(message))
      expect(reload).not.toHaveBeenCalled()
    },
  )

  it('does not reload while the device is offline', () => {
    vi.stubGlobal('navigator', { onLine: false })
    expect(reportImportError(new TypeError(LOAD_ERROR_MESSAGES[0]))).toBe(false)
    expect(reload).not.toHaveBeenCalled()
  })
})
