/**
 * Navigation helpers that wait for the visible page, because the network is never idle: the event stream stays open.
 */
import type { BrowserContext, Page } from '@playwright/test'
import { observePerformance } from '../bench/feel/performance-entries.ts'
import type { Locale } from '../src/lib/i18n/locales.ts'
import { getLocalePrefix, signInAsProfile } from './journey-helpers.ts'
import { trackRequests } from './pending-requests.ts'

/** Pages on which every layout test runs: one of each kind of page. Some tests add further tabs and sections. */
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

/** A page counts as settled when nothing has changed for this time. */
const STABLE_MS = 200

/** Waits until no loading indicator is visible and the DOM has not changed for STABLE_MS, at most `timeoutMs`. */
const waitUntilStable = (page: Page, timeoutMs: number): Promise<void> =>
  page.evaluate(
    async ([limitMs, stableMs]) => {
      const PENDING_SELECTOR = '.skeleton, .pending-ring, astro-island[ssr]'
      const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
      let changedAtMs = performance.now()
      const mutationObserver = new MutationObserver(() => {
        changedAtMs = performance.now()
      })
      mutationObserver.observe(document, { subtree: true, childList: true, attributes: true })
      const endMs = performance.now() + limitMs
      const isPending = () =>
        [...document.querySelectorAll(PENDING_SELECTOR)].some((element) => element.checkVisibility())
      while (performance.now() < endMs && (isPending() || performance.now() - changedAtMs < stableMs))
        await pause(50)
      mutationObserver.disconnect()
    },
    [timeoutMs, STABLE_MS] as const,
  )

/**
 * Waits until the heading exists, no loading indicator is visible, and nothing has changed for STABLE_MS: neither the
 * DOM nor the requests for scripts and data. If the page does not settle, returns after `timeoutMs`, but never before
 * the heading exists. For a step back or forward, a test calls goBack() or goForward() first. Otherwise this function
 * could see the old page, which may already be settled.
 */
export async function waitUntilSettled(page: Page, timeoutMs = 10_000): Promise<void> {
  const endMs = Date.now() + timeoutMs
  const requestTracker = trackRequests(page)
  await page.locator('h1').first().waitFor({ state: 'attached' })
  do await waitUntilStable(page, endMs - Date.now())
  while (
    (requestTracker.pendingRequests.size > 0 || Date.now() - requestTracker.changedAtMs < STABLE_MS) &&
    Date.now() < endMs
  )
}

/** Opens a page in a locale and waits until it is settled. */
export async function openPage(page: Page, locale: Locale, path: string): Promise<void> {
  trackRequests(page)
  await page.goto(getLocalePrefix(locale) + path)
  await waitUntilSettled(page)
}

let navigationCount = 0

/**
 * Navigates and waits until another page has replaced the open page. Without this wait, a test could find the text that
 * it waits for on the old page.
 */
async function replacePage(page: Page, navigate: () => Promise<unknown>): Promise<void> {
  navigationCount += 1
  // Marks the body of the open page. The new page has another body, which does not have the mark.
  await page.evaluate(
    (navigationNumber) => Object.assign(document.body, { leftByNavigation: navigationNumber }),
    navigationCount,
  )
  await navigate()
  await page.waitForFunction((navigationNumber) => {
    const body = document.body as (HTMLElement & { leftByNavigation?: number }) | null
    return body !== null && body.leftByNavigation !== navigationNumber
  }, navigationCount)
}

/** Goes to the previous history entry and waits until its page has replaced the open page. */
export const goBack = (page: Page): Promise<void> =>
  replacePage(page, () => page.goBack({ waitUntil: 'commit' }))

/** Goes to the next history entry and waits until its page has replaced the open page. */
export const goForward = (page: Page): Promise<void> =>
  replacePage(page, () => page.goForward({ waitUntil: 'commit' }))

/**
 * Opens a tab with a slow processor or a slow network, and starts the measurements that `takePerformanceRecords`
 * returns. `networkDelayMs` is the minimum time from a request to its response. With the default values, the tab is as
 * fast as any other tab.
 */
export async function openMeasuredTab(
  context: BrowserContext,
  { cpuSlowdown = 1, networkDelayMs = 0 },
): Promise<Page> {
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  if (cpuSlowdown > 1) await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  if (networkDelayMs > 0)
    await cdp.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: networkDelayMs,
      downloadThroughput: -1,
      uploadThroughput: -1,
    })
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
