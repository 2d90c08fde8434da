/** Right to left: what stands at one side in English stands at the other in Arabic, on every page. */
import { expect, type Page, test } from '@playwright/test'
import type { Locale } from './household.ts'
import { enter, open, speak } from './settle.ts'

const PAGES = [
  '/',
  '/movies/',
  '/movies/pulp-fiction',
  '/tvshows/stranger-things',
  '/search/?q=dark',
  '/mylist/',
  '/account/?tab=preferences',
  '/dashboard/',
  '/profiles/',
  '/nowhere/',
]
const WIDTH = 1440
/** Words are not equally long: a mirrored start edge is exact, an end edge is not compared. */
const TOLERANCE_PX = 3
test.use({ viewport: { width: WIDTH, height: 900 } })
test.setTimeout(180_000)

interface Edge {
  name: string
  /** Pixels from the side where reading begins. */
  start: number
}

/** Landmarks, headings of sections, and the first card of each row, from the side where reading begins. */
async function edges(page: Page, locale: Locale, path: string, sections = 0): Promise<Edge[]> {
  await speak(page, locale)
  await open(page, locale, path)
  /* Rows below the first screen come when they are there. */
  const there = page.locator('main section, main form').filter({ visible: true })
  await expect.poll(() => there.count()).toBeGreaterThanOrEqual(sections)
  return page.evaluate(() => {
    const rtl = document.documentElement.dir === 'rtl'
    /* The scrollbar's place is the browser's affair. */
    const sides = document.body.getBoundingClientRect()
    /* Not mirrored: what holds time or codes (timeline, charts, PIN boxes) and centred words. */
    const kept = 'body [dir=ltr], body [dir=ltr] *, svg *'
    const seen = (one: Element) =>
      one.checkVisibility({ visibilityProperty: true }) &&
      one.getBoundingClientRect().width > 1 &&
      getComputedStyle(one).textAlign !== 'center' &&
      !one.matches(kept)
    const found: Edge[] = []
    const add = (kind: string, elements: Iterable<Element>) => {
      for (const [at, one] of [...elements].filter(seen).entries()) {
        const { left, right } = one.getBoundingClientRect()
        found.push({
          name: `${kind} ${at}`,
          start: Math.round(rtl ? sides.right - right : left - sides.left),
        })
      }
    }
    add('landmark', document.querySelectorAll('header, main, main > astro-island > *'))
    add('section', document.querySelectorAll('main section, main form'))
    add('heading', document.querySelectorAll('main :is(h1, h2, h3)'))
    add('first card', document.querySelectorAll('.row-track > :first-child'))
    add('second card', document.querySelectorAll('.row-track > :nth-child(2)'))
    add('grid card', document.querySelectorAll('.card-grid > :nth-child(-n + 3)'))
    add(
      'first link',
      [document.querySelector('header a')].filter((one) => one !== null),
    )
    return found
  })
}

test('the Arabic pages mirror the English ones', async ({ page }) => {
  await enter(page)
  for (const path of PAGES) {
    const english = await edges(page, 'en', path)
    const sections = english.filter(({ name }) => name.startsWith('section')).length
    const arabic = new Map((await edges(page, 'ar', path, sections)).map((one) => [one.name, one.start]))
    expect.soft(english.length, path).toBeGreaterThan(0)
    const crooked = english
      .map((one) => ({ ...one, mirrored: arabic.get(one.name) }))
      .filter(
        (one) =>
          Math.abs((one.mirrored ?? Number.NaN) - one.start) > TOLERANCE_PX || one.mirrored === undefined,
      )
    expect.soft(crooked, path).toEqual([])
  }
})

test('a row scrolls to the visual side of its arrow', async ({ page }) => {
  await enter(page)
  await speak(page, 'ar')
  await open(page, 'ar', '/')
  const row = page.locator('section:has(> div .row-track)').nth(1)
  await row.locator('[data-card]').nth(3).waitFor()
  const cards = row.locator('[data-card]')
  await cards.first().focus()
  await page.keyboard.press('ArrowLeft')
  await expect(cards.nth(1)).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(cards.first()).toBeFocused()
  await row.hover()
  const before = (await cards.first().boundingBox())?.x ?? 0
  const strip = row.locator('> div > button').last()
  const box = await strip.boundingBox()
  expect(box?.x ?? WIDTH).toBeLessThan(WIDTH / 2)
  await strip.click()
  await expect.poll(async () => (await cards.first().boundingBox())?.x ?? 0).toBeGreaterThan(before + 300)
})
