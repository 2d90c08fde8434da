/** What the browser itself notes of a page: how long interactions took to the next paint, what moved, what was large. */
import type { Page } from 'playwright'

/** One tap or key press, as Event Timing has it; times in ms. */
export interface Interaction {
  event: string
  target: string
  /** From the input to the next paint. */
  ms: number
  /** Until its listeners ran, while they ran, and from then to the paint. */
  delay: number
  processing: number
  presentation: number
}
export interface Shift {
  value: number
  at: number
  path: string
  /** What moved: element and its top before and after. */
  sources: string[]
}
export interface Seen {
  interactions: Interaction[]
  shifts: Shift[]
  /** Of the last navigation that was a load; ms. */
  lcp: number
  lcpOf: string
  /** Long tasks' time above 50 ms each (total blocking time). */
  blocked: number
}

interface Notes {
  events: (Interaction & { id: number })[]
  shifts: Shift[]
  lcp: number
  lcpOf: string
  blocked: number
}

/** From the next load of the page on. */
export async function observe(page: Page): Promise<void> {
  await page.addInitScript(takeNotes)
}

/** What was noted since the last call; the page may have been loaded anew meanwhile, and then only since that. */
export async function drain(page: Page): Promise<Seen> {
  const notes = await page.evaluate(() => {
    const { __notes } = window as unknown as { __notes: Notes }
    const copy = structuredClone(__notes)
    __notes.events.length = 0
    __notes.shifts.length = 0
    return copy
  })
  const longest = new Map<number, Interaction>()
  for (const { id, ...one } of notes.events) if (one.ms > (longest.get(id)?.ms ?? -1)) longest.set(id, one)
  return { ...notes, interactions: [...longest.values()] }
}

/** Cumulative layout shift by its definition: the worst window of at most 5 s with gaps under 1 s. */
export function cumulative(shifts: readonly Shift[]): number {
  let worst = 0
  let sum = 0
  let first = 0
  let last = Number.NEGATIVE_INFINITY
  for (const { at, value } of shifts) {
    if (at - last > 1_000 || at - first > 5_000) {
      sum = 0
      first = at
    }
    sum += value
    last = at
    worst = Math.max(worst, sum)
  }
  return worst
}

/** Runs in the page: names nothing outside itself. */
function takeNotes(): void {
  const notes: Notes = { events: [], shifts: [], lcp: 0, lcpOf: '', blocked: 0 }
  Object.assign(window, { __notes: notes })
  const say = (node: Node | null | undefined) => {
    const element = node instanceof Element ? node : node?.parentElement
    if (!element) return 'nothing'
    const name = element.getAttribute('aria-label') ?? element.textContent ?? ''
    const kind = element.tagName.toLowerCase()
    return `${kind}.${String(element.className).split(' ').slice(0, 3).join('.')} "${name.trim().slice(0, 30)}"`
  }
  const watch = (type: string, note: (entry: never) => void, more = {}) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) note(entry as never)
    }).observe({ type, buffered: true, ...more })
  const onEvent = (entry: PerformanceEventTiming & { interactionId: number }) => {
    if (!entry.interactionId) return
    notes.events.push({
      id: entry.interactionId,
      event: entry.name,
      target: say(entry.target),
      ms: entry.duration,
      delay: entry.processingStart - entry.startTime,
      processing: entry.processingEnd - entry.processingStart,
      presentation: Math.max(0, entry.startTime + entry.duration - entry.processingEnd),
    })
  }
  watch('event', onEvent, { durationThreshold: 16 })
  watch('first-input', onEvent)
  interface LayoutShift extends PerformanceEntry {
    value: number
    hadRecentInput: boolean
    sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
  }
  watch('layout-shift', (entry: LayoutShift) => {
    if (entry.hadRecentInput) return
    const box = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(' ')
    notes.shifts.push({
      value: entry.value,
      at: entry.startTime,
      path: location.pathname,
      sources: entry.sources.map(
        ({ node, previousRect, currentRect }) => `${say(node)}: ${box(previousRect)} -> ${box(currentRect)}`,
      ),
    })
  })
  watch('largest-contentful-paint', (entry: PerformanceEntry & { element: Element | null }) => {
    notes.lcp = entry.startTime
    notes.lcpOf = say(entry.element)
  })
  watch('longtask', (entry: PerformanceEntry) => {
    notes.blocked += Math.max(0, entry.duration - 50)
  })
}
