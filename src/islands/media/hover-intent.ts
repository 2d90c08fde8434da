/** Hover intent: detects that a mouse pointer rests on a card, rather than passing over it. */

/** Shortest time between the entry of the pointer into the card and the callback. */
const HOVER_DELAY_MS = 450
/** Last part of HOVER_DELAY_MS, in which the pointer must not move. */
const REST_DURATION_MS = 100
/** Movement up to this distance counts as resting, because a hand is never perfectly still. */
const MOVE_TOLERANCE_PX = 6
const CANCELLING_EVENTS = ['pointerdown', 'keydown', 'scroll', 'astro:before-preparation']

let currentWait: AbortController | null = null
let lastPosition = { x: 0, y: 0 }
/** Callback for the next pointer movement; undefined while hover intent is not paused. */
let onResume: (() => void) | undefined

/**
 * Ignores the pointer until it moves again. Scrolling or a key press can bring a card under a resting
 * pointer, but the user did not choose that card.
 */
export function pauseHoverIntent(): void {
  if (!onResume) document.addEventListener('pointermove', resumeHoverIntent, { once: true, passive: true })
  onResume = () => {}
}

function resumeHoverIntent(): void {
  const resumeCallback = onResume
  onResume = undefined
  resumeCallback?.()
}

/**
 * Runs `onRest` once when the pointer rests on the card. A press, a key, a scroll, or leaving the card
 * cancels the wait.
 */
export function watchHoverIntent(cardElement: HTMLElement, onRest: () => void): void {
  currentWait?.abort()
  if (onResume) {
    onResume = () => cardElement.matches(':hover') && watchHoverIntent(cardElement, onRest)
    return
  }
  const waitController = new AbortController()
  const { signal } = waitController
  const cancelWait = () => waitController.abort()
  currentWait = waitController
  cardElement.addEventListener('pointerleave', cancelWait, { signal })
  const cancelAndPause = () => {
    cancelWait()
    pauseHoverIntent()
  }
  for (const eventName of CANCELLING_EVENTS)
    document.addEventListener(eventName, cancelAndPause, { signal, capture: true, passive: true })
  const finishWait = () => {
    cancelWait()
    if (cardElement.isConnected && cardElement.matches(':hover')) onRest()
  }
  const timer = setTimeout(() => waitUntilResting(signal, finishWait), HOVER_DELAY_MS - REST_DURATION_MS)
  signal.addEventListener('abort', () => clearTimeout(timer))
}

/**
 * Checks consecutive periods of REST_DURATION_MS until the pointer rests for a whole period. The listener exists only
 * while this function checks.
 */
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
  }, REST_DURATION_MS)
  signal.addEventListener('abort', () => clearTimeout(timer))
}
