/** Measures the largest contentful paint of a page, the steps before this paint, and the bytes of the visit. */
import type { BrowserContext, CDPSession, Page } from 'playwright'
import { CPU_SLOWDOWN_FACTOR, SLOW_4G } from '../feel/bench-household.ts'

export interface PageLoad {
  lcpMs: number
  /**
   * Times in ms from the start of the navigation to the end of each step. `data` and `picture` are undefined if the
   * page has no such step.
   */
  stepEndTimesMs: { document: number; data: number | undefined; picture: number | undefined; paint: number }
  /** Transferred bytes, including the response headers, by the kind of the transfer (see `classifyTransfer`). */
  bytesByKind: Record<string, number>
}
interface LoadEntries {
  lcpMs: number
  pictureUrl: string
  responseEndMsByUrl: Record<string, number>
  /** URLs of the pictures on the first screen. */
  visiblePictureUrls: string[]
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

/**
 * Loads a page in a new tab, waits for `readySelector`, and waits `settleMs` more, so that the largest paint is
 * complete.
 */
export async function measurePageLoad(
  context: BrowserContext,
  url: string,
  readySelector: string,
  { settleMs, usesCache = false, prepare }: { settleMs: number; usesCache?: boolean; prepare?: () => void },
): Promise<PageLoad> {
  const { page, cdp } = await openThrottledPage(context, { usesCache })
  const transfersById = recordTransfers(cdp)
  await page.addInitScript(observeLargestPaint)
  if (prepare) await page.addInitScript(prepare)
  await page.goto(url)
  await page.locator(readySelector).first().waitFor({ timeout: 60_000 })
  await page.waitForTimeout(settleMs)
  const { lcpMs, pictureUrl, responseEndMsByUrl, visiblePictureUrls } = await readEntries(page)
  await page.close()
  const dataUrl = Object.keys(responseEndMsByUrl).find((entryUrl) => entryUrl.includes('/api/auth/refresh'))
  return {
    lcpMs,
    stepEndTimesMs: {
      document: responseEndMsByUrl[url] ?? Number.NaN,
      data: dataUrl === undefined ? undefined : responseEndMsByUrl[dataUrl],
      picture: responseEndMsByUrl[pictureUrl],
      paint: lcpMs,
    },
    bytesByKind: sumBytes(transfersById, new Set(visiblePictureUrls)),
  }
}

interface RecordedTransfer {
  url: string
  priority: string
  resourceType: string
  bytes: number
}

function recordTransfers(cdp: CDPSession): Map<string, RecordedTransfer> {
  const transfersById = new Map<string, RecordedTransfer>()
  cdp.on('Network.requestWillBeSent', ({ requestId, request, type = 'Other' }) =>
    transfersById.set(requestId, {
      url: request.url,
      priority: request.initialPriority,
      resourceType: type,
      bytes: 0,
    }),
  )
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const transfer = transfersById.get(requestId)
    if (transfer) transfer.bytes = encodedDataLength
  })
  return transfersById
}

function sumBytes(
  transfersById: Map<string, RecordedTransfer>,
  visiblePictureUrls: ReadonlySet<string>,
): Record<string, number> {
  const bytesByKind: Record<string, number> = {}
  for (const transfer of transfersById.values()) {
    const transferKind = classifyTransfer(transfer, visiblePictureUrls)
    bytesByKind[transferKind] = (bytesByKind[transferKind] ?? 0) + transfer.bytes
  }
  return bytesByKind
}

/**
 * Returns the kind of a transfer. `below` is a picture outside the first screen. `advance` is a transfer with low
 * priority that is not a picture; the browser starts it before the page needs it. `data` is an API response. All other
 * transfers have their resource type, such as `script`.
 */
function classifyTransfer(
  { url, priority, resourceType }: RecordedTransfer,
  visiblePictureUrls: ReadonlySet<string>,
): string {
  const isPicture = resourceType === 'Image'
  if (isPicture && !visiblePictureUrls.has(url)) return 'below'
  if (!isPicture && priority === 'Low') return 'advance'
  return url.includes('/api/') ? 'data' : resourceType.toLowerCase()
}

/**
 * Stores the largest paint so far in `window.__largestPaint`. Runs in the page, so it must not refer to anything
 * outside its own body.
 */
function observeLargestPaint(): void {
  const largestPaint = { lcpMs: 0, pictureUrl: '' }
  Object.assign(window, { __largestPaint: largestPaint })
  new PerformanceObserver((entryList) => {
    for (const entry of entryList.getEntries() as (PerformanceEntry & { url: string })[]) {
      largestPaint.lcpMs = entry.startTime
      largestPaint.pictureUrl = entry.url
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true })
}

const readEntries = (page: Page): Promise<LoadEntries> =>
  page.evaluate(() => {
    const { __largestPaint } = window as unknown as { __largestPaint: { lcpMs: number; pictureUrl: string } }
    const performanceEntries = [
      ...performance.getEntriesByType('resource'),
      ...performance.getEntriesByType('navigation'),
    ] as PerformanceResourceTiming[]
    const responseEndMsByUrl = Object.fromEntries(
      performanceEntries.map(({ name, responseEnd }) => [name, responseEnd]),
    )
    const visiblePictureUrls = [...document.images]
      .filter((image) => {
        const { top, left, bottom, right } = image.getBoundingClientRect()
        return top < innerHeight && left < innerWidth && bottom > 0 && right > 0
      })
      .map(({ currentSrc }) => currentSrc)
    return { ...__largestPaint, responseEndMsByUrl, visiblePictureUrls }
  })
