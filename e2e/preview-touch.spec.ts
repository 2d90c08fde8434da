/** Previews on a touch screen. */
import { expect, test } from '@playwright/test'
import { createAxe, getTranslation } from './journey-helpers.ts'
import { openPage, signInAsAlex } from './page-navigation.ts'
import { getBoundingBox } from './preview.ts'

const t = (key: string) => getTranslation('en', key)
test.setTimeout(120_000)

test('a long press on a card opens the preview sheet without navigating', async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const phone = await context.newPage()
  await signInAsAlex(phone)
  await openPage(phone, 'en', '/movies/')
  const card = phone.locator('.card-grid a[data-card]').first()
  const cardBox = await getBoundingBox(card)
  const cdp = await context.newCDPSession(phone)
  const touchPoint = { x: cardBox.x + 60, y: cardBox.y + 60 }
  const dispatchTouch = (touchPoints: object[], type: 'touchStart' | 'touchEnd') =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: touchPoints as never })
  const sheet = phone.locator('dialog.preview-sheet')
  await dispatchTouch([touchPoint], 'touchStart')
  await expect(sheet).toBeVisible()
  await dispatchTouch([], 'touchEnd')
  await expect(sheet).toBeVisible()
  await expect(phone).toHaveURL(/\/movies\/$/)
  const { violations } = await createAxe(phone).analyze()
  expect(violations.map((violation) => `${violation.id}: ${violation.nodes[0]?.target}`)).toEqual([])
  const { y, height, width } = await getBoundingBox(sheet)
  expect(Math.round(y + height)).toBe(844)
  expect(width).toBe(390)
  await sheet.getByRole('button', { name: t('common:like'), exact: true }).tap()
  await expect(sheet.getByRole('button', { name: t('common:liked'), exact: true })).toBeVisible()
  await sheet.getByRole('button', { name: t('common:liked'), exact: true }).tap()
  await sheet.getByRole('button', { name: t('common:close') }).tap()
  await expect(sheet).toHaveCount(0)
  /* A short tap still opens the title. */
  await card.tap()
  await expect(phone).toHaveURL(/\/movies\/.+/)
  await context.close()
})

test('in Continue Watching, a long press on a card opens the preview sheet, and a tap on the name below a card opens the title page', async ({
  browser,
}) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const phone = await context.newPage()
  await signInAsAlex(phone)
  await openPage(phone, 'en', '/')
  const cardItem = phone
    .getByRole('region', { name: t('home:continueWatching') })
    .getByRole('listitem')
    .first()
  await cardItem.scrollIntoViewIfNeeded()
  const cardBox = await getBoundingBox(cardItem.locator('a[data-card]'))
  const cdp = await context.newCDPSession(phone)
  const touchPoints = [{ x: cardBox.x + 60, y: cardBox.y + 60 }]
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
  const sheet = phone.locator('dialog.preview-sheet')
  await expect(sheet).toBeVisible()
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await sheet.getByRole('button', { name: t('common:close') }).tap()
  await expect(sheet).toHaveCount(0)
  await cardItem.locator('a:not([data-card])').tap()
  await expect(phone).toHaveURL(/\/(movies|tvshows)\/.+/)
  await context.close()
})
