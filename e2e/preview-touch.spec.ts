/** More of a title for a finger: a sheet, and the page stays. */
import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from '@playwright/test'
import { words } from './household.ts'
import { boxOf } from './preview.ts'
import { enter, open } from './settle.ts'

const w = (key: string) => words('en', key)
test.setTimeout(120_000)

test('a finger that holds a card gets a sheet, and the page stays', async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const phone = await context.newPage()
  await enter(phone)
  await open(phone, 'en', '/movies/')
  const card = phone.locator('.card-grid a[data-card]').first()
  const box = await boxOf(card)
  const touch = await context.newCDPSession(phone)
  const at = { x: box.x + 60, y: box.y + 60 }
  const put = (points: object[], type: 'touchStart' | 'touchEnd') =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: points as never })
  const sheet = phone.locator('dialog.preview-sheet')
  await put([at], 'touchStart')
  await expect(sheet).toBeVisible()
  await put([], 'touchEnd')
  await expect(sheet).toBeVisible()
  await expect(phone).toHaveURL(/\/movies\/$/)
  const { violations } = await new AxeBuilder({ page: phone }).analyze()
  expect(violations.map((one) => `${one.id}: ${one.nodes[0]?.target}`)).toEqual([])
  const { y, height, width } = await boxOf(sheet)
  expect(Math.round(y + height)).toBe(844)
  expect(width).toBe(390)
  await sheet.getByRole('button', { name: w('common:like'), exact: true }).tap()
  await expect(sheet.getByRole('button', { name: w('common:liked'), exact: true })).toBeVisible()
  await sheet.getByRole('button', { name: w('common:liked'), exact: true }).tap()
  await sheet.getByRole('button', { name: w('common:close') }).tap()
  await expect(sheet).toHaveCount(0)
  /* A short touch is a click as ever. */
  await card.tap()
  await expect(phone).toHaveURL(/\/movies\/.+/)
  await context.close()
})
