/**
 * Performance entries that the browser records for a page: interactions, layout shifts, largest paint and long tasks.
 */
import type { Page } from 'playwright'

/** One tap or key press, as reported by the Event Timing API. */
export interface InteractionTiming {
  event: string
  target: string
  /** Time from the input to the next paint (Interaction to Next Paint). */
  durationMs: number
  /** Input delay, processing time and presentation delay, which add up to `durationMs`. */
  inputDelayMs: number
  processingMs: number
  presentationDelayMs: number
}
export interface LayoutShiftRecord {
  value: number
  atMs: number
  path: string
  /** Each shifted element with its rectangles before and after the shift. */
  sources: string[]
}
export interface PagePerformance {
  interactions: InteractionTiming[]
  shifts: LayoutShiftRecord[]
  /** Largest contentful paint of the last full page load, in ms. */
  lcpMs: number
  lcpElement: string
  /** Total blocking time: the sum of the parts of long tasks that exceed 50 ms. */
  totalBlockingMs: number
}

/** The entries as the script in the page collects them. */
interface CollectedEntries {
  events: (InteractionTiming & { id: number })[]
  shifts: LayoutShiftRecord[]
  lcpMs: number
  lcpElement: string
  totalBlockingMs: number
}

/** Installs a script that records the performance entries of every page that the tab loads from now on. */
export async function observePerformance(page: Page): Promise<void> {
  await page.addInitScript(recordPerformance)
}

/**
 * Returns the interactions and layout shifts since the last call or since the last page load, whichever is later, and
 * clears them. Largest paint and blocking time are those since the last page load.
 */
export async function takePerformanceRecords(page: Page): Promise<PagePerformance> {
  const collectedEntries = await page.evaluate(() => {
    const { __performanceRecords } = window as unknown as { __performanceRecords: CollectedEntries }
    const copiedRecords = structuredClone(__performanceRecords)
    __performanceRecords.events.length = 0
    __performanceRecords.shifts.length = 0
    return copiedRecords
  })
  const longestById = new Map<number, InteractionTiming>()
  for (const { id, ...interaction } of collectedEntries.events)
    if (interaction.durationMs > (longestById.get(id)?.durationMs ?? -1)) longestById.set(id, interaction)
  return { ...collectedEntries, interactions: [...longestById.values()] }
}

/**
 * Returns the cumulative layout shift as defined by web.dev: the largest sum of the shifts in one session window. A
 * session window lasts at most 5 s, with gaps of at most 1 s between shifts.
 */
export function computeCumulativeLayoutShift(shifts: readonly LayoutShiftRecord[]): number {
  let largestSum = 0
  let windowSum = 0
  let windowStartMs = 0
  let previousMs = Number.NEGATIVE_INFINITY
  for (const { atMs, value: shiftValue } of shifts) {
    if (atMs - previousMs > 1_000 || atMs - windowStartMs > 5_000) {
      windowSum = 0
      windowStartMs = atMs
    }
    windowSum += shiftValue
    previousMs = atMs
    largestSum = Math.max(largestSum, windowSum)
  }
  return largestSum
}

/**
 * Collects performance entries in `window.__performanceRecords`. Runs in the page, so it must not refer to anything
 * outside its own body.
 */
function recordPerformance(): void {
  const collectedEntries: CollectedEntries = {
    events: [],
    shifts: [],
    lcpMs: 0,
    lcpElement: '',
    totalBlockingMs: 0,
  }
  Object.assign(window, { __performanceRecords: collectedEntries })
  const describeNode = (node: Node | null | undefined) => {
    const element = node instanceof Element ? node : node?.parentElement
    if (!element) return 'nothing'
    const elementName = element.getAttribute('aria-label') ?? element.textContent ?? ''
    const tagName = element.tagName.toLowerCase()
    return `${tagName}.${String(element.className).split(' ').slice(0, 3).join('.')} "${elementName.trim().slice(0, 30)}"`
  }
  const observeEntries = (entryType: string, handleEntry: (entry: never) => void, options = {}) =>
    new PerformanceObserver((entryList) => {
      for (const entry of entryList.getEntries()) handleEntry(entry as never)
    }).observe({ type: entryType, buffered: true, ...options })
  const recordEventTiming = (entry: PerformanceEventTiming & { interactionId: number }) => {
    if (!entry.interactionId) return
    collectedEntries.events.push({
      id: entry.interactionId,
      event: entry.name,
      target: describeNode(entry.target),
      durationMs: entry.duration,
      inputDelayMs: entry.processingStart - entry.startTime,
      processingMs: entry.processingEnd - entry.processingStart,
      presentationDelayMs: Math.max(0, entry.startTime + entry.duration - entry.processingEnd),
    })
  }
  observeEntries('event', recordEventTiming, { durationThreshold: 16 })
  observeEntries('first-input', recordEventTiming)
  interface LayoutShift extends PerformanceEntry {
    value: number
    hadRecentInput: boolean
    sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
  }
  observeEntries('layout-shift', (entry: LayoutShift) => {
    if (entry.hadRecentInput) return
    const formatRect = ({ x, y, width, height }: DOMRectReadOnly) =>
      [x, y, width, height].map(Math.round).join(' ')
    collectedEntries.shifts.push({
      value: entry.value,
      atMs: entry.startTime,
      path: location.pathname,
      sources: entry.sources.map(
        ({ node, previousRect, currentRect }) =>
          `${describeNode(node)}: ${formatRect(previousRect)} -> ${formatRect(currentRect)}`,
      ),
    })
  })
  observeEntries('largest-contentful-paint', (entry: PerformanceEntry & { element: Element | null }) => {
    collectedEntries.lcpMs = entry.startTime
    collectedEntries.lcpElement = describeNode(entry.element)
  })
  observeEntries('longtask', (entry: PerformanceEntry) => {
    collectedEntries.totalBlockingMs += Math.max(0, entry.duration - 50)
  })
}
