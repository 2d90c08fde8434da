/** Navigation helpers that wait for the visible page, because the network is never idle: the event stream stays open. */
import type { Page } from '@playwright/test'
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
  '/statistics/',
  '/account/?tab=preferences',
  '/dashboard/',
  '/profiles/',
  '/link/',
  '/nowhere/',
]

/** Waits until the heading exists, no loading indicator is visible and the DOM has not changed for 200 ms; at most `timeoutMs`. */
export async function waitUntilSettled(page: Page, timeoutMs = 10_000): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await page.evaluate(async (limitMs) => {
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
}

/** Opens a page in a locale and waits until it is settled. */
export async function openPage(page: Page, locale: Locale, path: string): Promise<void> {
  await page.goto(getLocalePrefix(locale) + path)
  await waitUntilSettled(page)
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
