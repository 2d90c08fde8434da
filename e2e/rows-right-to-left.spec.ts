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

test('on an Arabic page, a shortened English name has room for its ellipsis', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signInAsProfile(page, 'Alex')
  await setInterfaceLanguage(page, 'ar')
  await openPage(page, 'ar', '/tvshows/stranger-things')
  const episodeName = page.locator('bdi', { hasText: 'Chapter One: The Vanishing of Will Byers' })
  const { isShortened, freeWidthPx, ellipsisWidthPx } = await episodeName.evaluate((element) => {
    const text = document.createRange()
    text.selectNodeContents(element)
    const box = element.getBoundingClientRect()
    const visibleLines = [...text.getClientRects()].filter(({ bottom }) => bottom <= box.bottom)
    const canvasContext = document.createElement('canvas').getContext('2d')
    if (canvasContext) canvasContext.font = getComputedStyle(element).font
    return {
      isShortened: element.scrollHeight > element.clientHeight,
      freeWidthPx: box.right - Math.max(...visibleLines.map(({ right }) => right)),
      ellipsisWidthPx: canvasContext?.measureText('…').width,
    }
  })
  expect(isShortened).toBe(true)
  expect(freeWidthPx).toBeGreaterThanOrEqual(ellipsisWidthPx ?? Number.POSITIVE_INFINITY)
})
