/** Waits until a pointer rests on a card: one that passes over it, however slowly, opens nothing. */

/** From entering the card; the last part of it is spent still. */
const REST_MS = 450
const STILL_MS = 100
/** What a hand trembles, in pixels. */
const TREMBLE = 6
const ENDS = ['pointerdown', 'keydown', 'scroll', 'astro:before-preparation']

let waiting: AbortController | null = null
/** What begins once the pointer moves again; undefined while it is looked at anyway. */
let parked: (() => void) | undefined

/** Nobody asks for anything with a pointer that lies where something was just done otherwise, as scrolling. */
export function park(): void {
  if (!parked) document.addEventListener('pointermove', unpark, { once: true, passive: true })
  parked = () => {}
}

function unpark(): void {
  const begin = parked
  parked = undefined
  begin?.()
}

/** Calls `then` once; never after the pointer left, a key or button was pressed, or something scrolled. */
export function whenRested(card: HTMLElement, then: () => void): void {
  waiting?.abort()
  if (parked) {
    parked = () => card.matches(':hover') && whenRested(card, then)
    return
  }
  const wait = new AbortController()
  const { signal } = wait
  const stop = () => wait.abort()
  waiting = wait
  card.addEventListener('pointerleave', stop, { signal })
  const otherwise = () => {
    stop()
    park()
  }
  for (const end of ENDS) document.addEventListener(end, otherwise, { signal, capture: true, passive: true })
  const done = () => {
    stop()
    if (card.isConnected && card.matches(':hover')) then()
  }
  const timer = setTimeout(() => whenStill(signal, done), REST_MS - STILL_MS)
  signal.addEventListener('abort', () => clearTimeout(timer))
}

/** Looks at the pointer for a tenth of a second, and again as long as it moves; at no other time is it looked at. */
function whenStill(signal: AbortSignal, then: () => void): void {
  let first: PointerEvent | undefined
  let moved = false
  const note = (event: PointerEvent) => {
    first ??= event
    moved ||= Math.hypot(event.clientX - first.clientX, event.clientY - first.clientY) > TREMBLE
  }
  document.addEventListener('pointermove', note, { signal, passive: true })
  const timer = setTimeout(() => {
    document.removeEventListener('pointermove', note)
    if (moved) whenStill(signal, then)
    else then()
  }, STILL_MS)
  signal.addEventListener('abort', () => clearTimeout(timer))
}
