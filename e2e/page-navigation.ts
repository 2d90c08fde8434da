/** Navigation helpers that wait for the visible page, because the network is never idle: the event stream stays open. */
import type { BrowserContext, Page, Request } from '@playwright/test'
import { observePerformance } from '../bench/feel/performance-entries.ts'
import type { Locale } from '../src/lib/i18n/locales.ts'
import { getLocalePrefix, signInAsProfile } from './journey-helpers.ts'

/** Pages on which every layout test runs: one of each kind of page. Single tests add further tabs and sections. */
export const LAYOUT_TEST_PAGES = [
  '/',
  '/movies/',
  '/movies/pulp-fiction',
  '/tvshows/stranger-things',
  '/search/?q=dark',
  '/mylist/',
  '/history/',
  '/lists/',
  '/calendar/',
  '/calendar/?view=month',
  '/watch-next/',
  '/statistics/',
  '/account/?tab=preferences',
  '/dashboard/',
  '/profiles/',
  '/link/',
  '/email/',
  '/remote/',
  '/nowhere/',
]

const EVENT_STREAM = /\/events/
/** Requests of scripts and data that have no response yet, for each page that a helper of this file has opened. */
const pendingRequests = new WeakMap<Page, Set<Request>>()

/** Records which scripts and data a page waits for. The stream of events never ends, so it does not count. */
function trackRequests(page: Page): Set<Request> {
  const known = pendingRequests.get(page)
  if (known) return known
  const pending = new Set<Request>()
  pendingRequests.set(page, pending)
  page.on('request', (request) => {
    if (request.isNavigationRequest()) pending.clear()
    else if (/script|fetch|xhr/.test(request.resourceType()) && !EVENT_STREAM.test(request.url()))
      pending.add(request)
  })
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  return pending
}

/** Waits until no loading indicator is visible and the DOM has not changed for 200 ms, at most `timeoutMs`. */
const waitUntilStable = (page: Page, timeoutMs: number): Promise<void> =>
  page.evaluate(async (limitMs) => {
    const STABLE_MS = 200
    const PENDING_SELECTOR = '.skeleton, .pending-ring, astro-island[ssr]'
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
    let changedAtMs = performance.now()
    const observer = new MutationObserver(() => {
      changedAtMs = performance.now()
    })
    observer.observe(document, { subtree: true, childList: true, attributes: true })
    const endMs = performance.now() + limitMs
    const isPending = () =>
      [...document.querySelectorAll(PENDING_SELECTOR)].some((element) => element.checkVisibility())
    while (performance.now() < endMs && (isPending() || performance.now() - changedAtMs < STABLE_MS))
      await pause(50)
    observer.disconnect()
  }, timeoutMs)

/**
 * Waits until the heading exists, no script or data is being loaded, no loading indicator is visible and the DOM has not changed
 * for 200 ms; at most `timeoutMs`.
 */
export async function waitUntilSettled(page: Page, timeoutMs = 10_000): Promise<void> {
  const endMs = Date.now() + timeoutMs
  const pending = trackRequests(page)
  await page.locator('h1').first().waitFor({ state: 'attached' })
  do await waitUntilStable(page, endMs - Date.now())
  while (pending.size > 0 && Date.now() < endMs)
}

/** Opens a page in a locale and waits until it is settled. */
export async function openPage(page: Page, locale: Locale, path: string): Promise<void> {
  trackRequests(page)
  await page.goto(getLocalePrefix(locale) + path)
  await waitUntilSettled(page)
}

/** Opens a tab on a slower processor, and records what `takePerformance` returns. */
export async function openSlowTab(context: BrowserContext, cpuSlowdown = 4): Promise<Page> {
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  await observePerformance(page)
  return page
}

/** Signs in as the main profile and waits for the home page. */
export async function signInAsAlex(page: Page): Promise<void> {
  await signInAsProfile(page, 'Alex')
  await page.goto('/')
  await page.locator('[data-card]').first().waitFor()
}

/** Stores the interface language; pages use it from the next navigation. */
export const setInterfaceLanguage = (page: Page, locale: Locale): Promise<void> =>
  page.evaluate((language) => localStorage.setItem('i18nextLng', language), locale)
