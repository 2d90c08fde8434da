/** Hover intent: detects that a mouse pointer rests on a card, rather than passing over it. */

/** From entering the card until the callback runs. */
const HOVER_DELAY_MS = 450
/** Last part of HOVER_DELAY_MS, during which the pointer must not move. */
const REST_MS = 100
/** Movement up to this distance counts as resting, because a hand is never perfectly still. */
const MOVE_TOLERANCE_PX = 6
const CANCELLING_EVENTS = ['pointerdown', 'keydown', 'scroll', 'astro:before-preparation']

let currentWait: AbortController | null = null
let lastPosition = { x: 0, y: 0 }
/** Runs when the pointer moves again; undefined while hover intent is not paused. */
let onResume: (() => void) | undefined

/**
 * Ignores the pointer until it moves again. After scrolling or a key press, the card under a still pointer was not
 * chosen by the user.
 */
export function pauseHoverIntent(): void {
  if (!onResume) document.addEventListener('pointermove', resume, { once: true, passive: true })
  onResume = () => {}
}

function resume(): void {
  const callback = onResume
  onResume = undefined
  callback?.()
}

/** Runs `onRest` at most once; never after the pointer left the card, a press, a key or a scroll. */
export function watchHoverIntent(cardElement: HTMLElement, onRest: () => void): void {
  currentWait?.abort()
  if (onResume) {
    onResume = () => cardElement.matches(':hover') && watchHoverIntent(cardElement, onRest)
    return
  }
  const wait = new AbortController()
  const { signal } = wait
  const cancel = () => wait.abort()
  currentWait = wait
  cardElement.addEventListener('pointerleave', cancel, { signal })
  const cancelAndPause = () => {
    cancel()
    pauseHoverIntent()
  }
  for (const eventName of CANCELLING_EVENTS)
    document.addEventListener(eventName, cancelAndPause, { signal, capture: true, passive: true })
  const finish = () => {
    cancel()
    if (cardElement.isConnected && cardElement.matches(':hover')) onRest()
  }
  const timer = setTimeout(() => waitUntilResting(signal, finish), HOVER_DELAY_MS - REST_MS)
  signal.addEventListener('abort', () => clearTimeout(timer))
}

/** Listens to the pointer in periods of REST_MS until it rests for one; it has no listener at other times. */
function waitUntilResting(signal: AbortSignal, onResting: () => void): void {
  let hasMoved = false
  const trackMovement = ({ clientX: x, clientY: y }: PointerEvent) => {
    hasMoved ||= Math.hypot(x - lastPosition.x, y - lastPosition.y) > MOVE_TOLERANCE_PX
    lastPosition = { x, y }
  }
  document.addEventListener('pointermove', trackMovement, { signal, passive: true })
  const timer = setTimeout(() => {
    document.removeEventListener('pointermove', trackMovement)
    if (hasMoved) waitUntilResting(signal, onResting)
    else onResting()
  }, REST_MS)
  signal.addEventListener('abort', () => clearTimeout(timer))
}
