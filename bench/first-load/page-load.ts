/** Measures the largest contentful paint of a page, the steps before this paint, and the bytes of the visit. */
import type { BrowserContext, CDPSession, Page } from 'playwright'
import { CPU_SLOWDOWN_FACTOR, SLOW_4G } from '../feel/bench-household.ts'

export interface PageLoad {
  lcpMs: number
  /** Times of the steps up to the largest paint, in ms. `data` and `picture` are undefined if the page has no such step. */
  steps: { document: number; data: number | undefined; picture: number | undefined; paint: number }
  /**
   * Transferred bytes by kind, including the response headers. Pages that are fetched in advance (`advance`) and pictures
   * outside the first screen (`below`) have their own kinds.
   */
  bytes: Record<string, number>
}
interface LoadEntries {
  lcpMs: number
  pictureUrl: string
  responseEnds: Record<string, number>
  /** URLs of the pictures on the first screen. */
  visiblePictures: string[]
}

/** Time in which the browser finishes the work that it does for every new tab. */
const TAB_SETTLE_MS = 1_200

export async function openThrottledPage(context: BrowserContext, { usesCache = false } = {}) {
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: !usesCache })
  await cdp.send('Network.emulateNetworkConditions', SLOW_4G)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN_FACTOR })
  await page.waitForTimeout(TAB_SETTLE_MS)
  return { page, cdp }
}

/** Loads a page in a new tab, waits for `readySelector`, and waits `settleMs` more, so that the largest paint is complete. */
export async function measurePageLoad(
  context: BrowserContext,
  url: string,
  readySelector: string,
  { settleMs, usesCache = false, prepare }: { settleMs: number; usesCache?: boolean; prepare?: () => void },
): Promise<PageLoad> {
  const { page, cdp } = await openThrottledPage(context, { usesCache })
  const transfers = recordTransfers(cdp)
  await page.addInitScript(observeLargestPaint)
  if (prepare) await page.addInitScript(prepare)
  await page.goto(url)
  await page.locator(readySelector).first().waitFor({ timeout: 60_000 })
  await page.waitForTimeout(settleMs)
  const { lcpMs, pictureUrl, responseEnds, visiblePictures } = await readEntries(page)
  await page.close()
  const dataUrl = Object.keys(responseEnds).find((name) => name.includes('/api/auth/refresh'))
  return {
    lcpMs,
    steps: {
      document: responseEnds[url] ?? Number.NaN,
      data: dataUrl === undefined ? undefined : responseEnds[dataUrl],
      picture: responseEnds[pictureUrl],
      paint: lcpMs,
    },
    bytes: sumBytes(transfers, new Set(visiblePictures)),
  }
}

interface Transfer {
  url: string
  priority: string
  type: string
  bytes: number
}

function recordTransfers(cdp: CDPSession): Map<string, Transfer> {
  const transfers = new Map<string, Transfer>()
  cdp.on('Network.requestWillBeSent', ({ requestId, request, type = 'Other' }) =>
    transfers.set(requestId, { url: request.url, priority: request.initialPriority, type, bytes: 0 }),
  )
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const transfer = transfers.get(requestId)
    if (transfer) transfer.bytes = encodedDataLength
  })
  return transfers
}

function sumBytes(
  transfers: Map<string, Transfer>,
  visiblePictures: ReadonlySet<string>,
): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { url, priority, type, bytes } of transfers.values()) {
    const isPicture = type === 'Image'
    const kind =
      isPicture && !visiblePictures.has(url)
        ? 'below'
        : !isPicture && priority === 'Low'
          ? 'advance'
          : url.includes('/api/')
            ? 'data'
            : type.toLowerCase()
    sums[kind] = (sums[kind] ?? 0) + bytes
  }
  return sums
}

/** This function runs in the page. */
function observeLargestPaint(): void {
  const paint = { lcpMs: 0, pictureUrl: '' }
  Object.assign(window, { __largestPaint: paint })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { url: string })[]) {
      paint.lcpMs = entry.startTime
      paint.pictureUrl = entry.url
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true })
}

const readEntries = (page: Page): Promise<LoadEntries> =>
  page.evaluate(() => {
    const { __largestPaint } = window as unknown as { __largestPaint: { lcpMs: number; pictureUrl: string } }
    const entries = [
      ...performance.getEntriesByType('resource'),
      ...performance.getEntriesByType('navigation'),
    ] as PerformanceResourceTiming[]
    const responseEnds = Object.fromEntries(entries.map(({ name, responseEnd }) => [name, responseEnd]))
    const visiblePictures = [...document.images]
      .filter((image) => {
        const { top, left, bottom, right } = image.getBoundingClientRect()
        return top < innerHeight && left < innerWidth && bottom > 0 && right > 0
      })
      .map(({ currentSrc }) => currentSrc)
    return { ...__largestPaint, responseEnds, visiblePictures }
  })
