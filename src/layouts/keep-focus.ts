/**
 * Something always has the focus: what disappears leaves it to what stands nearest, and Back finds it on the link that the
 * page was left by. While a remote drives, each page begins so, else on the first thing to do.
 */
import type { TransitionBeforePreparationEvent } from 'astro:transitions/client'
import { isRemote, setCameFrom } from '../islands/remote.ts'
import { put, room, stopsIn } from './stops.ts'

interface Place {
  element: HTMLElement
  x: number
  y: number
}
let last: Place | null = null
/** Address of a page -> the link that was left by. */
const lefts = new Map<string, string>()

/** How long a page may take to show again what it was left by; a remote has to stand somewhere before long. */
const PATIENCE_MS = 10_000
const REMOTE_PATIENCE_MS = 3_000
let arrived = performance.now()
/** Since when the page is on its way out: what it loses until the next is there is no loss. */
let leaving = Number.NEGATIVE_INFINITY
/** The page was come back to, and nothing has taken the focus since. */
let back = false

function note(element: EventTarget | null): void {
  if (!(element instanceof HTMLElement) || element === document.body) return
  back = false
  const { left, right, top, bottom } = element.getBoundingClientRect()
  last = { element, x: (left + right) / 2, y: (top + bottom) / 2 }
}

const isLost = () => {
  const { activeElement: active } = document
  return active === null || active === document.body || !room().contains(active)
}

function mend(): void {
  soon = false
  if (performance.now() - leaving < REMOTE_PATIENCE_MS) return
  if (!isLost() || document.querySelector('video')) return
  if (last && !last.element.isConnected) {
    const { x, y } = last
    last = null
    const stop = nearestTo(x, y)
    if (stop) put(stop)
  } else if (!last && (back || isRemote())) begin()
}

function nearestTo(x: number, y: number): HTMLElement | undefined {
  const stops = stopsIn(room())
  const inside = stops.filter((one) => one.closest('main,dialog'))
  const far = (one: HTMLElement) => {
    const { left, right, top, bottom } = one.getBoundingClientRect()
    return Math.hypot((left + right) / 2 - x, (top + bottom) / 2 - y)
  }
  let best: HTMLElement | undefined
  let least = Number.POSITIVE_INFINITY
  for (const one of inside.length > 0 ? inside : stops) {
    const cost = far(one)
    if (cost < least) {
      best = one
      least = cost
    }
  }
  return best
}

function begin(): void {
  const main = document.querySelector('main')
  if (!main) return
  const left = lefts.get(location.href)
  const again = left && main.querySelector<HTMLElement>(`a[href="${CSS.escape(left)}"]`)
  const patience = isRemote() ? REMOTE_PATIENCE_MS : PATIENCE_MS
  if (left && !again && performance.now() - arrived < patience) return void later(patience)
  back = false
  const first = again || (isRemote() && (main.querySelector<HTMLElement>('[data-first]') || stopsIn(main)[0]))
  if (first) put(first)
}

let soon = false
let timer: ReturnType<typeof setTimeout> | undefined
function later(ms: number): void {
  if (soon) return
  soon = ms === 0
  clearTimeout(timer)
  /* After the islands' own effects, which may know better. */
  timer = setTimeout(mend, ms)
}

document.addEventListener('focusin', (event) => note(event.target))
/* A card that was scrolled since is remembered where it stands now. */
document.addEventListener('keydown', () => note(document.activeElement), { capture: true })
document.addEventListener('pointerdown', () => note(document.activeElement), { capture: true })
new MutationObserver(() => {
  if (isLost() && (back || isRemote() || (last && !last.element.isConnected))) later(0)
}).observe(document, { childList: true, subtree: true, attributeFilter: ['disabled', 'hidden', 'open'] })

document.addEventListener('astro:before-preparation', (event) => {
  const { from, to, navigationType } = event as TransitionBeforePreparationEvent
  const link = document.activeElement?.getAttribute('href')
  if (link) lefts.set(from.href, link)
  if (from.href !== to.href) setCameFrom(navigationType === 'push' ? from.href : null)
  back = navigationType === 'traverse'
  leaving = performance.now()
})
document.addEventListener('astro:after-swap', () => {
  leaving = Number.NEGATIVE_INFINITY
  last = null
  arrived = performance.now()
  if (back || isRemote()) later(0)
})
if (isRemote()) later(0)
