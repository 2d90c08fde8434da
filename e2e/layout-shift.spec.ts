/**
 * Layout shifts and the number of loaded result pages while a page loads. Neither depends on the machine
 * (docs/performance.md).
 */
import { type BrowserContext, expect, type Page, type Route, test } from '@playwright/test'
import {
  computeCumulativeLayoutShift,
  observePerformance,
  takePerformanceRecords,
} from '../bench/feel/performance-entries.ts'
import { getTranslation, openTitlePage, signInAsProfile } from './journey-helpers.ts'
import { openMeasuredTab, waitUntilSettled } from './page-navigation.ts'

/** Limit of the cumulative layout shift per page (docs/performance.md). */
const MAX_CUMULATIVE_LAYOUT_SHIFT = 0.02

/**
 * Delay of the reply that changes the page after an input, longer than 500 ms. The browser does not count layout shifts
 * in the first 500 ms after an input, because the user expects these shifts.
 */
const CHANGED_REPLY_DELAY_MS = 600

const SIGNED_IN_PATHS = [
  '/',
  '/movies/',
  '/tvshows/',
  '/movies/arrival',
  '/tvshows/the-last-of-us',
  '/actor/cillian-murphy',
  '/search/?q=the',
  '/mylist/',
  '/history/',
  '/lists/',
  '/calendar/',
  '/watch-next/',
  '/statistics/',
  '/profiles/',
  '/link/',
  '/remote/',
  '/account/',
  '/dashboard/',
  '/watch/?type=movie&slug=arrival',
]
/**
 * Minimum time from a request to its response. It makes the first frames of a page appear before its data, on every
 * machine. A slow processor would have the same effect, but would also slow the other journeys down.
 */
const NETWORK_DELAY_MS = 80
/** Pages whose controls take more lines on a phone than on a laptop. */
const PHONE_PATHS = [
  '/',
  '/movies/',
  '/tvshows/the-last-of-us',
  '/search/?q=the',
  '/mylist/',
  '/history/',
  '/account/',
]
const PUBLIC_PATHS = ['/login/', '/signup/', '/reset/', '/email/', '/offline/', '/not-there/']

test.describe.configure({ timeout: 240_000 })
/* This viewport is so large that a list loads more than one result page. */
const LAPTOP_VIEWPORT = { width: 1440, height: 900 }
const TABLET_VIEWPORT = { width: 768, height: 1024 }
const PHONE_VIEWPORT = { width: 390, height: 844 }
test.use({ viewport: LAPTOP_VIEWPORT })

const openDelayedTab = (context: BrowserContext): Promise<Page> =>
  openMeasuredTab(context, { networkDelayMs: NETWORK_DELAY_MS })

test('no page has a cumulative layout shift above 0.02 during loading', async ({
  page,
  context,
  baseURL,
}) => {
  const visitorContext = await context.browser()?.newContext()
  if (!visitorContext) throw new Error('no browser')
  await signInAsProfile(page, 'Alex')
  const shiftedPages: string[] = []
  const visitPage = async (browserContext: BrowserContext, path: string, viewport = LAPTOP_VIEWPORT) => {
    const tab = await openDelayedTab(browserContext)
    await tab.setViewportSize(viewport)
    await tab.goto(`${baseURL}${path}`)
    await waitUntilSettled(tab)
    const { shifts } = await takePerformanceRecords(tab)
    await tab.close()
    const cumulativeLayoutShift = computeCumulativeLayoutShift(shifts)
    const largestShift = shifts.toSorted((a, b) => b.value - a.value)[0]
    if (cumulativeLayoutShift > MAX_CUMULATIVE_LAYOUT_SHIFT)
      shiftedPages.push(
        `${viewport.width} ${path} ${cumulativeLayoutShift.toFixed(3)}: ${largestShift?.sources.join(', ')}`,
      )
  }
  for (const path of SIGNED_IN_PATHS) await visitPage(context, path)
  for (const path of PHONE_PATHS) await visitPage(context, path, PHONE_VIEWPORT)
  for (const path of PUBLIC_PATHS) await visitPage(visitorContext, path)
  await visitorContext.close()
  expect(shiftedPages).toEqual([])
})

