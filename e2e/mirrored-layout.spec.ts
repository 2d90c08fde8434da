/** Right-to-left layout: every page in Arabic mirrors the page in English. */
import { expect, type Page, test } from '@playwright/test'
import type { Locale } from '../src/lib/i18n/locales.ts'
import { signInAsProfile } from './journey-helpers.ts'
import { LAYOUT_TEST_PAGES, openPage, setInterfaceLanguage } from './page-navigation.ts'

const VIEWPORT_WIDTH_PX = 1440
/** Tolerance for start edges. End edges are not compared, because texts differ in length. */
const TOLERANCE_PX = 3
test.use({ viewport: { width: VIEWPORT_WIDTH_PX, height: 900 } })
test.setTimeout(180_000)

interface Edge {
  name: string
  /** Distance in pixels from the side where reading starts. */
  startPx: number
}

/** Returns the start edges of landmarks, sections, headings and the first cards of rows and grids. */
async function findEdges(page: Page, locale: Locale, path: string, minimumSections = 0): Promise<Edge[]> {
  await setInterfaceLanguage(page, locale)
  await openPage(page, locale, path)
  /* Rows below the first screen load later. */
  const visibleSections = page.locator('main section, main form').filter({ visible: true })
  await expect.poll(() => visibleSections.count()).toBeGreaterThanOrEqual(minimumSections)
  return page.evaluate(() => {
    const isRightToLeft = document.documentElement.dir === 'rtl'
    /* Measured within the body, because the browser decides at which side the scrollbar is. */
    const bodyBox = document.body.getBoundingClientRect()
    /* Times, charts and codes are not mirrored. */
    const NOT_MIRRORED_SELECTOR = 'body [dir=ltr], body [dir=ltr] *, svg *'
    const isMirrored = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      element.getBoundingClientRect().width > 1 &&
      getComputedStyle(element).textAlign !== 'center' &&
      !element.matches(NOT_MIRRORED_SELECTOR)
    const edges: Edge[] = []
    const addEdges = (kind: string, elements: Iterable<Element>) => {
      for (const [index, element] of [...elements].filter(isMirrored).entries()) {
        const { left, right } = element.getBoundingClientRect()
        edges.push({
          name: `${kind} ${index}`,
          startPx: Math.round(isRightToLeft ? bodyBox.right - right : left - bodyBox.left),
        })
      }
    }
    addEdges('landmark', document.querySelectorAll('header, main, main > astro-island > *'))
    addEdges('section', document.querySelectorAll('main section, main form'))
    addEdges('heading', document.querySelectorAll('main :is(h1, h2, h3)'))
    addEdges('first card', document.querySelectorAll('.row-track > :first-child'))
    addEdges('second card', document.querySelectorAll('.row-track > :nth-child(2)'))
    addEdges('grid card', document.querySelectorAll('.card-grid > :nth-child(-n + 3)'))
    addEdges(
      'first link',
      [document.querySelector('header a')].filter((link) => link !== null),
    )
    return edges
  })
}

test('every Arabic page mirrors the English page within the tolerance', async ({ page }) => {
  await signInAsProfile(page, 'Alex')
  for (const path of LAYOUT_TEST_PAGES) {
    const englishEdges = await findEdges(page, 'en', path)
    const sectionCount = englishEdges.filter(({ name }) => name.startsWith('section')).length
    const arabicStartsPx = new Map(
      (await findEdges(page, 'ar', path, sectionCount)).map((edge) => [edge.name, edge.startPx]),
    )
    expect.soft(englishEdges.length, path).toBeGreaterThan(0)
    const mismatches = englishEdges
      .map((edge) => ({ ...edge, arabicStartPx: arabicStartsPx.get(edge.name) }))
      .filter(
        (edge) =>
          Math.abs((edge.arabicStartPx ?? Number.NaN) - edge.startPx) > TOLERANCE_PX ||
          edge.arabicStartPx === undefined,
      )
    expect.soft(mismatches, path).toEqual([])
  }
})

test('in Arabic, arrow keys and the scroll button of a row move in their visual direction', async ({
  page,
}) => {
  await signInAsProfile(page, 'Alex')
  await setInterfaceLanguage(page, 'ar')
  await openPage(page, 'ar', '/')
  const row = page.locator('section:has(> div .row-track)').nth(1)
  await row.locator('[data-card]').nth(3).waitFor()
  const cards = row.locator('[data-card]')
  await cards.first().focus()
  await page.keyboard.press('ArrowLeft')
  await expect(cards.nth(1)).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(cards.first()).toBeFocused()
  await row.hover()
  const initialX = (await cards.first().boundingBox())?.x ?? 0
  const scrollButton = row.locator('> div > button').last()
  const box = await scrollButton.boundingBox()
  expect(box?.x ?? VIEWPORT_WIDTH_PX).toBeLessThan(VIEWPORT_WIDTH_PX / 2)
  await scrollButton.click()
  await expect.poll(async () => (await cards.first().boundingBox())?.x ?? 0).toBeGreaterThan(initialX + 300)
})
