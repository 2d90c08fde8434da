/** Controls of the player: keyboard and remote, and right-to-left layout. */
import { expect, type Page, test } from '@playwright/test'
import type { Locale } from '../src/lib/i18n/locales.ts'
import {
  collectPageProblems,
  expectAccessible,
  getLocalePrefix,
  getTranslation,
  signInAsProfile,
} from './journey-helpers.ts'
import {
  ARRIVAL_WATCH_PATH,
  clickPlayerControl,
  getCurrentTimeSeconds,
  isPaused,
  openAndPlay,
} from './player.ts'

const t = (key: string, locale: Locale = 'en') => getTranslation(locale, key)

let page: Page
let problems: string[]

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext()).newPage()
  problems = collectPageProblems(page).problems
  await signInAsProfile(page, 'Alex')
})
test.afterAll(() => page.context().close())

test('Enter pauses the video and focuses the controls, arrow keys move between the controls, and Escape returns to the video', async () => {
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: t('common:play') })).toBeFocused()
  expect(await isPaused(page)).toBe(true)
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('button', { name: t('watch:forward10') })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('slider', { name: t('watch:seek') })).toBeFocused()
  const positionSeconds = await getCurrentTimeSeconds(page)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => getCurrentTimeSeconds(page)).toBeCloseTo(positionSeconds + 10, 0)
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('link', { name: t('common:back') })).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: t('watch:keys') })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  expect(await isPaused(page)).toBe(false)
  await expect(page.getByRole('button', { name: t('watch:pause') })).toBeHidden()
  await page.keyboard.press('f')
  await expect.poll(() => page.evaluate(() => document.fullscreenElement?.id)).toBe('theatre')
  await page.keyboard.press('f')
  await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull()
})

test('in a panel that is too low to show all options, the selected option is in view', async () => {
  await page.setViewportSize({ width: 640, height: 300 })
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  await clickPlayerControl(page, 'button', t('watch:captions'))
  const panel = page.getByRole('region', { name: t('watch:captions') })
  const option = panel.getByRole('radio', { name: 'العربية' })
  await option.click()
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await clickPlayerControl(page, 'button', t('watch:captions'))
  await expect(option).toBeFocused()
  const [panelBox, optionBox] = await Promise.all([panel.boundingBox(), option.boundingBox()])
  const getBottomY = (box: typeof panelBox) => (box?.y ?? 0) + (box?.height ?? 0)
  expect(getBottomY(optionBox)).toBeLessThanOrEqual(getBottomY(panelBox))
  await page.setViewportSize({ width: 1280, height: 720 })
})

test('the Back gesture of a phone closes an open panel and stays in the player', async () => {
  await openAndPlay(page, ARRIVAL_WATCH_PATH)
  await clickPlayerControl(page, 'button', t('watch:settings'))
  const panel = page.getByRole('region', { name: t('watch:settings') })
  await expect(panel).toBeVisible()
  // The Back gesture sends no key event, but the browser handles it like the Escape key. The test therefore presses the
  // Escape key, and hides its event from the page.
  await page.evaluate(() =>
    addEventListener('keydown', (event) => event.stopImmediatePropagation(), { capture: true }),
  )
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(page).toHaveURL(/\/watch\//)
})

test('in Arabic the controls are laid out right to left, and the timeline left to right', async ({
  browser,
}) => {
  const arabicContext = await browser.newContext()
  const arabicPage = await arabicContext.newPage()
  await arabicPage.addInitScript(() => localStorage.setItem('i18nextLng', 'ar'))
  await signInAsProfile(arabicPage, 'ليلى')
  await openAndPlay(arabicPage, `${getLocalePrefix('ar')}/watch/?type=movie&slug=paddington-2`)
  await expect(arabicPage.locator('[data-captions]')).toHaveAttribute('lang', 'ar')
  await arabicPage.keyboard.press('2')
  await expect.poll(() => getCurrentTimeSeconds(arabicPage)).toBeGreaterThan(15)
  const positionSeconds = await getCurrentTimeSeconds(arabicPage)
  await arabicPage.keyboard.press('ArrowRight')
  await expect.poll(() => getCurrentTimeSeconds(arabicPage)).toBeGreaterThan(positionSeconds + 9)
  await arabicPage.keyboard.press('k')
  const [backBox, infoBox] = await Promise.all([
    arabicPage.getByRole('link', { name: t('common:back', 'ar') }).boundingBox(),
    arabicPage.getByRole('button', { name: t('watch:info', 'ar') }).boundingBox(),
  ])
  expect(backBox?.x ?? 0).toBeGreaterThan(infoBox?.x ?? 0)
  await expectAccessible(arabicPage)
  await arabicContext.close()
})

test('the earlier tests of the player controls in English have caused no page errors', () =>
  expect(problems).toEqual([]))
