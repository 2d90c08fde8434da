/**
 * Measures how smoothly rows and the page scroll: counts the frames that the compositor presents, from a browser trace.
 */
import type { Browser, Page } from 'playwright'

export interface ScrollFrameStats {
  /** Presented frames per second: 60 times the fraction of due frames that were presented. */
  framesPerSecond: number
  /** Fraction of due frames that were dropped. */
  droppedFraction: number
  /** 95th percentile of the intervals between the page's own frames (requestAnimationFrame), in ms. */
  intervalP95Ms: number
}
interface TraceEvent {
  name: string
  ph: string
  args?: {
    frame_reporter?: { state?: string; frame_type?: string }
    chrome_frame_reporter?: { state?: string; frame_type?: string }
  }
}
const ROW_SELECTOR = 'section[aria-label="Popular Movies Right Now"] .row-track'
const FRAME_MS = 1_000 / 60

export async function measureRowScroll(
  browser: Browser,
  page: Page,
  inputKind: 'wheel' | 'arrows' | 'page',
): Promise<ScrollFrameStats> {
  const cardRow = page.locator(ROW_SELECTOR)
  await cardRow.scrollIntoViewIfNeeded()
  await page.waitForTimeout(1_500)
  const rowBox = await cardRow.boundingBox()
  if (!rowBox) throw new Error('no row to scroll')
  await page.evaluate(recordFrameIntervals)
  await browser.startTracing(page, { categories: ['benchmark', 'cc'] })
  if (inputKind === 'arrows') await holdArrowKey(page)
  else await scrollByWheel(page, rowBox, inputKind === 'page')
  const traceBytes = await browser.stopTracing()
  const intervalsMs = await page.evaluate(() =>
    (window as unknown as { __stopRecording: () => number[] }).__stopRecording(),
  )
  await cardRow.evaluate((rowElement) => rowElement.scrollTo({ left: 0, behavior: 'instant' }))
  return computeFrameStats(JSON.parse(traceBytes.toString()).traceEvents, intervalsMs)
}

async function scrollByWheel(
  page: Page,
  rowBox: { x: number; y: number },
  isVertical: boolean,
): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Input.synthesizeScrollGesture', {
    x: Math.round(rowBox.x + 400),
    y: Math.round(rowBox.y + 60),
    ...(isVertical ? { yDistance: -1_500 } : { xDistance: -2_000 }),
    speed: 1_200,
    /* A touch gesture would not scroll, because the context is created without touch support. */
    gestureSourceType: 'mouse',
  })
  await cdp.detach()
}

async function holdArrowKey(page: Page): Promise<void> {
  await page.locator(`${ROW_SELECTOR} a`).first().focus()
  for (let repetition = 0; repetition < 12; repetition++) {
    await page.keyboard.down('ArrowRight')
    await page.waitForTimeout(140)
  }
  await page.keyboard.up('ArrowRight')
}

function recordFrameIntervals(): void {
  const intervalsMs: number[] = []
  let previousMs = 0
  let isRunning = true
  const onFrame = (nowMs: number) => {
    if (previousMs > 0) intervalsMs.push(nowMs - previousMs)
    previousMs = nowMs
    if (isRunning) requestAnimationFrame(onFrame)
  }
  requestAnimationFrame(onFrame)
  const stopRecording = () => {
    isRunning = false
    return intervalsMs
  }
  Object.assign(window, { __stopRecording: stopRecording })
}

function computeFrameStats(events: readonly TraceEvent[], intervalsMs: number[]): ScrollFrameStats {
  const frameCounts = { presented: 0, dropped: 0 }
  for (const { name, ph, args } of events) {
    if (name !== 'PipelineReporter' || ph !== 'b') continue
    const frameState = (args?.chrome_frame_reporter ?? args?.frame_reporter)?.state
    if (frameState === 'STATE_PRESENTED_ALL' || frameState === 'STATE_PRESENTED_PARTIAL')
      frameCounts.presented++
    if (frameState === 'STATE_DROPPED') frameCounts.dropped++
  }
  const dueFrameCount = frameCounts.presented + frameCounts.dropped
  const sortedIntervalsMs = [...intervalsMs].sort((a, b) => a - b)
  return {
    framesPerSecond:
      dueFrameCount === 0 ? Number.NaN : (frameCounts.presented / dueFrameCount) * (1_000 / FRAME_MS),
    droppedFraction: dueFrameCount === 0 ? Number.NaN : frameCounts.dropped / dueFrameCount,
    intervalP95Ms: sortedIntervalsMs[Math.floor(sortedIntervalsMs.length * 0.95)] ?? Number.NaN,
  }
}
