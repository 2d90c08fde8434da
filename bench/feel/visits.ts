/** Pages as a stranger opens them: what moves while data arrives and while one scrolls to their end. */
import type { BrowserContext } from 'playwright'
import { type House, SIZES, slowTab } from './house.ts'
import { cumulative, drain, type Shift } from './observe.ts'

export interface Visit {
  path: string
  size: keyof typeof SIZES
  cls: number
  /** The shift that counted most. */
  worst: Shift | undefined
}

/** Every page that a member of the household sees, and the two of a visitor. */
export const PATHS = [
  '/',
  '/movies/',
  '/tvshows/?sort=rating.desc&includeGenres=18',
  '/movies/oppenheimer',
  '/tvshows/the-last-of-us',
  '/actor/cillian-murphy',
  '/search/?q=the',
  '/search/',
  '/mylist/',
  '/profiles/',
  '/account/',
  '/dashboard/',
  '/watch/?type=movie&slug=oppenheimer',
  '/offline/',
  '/not-there/',
]
export const VISITOR_PATHS = ['/login/', '/signup/']

export async function visitAll(house: House): Promise<Visit[]> {
  const visits: Visit[] = []
  const stranger = await house.browser.newContext({ viewport: SIZES.laptop })
  for (const size of ['laptop', 'phone'] as const) {
    for (const path of PATHS) visits.push(await visit(house.context, house.base, path, size))
    for (const path of VISITOR_PATHS) visits.push(await visit(stranger, house.base, path, size))
  }
  await stranger.close()
  return visits
}

async function visit(
  context: BrowserContext,
  base: string,
  path: string,
  size: keyof typeof SIZES,
): Promise<Visit> {
  const page = await slowTab(context)
  await page.setViewportSize(SIZES[size])
  await page.goto(base + path, { waitUntil: 'commit' })
  await page.locator('h1').first().waitFor({ state: 'attached', timeout: 60_000 })
  await page.waitForTimeout(5_000)
  /* What scrolling moves counts as well, as long as no input is just before it: the page is moved by itself. */
  for (let down = 0; down < 6; down++) {
    await page.evaluate(() => scrollBy({ top: innerHeight * 0.8, behavior: 'instant' }))
    await page.waitForTimeout(500)
  }
  const { shifts } = await drain(page)
  await page.close()
  const worst = [...shifts].sort((a, b) => b.value - a.value)[0]
  return { path, size, cls: cumulative(shifts), worst }
}
