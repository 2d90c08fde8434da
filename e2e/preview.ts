/** What the journeys of previews share: cards, and ways to ask one for more. */
import type { Browser, Locator, Page } from '@playwright/test'
import { words } from './household.ts'
import { enter } from './settle.ts'

/** Signed in, at a window that a preview has room in. */
export async function desk(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  /* This machine is slower than a viewer's: nobody chooses lite mode here but the test of it. */
  await page.addInitScript(() => localStorage.setItem('marquee-lite', localStorage.getItem('lite') ?? '0'))
  await enter(page)
  return page
}

export const preview = (page: Page) => page.locator('.preview[role=dialog], dialog.preview')
export const row = (page: Page, key: string, locale: 'en' | 'ar' = 'en') =>
  page.getByRole('region', { name: words(locale, key), exact: true })
export const cards = (of: Locator) => of.locator('a[data-card]')

/** A key was pressed a moment before: the focus can be seen. */
export async function byKey(card: Locator): Promise<void> {
  await card.page().keyboard.press('Tab')
  await card.focus()
}

export async function boxOf(of: Locator) {
  const box = await of.boundingBox()
  if (!box) throw new Error('not to be seen')
  return box
}

export async function rest(card: Locator): Promise<void> {
  await card.scrollIntoViewIfNeeded()
  const { x, y, width, height } = await boxOf(card)
  const middle = { x: Math.min(Math.max(x + width / 2, 70), 1370), y: y + height / 3 }
  const { mouse } = card.page()
  await mouse.move(middle.x - 8, middle.y)
  await mouse.move(middle.x, middle.y)
}
export const leave = (page: Page) => page.mouse.move(2, 70)