test('an infinite list loads at most three result pages before the viewer scrolls', async ({
  page,
  context,
  baseURL,
}) => {
  await signInAsProfile(page, 'Alex')
  for (const path of ['/movies/', '/tvshows/', '/search/?q=the', '/mylist/']) {
    const tab = await openDelayedTab(context)
    const pageNumbers: number[] = []
    tab.on('request', (request) => {
      const pageNumber = new URL(request.url()).searchParams.get('page')
      if (pageNumber) pageNumbers.push(Number(pageNumber))
    })
    await tab.goto(`${baseURL}${path}`)
    await tab.locator('[data-card]').first().waitFor()
    await waitUntilSettled(tab)
    const [pageHeight, viewportHeight] = await tab.evaluate(() => [
      document.documentElement.scrollHeight,
      innerHeight,
    ])
    await tab.close()
    /* The list fills one screen and loads some content below it. Its last result page may extend the list further. */
    expect(pageHeight, `${path} is ${pageHeight} high, pages ${pageNumbers}`).toBeLessThan(
      (viewportHeight ?? 0) * 4,
    )
    // The search and My List request no numbered pages.
    if (path === '/movies/' || path === '/tvshows/') expect(pageNumbers, path).not.toEqual([])
    expect(Math.max(1, ...pageNumbers), path).toBeLessThanOrEqual(3)
  }
})

test('a title page with a long description does not shift on a phone when the replies with progress and watchlist entry are delayed', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({
    ...(baseURL !== undefined && { baseURL }),
    viewport: { width: 390, height: 844 },
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  await signInAsProfile(page, 'Alex')
  /*
   * Adds the title to My List, because a title has all action buttons only if it is in My List and was watched, partly
   * or completely.
   */
  if (!(await openTitlePage(page, '/movies/oppenheimer'))) {
    const main = page.getByRole('main')
    await main
      .getByRole('button', { name: getTranslation('en', 'common:addToList') })
      .first()
      .click()
    await main
      .getByRole('button', { name: getTranslation('en', 'common:removeFromList') })
      .first()
      .waitFor()
    await waitUntilSettled(page)
  }
  const continueAfterDelay = async (route: Route) => {
    await new Promise((resolve) => setTimeout(resolve, 120))
    await route.continue()
  }
  await context.route('**/api/profile/*/watchlist/**', continueAfterDelay)
  await context.route('**/api/profile/*/history/**', continueAfterDelay)
  await context.route('**/api/movies/slug/oppenheimer*', async (route) => {
    const response = await route.fetch()
    const titleDetails = await response.json()
    await route.fulfill({
      response,
      json: { ...titleDetails, overview: `${titleDetails.overview} `.repeat(12) },
    })
  })
  const tab = await openDelayedTab(context)
  await tab.goto('/movies/oppenheimer')
  await tab.locator('article select').waitFor()
  await waitUntilSettled(tab)
  const { shifts } = await takePerformanceRecords(tab)
  const descriptionBox = await tab.locator('article section p').last().boundingBox()
  await context.close()
  expect(descriptionBox?.height).toBeGreaterThan(200)
  expect(computeCumulativeLayoutShift(shifts)).toBeLessThan(MAX_CUMULATIVE_LAYOUT_SHIFT)
})

test('a series page does not shift on a laptop or a tablet when the progress arrives after the description', async ({
  page,
  context,
}) => {
  await signInAsProfile(page, 'Alex')
  await context.route('**/api/profile/*/history/tv/*', async (route) => {
    /*
     * Delays the progress by more than ACTIONS_TIMEOUT_MS (500 ms), the longest time that the page waits for the
     * progress before the page renders the description.
     */
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await route.continue()
  })
  for (const viewport of [LAPTOP_VIEWPORT, TABLET_VIEWPORT]) {
    const tab = await openDelayedTab(context)
    await tab.setViewportSize(viewport)
    await tab.goto('/tvshows/the-last-of-us')
    await tab.getByRole('button', { name: getTranslation('en', 'detail:recap') }).waitFor()
    await waitUntilSettled(tab)
    const { shifts } = await takePerformanceRecords(tab)
    await tab.close()
    expect(computeCumulativeLayoutShift(shifts), `${viewport.width}`).toBeLessThan(
      MAX_CUMULATIVE_LAYOUT_SHIFT,
    )
  }
})

test('on a phone, a section of the account page does not shift when the data of the section above it arrives later', async ({
  page,
  context,
  baseURL,
}) => {
  await signInAsProfile(page, 'Alex')
  await context.route(/\/recommend\/signals|\/limits$|\/auth\/second-factor/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, CHANGED_REPLY_DELAY_MS))
    await route.continue()
  })
  for (const [tabName, lastHeadingKey] of [
    ['security', 'account:danger'],
    ['taste', 'taste:muted'],
    ['family', 'viewingtime:household'],
  ] as const) {
    const tab = await openDelayedTab(context)
    await tab.setViewportSize(PHONE_VIEWPORT)
    await tab.goto(`${baseURL}/account/?tab=${tabName}`)
    await tab.getByRole('heading', { name: getTranslation('en', lastHeadingKey) }).waitFor()
    await waitUntilSettled(tab)
    const { shifts } = await takePerformanceRecords(tab)
    await tab.close()
    expect(computeCumulativeLayoutShift(shifts), tabName).toBeLessThan(MAX_CUMULATIVE_LAYOUT_SHIFT)
  }
})

