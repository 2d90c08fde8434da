/**
 * While nobody uses the home page, its hero shows the featured titles in turn. The tests move the clock of the page
 * forward.
 */
import { expect, type Page, test } from '@playwright/test'
import { signInAsProfile } from './journey-helpers.ts'

test.use({ viewport: { width: 1440, height: 900 } })

const ROTATION_INTERVAL_MS = 20_000
const getHero = (page: Page) => page.locator('main section:has(.hero-words)').first()
const getHeroName = (page: Page) => getHero(page).getAttribute('aria-label')

async function openHome(page: Page): Promise<string | null> {
  await page.clock.install()
  await signInAsProfile(page, 'Alex')
  await page.goto('/')
  await expect(getHero(page).locator('.hero-synopsis span span')).toBeVisible()
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  return getHeroName(page)
}

const passRotationInterval = (page: Page) => page.clock.runFor(ROTATION_INTERVAL_MS + 1_000)

test('after the rotation interval, the hero shows another featured title without a layout shift', async ({
  page,
}) => {
  const initialHeroName = await openHome(page)
  const measureLayout = async () => {
    const elementBoxes = await Promise.all(
      ['.hero-synopsis', '.hero-actions'].map((selector) => getHero(page).locator(selector).boundingBox()),
    )
    return elementBoxes.map((box) => [Math.round(box?.y ?? 0), Math.round(box?.height ?? 0)])
  }
  const initialLayout = await measureLayout()
  await passRotationInterval(page)
  await expect.poll(() => getHeroName(page)).not.toBe(initialHeroName)
  expect(await measureLayout()).toEqual(initialLayout)
  await expect(getHero(page).getByRole('heading')).toHaveText((await getHeroName(page)) ?? '')
  await expect(getHero(page)).toHaveCSS('opacity', '1')
})

test('the hero keeps its title while the focus or the pointer is in the hero, and while the page is scrolled down', async ({
  page,
}) => {
  const initialHeroName = await openHome(page)
  await getHero(page).getByRole('link').first().focus()
  await passRotationInterval(page)
  expect(await getHeroName(page)).toBe(initialHeroName)
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await getHero(page).hover()
  await passRotationInterval(page)
  expect(await getHeroName(page)).toBe(initialHeroName)
  await page.mouse.move(1, 1)
  await page.evaluate(() => scrollTo({ top: 300, behavior: 'instant' }))
  await passRotationInterval(page)
  expect(await getHeroName(page)).toBe(initialHeroName)
})

test('the hero keeps its title if the viewer prefers reduced motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const initialHeroName = await openHome(page)
  await passRotationInterval(page)
  expect(await getHeroName(page)).toBe(initialHeroName)
})
