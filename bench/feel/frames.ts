/** Measures how smoothly rows scroll: frames presented by the compositor, read from a browser trace. */
import type { Browser, Page } from 'playwright'

export interface ScrollFrameStats {
  /** Presented frames per second, counted only over the time in which frames were due. */
  perSecond: number
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
  input: 'wheel' | 'arrows' | 'page',
): Promise<ScrollFrameStats> {
  const row = page.locator(ROW_SELECTOR)
  await row.scrollIntoViewIfNeeded()
  await page.waitForTimeout(1_500)
  const bounds = await row.boundingBox()
  if (!bounds) throw new Error('no row to scroll')
  await page.evaluate(recordFrameIntervals)
  await browser.startTracing(page, { categories: ['benchmark', 'cc'] })
  if (input === 'arrows') await holdArrowKey(page)
  else await scrollByWheel(page, bounds, input === 'page')
  const trace = await browser.stopTracing()
  const intervalsMs = await page.evaluate(() =>
    (window as unknown as { __stopRecording: () => number[] }).__stopRecording(),
  )
  await row.evaluate((rowElement) => rowElement.scrollTo({ left: 0, behavior: 'instant' }))
  return computeFrameStats(JSON.parse(trace.toString()).traceEvents, intervalsMs)
}

async function scrollByWheel(
  page: Page,
  bounds: { x: number; y: number },
  isVertical: boolean,
): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Input.synthesizeScrollGesture', {
    x: Math.round(bounds.x + 400),
    y: Math.round(bounds.y + 60),
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
  const counts = { shown: 0, dropped: 0 }
  for (const { name, ph, args } of events) {
    if (name !== 'PipelineReporter' || ph !== 'b') continue
    const state = (args?.chrome_frame_reporter ?? args?.frame_reporter)?.state
    if (state === 'STATE_PRESENTED_ALL' || state === 'STATE_PRESENTED_PARTIAL') counts.shown++
    if (state === 'STATE_DROPPED') counts.dropped++
  }
  const dueCount = counts.shown + counts.dropped
  const sortedIntervalsMs = [...intervalsMs].sort((a, b) => a - b)
  return {
    perSecond: dueCount === 0 ? Number.NaN : (counts.shown / dueCount) * (1_000 / FRAME_MS),
    droppedFraction: dueCount === 0 ? Number.NaN : counts.dropped / dueCount,
    intervalP95Ms: sortedIntervalsMs[Math.floor(sortedIntervalsMs.length * 0.95)] ?? Number.NaN,
  }
}
