/** Helpers of the preview journeys: cards, and ways to open the preview of a card. */
import type { Browser, Locator, Page } from '@playwright/test'
import { getTranslation, signInAsProfile } from './journey-helpers.ts'

/** A desktop window that is large enough for previews. */
export const DESKTOP_VIEWPORT = { width: 1440, height: 900 }

/** Opens a desktop window and signs in. Opens no page of the site. */
export async function openDesktopPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: DESKTOP_VIEWPORT })
  const page = await context.newPage()
  await turnOffLiteMode(page)
  await signInAsProfile(page, 'Alex')
  return page
}

/**
 * Turns lite mode off on every page, because the site may turn it on automatically on a slow test machine. The test of
 * lite mode stores the value 1 under the key `lite`, which turns lite mode on instead.
 */
export const turnOffLiteMode = (page: Page) =>
  page.addInitScript(() => localStorage.setItem('marquee-lite', localStorage.getItem('lite') ?? '0'))

export const getPreview = (page: Page) => page.locator('.preview[role=dialog], dialog.preview')
export const getHomeRow = (page: Page, key: string, locale: 'en' | 'ar' = 'en') =>
  page.getByRole('region', { name: getTranslation(locale, key), exact: true })
export const getCards = (locator: Locator) => locator.locator('a[data-card]')

/** Focuses a card after a key press, so that the browser shows the focus ring. */
export async function focusWithKeyboard(card: Locator): Promise<void> {
  await card.page().keyboard.press('Tab')
  await card.focus()
}

export async function getBoundingBox(locator: Locator) {
  const box = await locator.boundingBox()
  if (!box) throw new Error('the element is not visible')
  return box
}

/** Moves the pointer onto a card and leaves it there. */
export async function hoverCard(card: Locator): Promise<void> {
  await card.scrollIntoViewIfNeeded()
  const { x, y, width, height } = await getBoundingBox(card)
  const targetPoint = { x: Math.min(Math.max(x + width / 2, 70), 1370), y: y + height / 3 }
  const { mouse } = card.page()
  await mouse.move(targetPoint.x - 8, targetPoint.y)
  await mouse.move(targetPoint.x, targetPoint.y)
}
export const movePointerAway = (page: Page) => page.mouse.move(2, 70)
