/** Measures the time from a click on a card of the home page to the frame that shows the title of the next page. */
import type { BrowserContext, Page } from 'playwright'
import { openThrottledPage } from './page-load.ts'

/**
 * Time that a user looks at the page before the first click. The shells of the next pages are prefetched in this time.
 */
const PAUSE_BEFORE_FIRST_CLICK_MS = 7_000
const PAUSE_BEFORE_CLICK_MS = 2_500
const MOUSE_PRESS_MS = 60
const HOVER_MS = 150
const PAUSE_AFTER_CLICK_MS = 1_500
const CARD_SELECTOR = '.row-track a[href*="/movies/"]'

interface ClickRecord {
  isHeadingInFirstFrame: boolean
  /** Time from the click to the presentation of the first frame after it (Event Timing API). */
  firstFrameMs?: number
  /**
   * Time from the click to the presentation of the first frame with the heading in the new page (Element Timing API).
   */
  headingMs?: number
}

/**
 * Clicks a card, returns to the home page, and repeats. Returns for each click the time in ms until the frame that
 * shows the title.
 */
export async function measureClicks(
  context: BrowserContext,
  url: string,
  clickCount: number,
): Promise<number[]> {
  const { page } = await openThrottledPage(context, { usesCache: true })
  await page.addInitScript(recordTitleFrames)
  await page.goto(url)
  await page.locator(CARD_SELECTOR).first().waitFor({ timeout: 60_000 })
  await page.waitForTimeout(PAUSE_BEFORE_FIRST_CLICK_MS)
  const durationsMs: number[] = []
  for (let clickIndex = 0; clickIndex < clickCount; clickIndex++)
    durationsMs.push(await clickCard(page, clickIndex % 5))
  await page.close()
  return durationsMs
}

async function clickCard(page: Page, cardIndex: number): Promise<number> {
  const card = page.locator(CARD_SELECTOR).nth(cardIndex)
  await card.waitFor({ timeout: 30_000 })
  await page.waitForTimeout(PAUSE_BEFORE_CLICK_MS)
  await card.hover()
  await page.waitForTimeout(HOVER_MS)
  await page.mouse.down()
  await page.waitForTimeout(MOUSE_PRESS_MS)
  await page.mouse.up()
  /*
   * The result is read only after this time, because a script that runs in the page earlier would change the measured
   * times.
   */
  await page.waitForTimeout(PAUSE_AFTER_CLICK_MS)
  const { isHeadingInFirstFrame, firstFrameMs, headingMs } = await page.evaluate(
    () => (window as unknown as { __clickRecord: ClickRecord }).__clickRecord,
  )
  const durationMs = isHeadingInFirstFrame ? (firstFrameMs ?? headingMs) : headingMs
  if (durationMs === undefined)
    throw new Error('The click did not show a title without loading a new document')
  await page.goBack()
  return durationMs
}

/**
 * Runs in the page. Records when the name of the clicked title is painted. If the cover shows the name over the old
 * page, the name is painted in the first frame after the click; otherwise it is painted in a frame of the new page.
 * Event Timing measures the first frame, because Element Timing does not report an element that is removed again, such
 * as the cover.
 */
function recordTitleFrames(): void {
  const clickRecord: ClickRecord = { isHeadingInFirstFrame: false }
  Object.assign(window, { __clickRecord: clickRecord })
  let clickedAtMs = 0
  const markHeadings = () => {
    for (const heading of document.querySelectorAll('article h1:not([elementtiming])'))
      heading.setAttribute('elementtiming', 'title')
  }
  new MutationObserver(markHeadings).observe(document, { childList: true, subtree: true })
  new PerformanceObserver((entryList) => {
    for (const entry of entryList.getEntries() as (PerformanceEntry & { renderTime: number })[])
      clickRecord.headingMs ??= entry.renderTime - clickedAtMs
  }).observe({ type: 'element', buffered: true })
  new PerformanceObserver((entryList) => {
    for (const { name, startTime, duration } of entryList.getEntries())
      if (name === 'click' && startTime === clickedAtMs) clickRecord.firstFrameMs = duration
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
  addEventListener(
    'click',
    ({ timeStamp }) => {
      clickedAtMs = timeStamp
      delete clickRecord.headingMs
      delete clickRecord.firstFrameMs
      clickRecord.isHeadingInFirstFrame = false
      requestAnimationFrame(() => {
        clickRecord.isHeadingInFirstFrame = Boolean(
          document.querySelector('article h1:not([hidden])')?.textContent,
        )
      })
    },
    { capture: true },
  )
}
