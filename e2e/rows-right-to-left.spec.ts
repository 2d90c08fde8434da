/** Rows of cards in right-to-left layout. */
import { expect, test } from '@playwright/test'
import { signInAsProfile } from './journey-helpers.ts'
import { openPage, setInterfaceLanguage } from './page-navigation.ts'

const VIEWPORT_WIDTH_PX = 1440
test.use({ viewport: { width: VIEWPORT_WIDTH_PX, height: 900 } })

test('in Arabic, the left arrow key focuses the next card of a row, and the scroll button at the left scrolls forward', async ({
  page,
}) => {
  await signInAsProfile(page, 'Alex')
  await setInterfaceLanguage(page, 'ar')
  await openPage(page, 'ar', '/')
  const cardRow = page.locator('section:has(> div .row-track)').nth(1)
  await cardRow.locator('[data-card]').nth(3).waitFor()
  const cards = cardRow.locator('[data-card]')
  await cards.first().focus()
  await page.keyboard.press('ArrowLeft')
  await expect(cards.nth(1)).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(cards.first()).toBeFocused()
  await cardRow.hover()
  const initialX = (await cards.first().boundingBox())?.x ?? 0
  const scrollButton = cardRow.locator('> div > button').last()
  const buttonBox = await scrollButton.boundingBox()
  expect(buttonBox?.x ?? VIEWPORT_WIDTH_PX).toBeLessThan(VIEWPORT_WIDTH_PX / 2)
  await scrollButton.click()
  await expect.poll(async () => (await cards.first().boundingBox())?.x ?? 0).toBeGreaterThan(initialX + 300)
})