test('after a change of My List, a visible row of the home page keeps the order of its titles, although the reloaded recommendations have another order', async ({
  page,
  context,
}) => {
  await signInAsProfile(page, 'Alex')
  let firstReply: { results: unknown[] } | undefined
  let reorderedReplyCount = 0
  await context.route('**/api/profile/*/recommend?*', async (route) => {
    if (!firstReply) {
      const response = await route.fetch()
      firstReply = await response.json()
      return route.fulfill({ response })
    }
    await new Promise((resolve) => setTimeout(resolve, CHANGED_REPLY_DELAY_MS))
    /*
     * The first title keeps its place. Otherwise the browser would scroll the row, so that this title stays at the
     * edge.
     */
    const { results } = firstReply
    const reorderedIndexes = [0, 3, 4, 1, 2]
    await route.fulfill({
      json: {
        results: [
          ...reorderedIndexes.map((index) => results[index]),
          ...results.slice(reorderedIndexes.length),
        ],
      },
    })
    reorderedReplyCount += 1
  })
  await observePerformance(page)
  const accountEventsPromise = page.waitForResponse('**/api/events*')
  await page.goto('/')
  await accountEventsPromise
  await waitUntilSettled(page)
  const topPicks = page.getByRole('region', { name: getTranslation('en', 'home:topPicks') })
  const listTopPicks = () =>
    topPicks.locator('[data-card]').evaluateAll((cards) => cards.map((card) => card.textContent))
  const displayedTitles = await listTopPicks()
  await takePerformanceRecords(page)
  const watchlistButton = page.locator('main section button[aria-label$="My List"]').first()
  await watchlistButton.click()
  await topPicks.evaluate((section) => section.scrollIntoView({ block: 'center', behavior: 'instant' }))
  await expect.poll(() => reorderedReplyCount).toBeGreaterThan(0)
  await waitUntilSettled(page)
  const { shifts } = await takePerformanceRecords(page)
  await watchlistButton.click()
  expect(computeCumulativeLayoutShift(shifts)).toBeLessThan(MAX_CUMULATIVE_LAYOUT_SHIFT)
  expect(displayedTitles.length).toBeGreaterThan(6)
  expect(await listTopPicks()).toEqual(displayedTitles)
})
