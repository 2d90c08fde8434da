/**
 * Measures the layout shift of each page while its data loads and while a script scrolls down by about five screens.
 */
import type { BrowserContext } from 'playwright'
import { type BenchHousehold, openSlowTab, VIEWPORTS } from './bench-household.ts'
import {
  computeCumulativeLayoutShift,
  type LayoutShiftRecord,
  takePerformanceRecords,
} from './performance-entries.ts'

export interface PageVisit {
  path: string
  viewportName: keyof typeof VIEWPORTS
  cls: number
  /** The shift with the largest value. */
  largestShift: LayoutShiftRecord | undefined
}

/** Pages that a signed-in browser visits. A signed-out browser visits VISITOR_PATHS. */
export const MEMBER_PATHS = [
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

export async function measureAllPages(household: BenchHousehold): Promise<PageVisit[]> {
  const visits: PageVisit[] = []
  const signedOutContext = await household.browser.newContext({ viewport: VIEWPORTS.laptop })
  for (const viewportName of ['laptop', 'phone'] as const) {
    for (const path of MEMBER_PATHS)
      visits.push(await measureVisit(household.context, household.baseUrl, path, viewportName))
    for (const path of VISITOR_PATHS)
      visits.push(await measureVisit(signedOutContext, household.baseUrl, path, viewportName))
  }
  await signedOutContext.close()
  return visits
}

async function measureVisit(
  context: BrowserContext,
  baseUrl: string,
  path: string,
  viewportName: keyof typeof VIEWPORTS,
): Promise<PageVisit> {
  const page = await openSlowTab(context)
  await page.setViewportSize(VIEWPORTS[viewportName])
  await page.goto(baseUrl + path, { waitUntil: 'commit' })
  await page.locator('h1').first().waitFor({ state: 'attached', timeout: 60_000 })
  await page.waitForTimeout(5_000)
  /*
   * Shifts during scrolling count as well. Shifts after user input are ignored, but scrolling by script is not user
   * input.
   */
  for (let scrollStep = 0; scrollStep < 6; scrollStep++) {
    await page.evaluate(() => scrollBy({ top: innerHeight * 0.8, behavior: 'instant' }))
    await page.waitForTimeout(500)
  }
  const { shifts } = await takePerformanceRecords(page)
  await page.close()
  const largestShift = [...shifts].sort((a, b) => b.value - a.value)[0]
  return { path, viewportName, cls: computeCumulativeLayoutShift(shifts), largestShift }
}
