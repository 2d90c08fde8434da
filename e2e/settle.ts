/** Waits for what a page shows; the live stream of events keeps the network busy for ever. */
import type { Page } from '@playwright/test'
import { type Locale, prefix, signIn } from './household.ts'

/** Until the heading is there, nothing is pending and the page has kept still for a moment; at most `most` ms. */
export async function settled(page: Page, most = 10_000): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await page.evaluate(async (limit) => {
    const STILL_MS = 200
    const PENDING = '.skeleton, .pending-ring, astro-island[ssr]'
    const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))
    let changed = performance.now()
    const watcher = new MutationObserver(() => {
      changed = performance.now()
    })
    watcher.observe(document, { subtree: true, childList: true, attributes: true })
    const end = performance.now() + limit
    const isPending = () => [...document.querySelectorAll(PENDING)].some((one) => one.checkVisibility())
    while (performance.now() < end && (isPending() || performance.now() - changed < STILL_MS)) await pause(50)
    watcher.disconnect()
  }, most)
}

export async function open(page: Page, locale: Locale, path: string): Promise<void> {
  await page.goto(prefix(locale) + path)
  await settled(page)
}

/** Signs in and opens the first profile. */
export async function enter(page: Page): Promise<void> {
  await signIn(page, 'en')
  await page.getByRole('button', { name: 'Alex' }).click()
  await page.locator('[data-card]').first().waitFor()
}

/** Pages speak that language from now on. */
export const speak = (page: Page, locale: Locale): Promise<void> =>
  page.evaluate((language) => localStorage.setItem('i18nextLng', language), locale)
