/** While nobody uses the home page, its hero shows the featured titles in turn. The tests move the clock of the page forward. */
import { expect, type Page, test } from '@playwright/test'
import { signInAsProfile } from './journey-helpers.ts'

test.use({ viewport: { width: 1440, height: 900 } })

const TURN_MS = 20_000
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

const passTurn = (page: Page) => page.clock.runFor(TURN_MS + 1_000)

test('the hero shows another featured title after the rotation interval, and its layout does not shift', async ({
  page,
}) => {
  const firstName = await openHome(page)
  const measureLayout = async () => {
    const boxes = await Promise.all(
      ['.hero-synopsis', '.hero-actions'].map((part) => getHero(page).locator(part).boundingBox()),
    )
    return boxes.map((box) => [Math.round(box?.y ?? 0), Math.round(box?.height ?? 0)])
  }
  const places = await measureLayout()
  await passTurn(page)
  await expect.poll(() => getHeroName(page)).not.toBe(firstName)
  expect(await measureLayout()).toEqual(places)
  await expect(getHero(page).getByRole('heading')).toHaveText((await getHeroName(page)) ?? '')
  await expect(getHero(page)).toHaveCSS('opacity', '1')
})

test('the hero keeps its title while the hero has focus or the pointer, and on a scrolled page', async ({
  page,
}) => {
  const firstName = await openHome(page)
  await getHero(page).getByRole('link').first().focus()
  await passTurn(page)
  expect(await getHeroName(page)).toBe(firstName)
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await getHero(page).hover()
  await passTurn(page)
  expect(await getHeroName(page)).toBe(firstName)
  await page.mouse.move(1, 1)
  await page.evaluate(() => scrollTo({ top: 300, behavior: 'instant' }))
  await passTurn(page)
  expect(await getHeroName(page)).toBe(firstName)
})

test('the hero keeps its title if the viewer prefers reduced motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const firstName = await openHome(page)
  await passTurn(page)
  expect(await getHeroName(page)).toBe(firstName)
})
