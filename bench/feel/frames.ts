/** How evenly rows move: frames that reached the screen while one scrolls, by the compositor's own account. */
import type { Browser, Page } from 'playwright'

export interface Frames {
  /** Frames a second that were shown, of the time in which something was to be shown. */
  perSecond: number
  /** Share of the frames due that came late or not at all. */
  dropped: number
  /** Of the page's own frames (requestAnimationFrame): the 95th longest interval, ms. */
  p95Ms: number
}
interface TraceEvent {
  name: string
  ph: string
  args?: {
    frame_reporter?: { state?: string; frame_type?: string }
    chrome_frame_reporter?: { state?: string; frame_type?: string }
  }
}
const ROW = 'section[aria-label="Popular Movies Right Now"] .row-track'
const FRAME_MS = 1_000 / 60

export async function scrollRow(
  browser: Browser,
  page: Page,
  how: 'wheel' | 'arrows' | 'page',
): Promise<Frames> {
  const row = page.locator(ROW)
  await row.scrollIntoViewIfNeeded()
  await page.waitForTimeout(1_500)
  const box = await row.boundingBox()
  if (!box) throw new Error('no row to scroll')
  await page.evaluate(countFrames)
  await browser.startTracing(page, { categories: ['benchmark', 'cc'] })
  if (how === 'arrows') await holdArrow(page)
  else await wheel(page, box, how === 'page')
  const trace = await browser.stopTracing()
  const intervals = await page.evaluate(() =>
    (window as unknown as { __intervals: () => number[] }).__intervals(),
  )
  await row.evaluate((list) => list.scrollTo({ left: 0, behavior: 'instant' }))
  return judge(JSON.parse(trace.toString()).traceEvents, intervals)
}

async function wheel(page: Page, box: { x: number; y: number }, down: boolean): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Input.synthesizeScrollGesture', {
    x: Math.round(box.x + 400),
    y: Math.round(box.y + 60),
    ...(down ? { yDistance: -1_500 } : { xDistance: -2_000 }),
    speed: 1_200,
    /* Not by touch: this tab has none, so the row would stand still and the card under the finger be held. */
    gestureSourceType: 'mouse',
  })
  await cdp.detach()
}

async function holdArrow(page: Page): Promise<void> {
  await page.locator(`${ROW} a`).first().focus()
  for (let at = 0; at < 12; at++) {
    await page.keyboard.down('ArrowRight')
    await page.waitForTimeout(140)
  }
  await page.keyboard.up('ArrowRight')
}

function countFrames(): void {
  const intervals: number[] = []
  let last = 0
  let running = true
  const tick = (now: number) => {
    if (last > 0) intervals.push(now - last)
    last = now
    if (running) requestAnimationFrame(tick)
  }
  requestAnimationFrame(tick)
  const stop = () => {
    running = false
    return intervals
  }
  Object.assign(window, { __intervals: stop })
}

function judge(events: readonly TraceEvent[], intervals: number[]): Frames {
  const counts = { shown: 0, dropped: 0 }
  for (const { name, ph, args } of events) {
    if (name !== 'PipelineReporter' || ph !== 'b') continue
    const state = (args?.chrome_frame_reporter ?? args?.frame_reporter)?.state
    if (state === 'STATE_PRESENTED_ALL' || state === 'STATE_PRESENTED_PARTIAL') counts.shown++
    if (state === 'STATE_DROPPED') counts.dropped++
  }
  const due = counts.shown + counts.dropped
  const sorted = [...intervals].sort((a, b) => a - b)
  return {
    perSecond: due === 0 ? Number.NaN : (counts.shown / due) * (1_000 / FRAME_MS),
    dropped: due === 0 ? Number.NaN : counts.dropped / due,
    p95Ms: sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN,
  }
}
