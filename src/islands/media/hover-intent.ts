/** Hover intent: detects that a mouse pointer rests on a card, and ignores a pointer that only passes over the card. */

/** Shortest time between the entry of the pointer into the card and the call of `loadAction`. */
const HOVER_DELAY_MS = 450
/** Last part of HOVER_DELAY_MS, in which the pointer must not move. */
const REST_DURATION_MS = 100
/** Movement up to this distance counts as resting, because a hand is never perfectly still. */
const MOVE_TOLERANCE_PX = 6
const CANCELLING_EVENTS = ['pointerdown', 'keydown', 'scroll', 'astro:before-preparation']

let currentWaitController: AbortController | null = null
/** Callback for the next pointer movement; undefined unless hover intent is paused. */
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

/** Ends the wait for a resting pointer, for example because the cards now belong to another profile. */
export function cancelHoverIntent(): void {
  currentWaitController?.abort()
}

/**
 * When the pointer rests on the card, runs `loadAction` and then the action that `loadAction` resolves with. A press, a
 * key, a scroll, a page change, or leaving the card cancels the wait. After one of these events, the loaded action does
 * not run.
 */
export function watchHoverIntent(cardElement: HTMLElement, loadAction: () => Promise<() => void>): void {
  cancelHoverIntent()
  if (onResume) {
    onResume = () => cardElement.matches(':hover') && watchHoverIntent(cardElement, loadAction)
    return
  }
  const waitController = new AbortController()
  const { signal } = waitController
  const cancelWait = () => waitController.abort()
  currentWaitController = waitController
  cardElement.addEventListener('pointerleave', cancelWait, { signal })
  const cancelAndPause = () => {
    cancelWait()
    pauseHoverIntent()
  }
  for (const eventName of CANCELLING_EVENTS)
    document.addEventListener(eventName, cancelAndPause, { signal, capture: true, passive: true })
  /* A card that was removed, or that moved away from the pointer, gets no `pointerleave` in some browsers. */
  const isHovered = () => cardElement.isConnected && cardElement.matches(':hover')
  const loadAndRunAction = async () => {
    const action = isHovered() ? await loadAction() : null
    const shouldRunAction = !signal.aborted && isHovered()
    cancelWait()
    if (shouldRunAction) action?.()
  }
  const timer = setTimeout(
    () => waitUntilResting(signal, () => void loadAndRunAction()),
    HOVER_DELAY_MS - REST_DURATION_MS,
  )
  signal.addEventListener('abort', () => clearTimeout(timer))
}

export interface PointerPosition {
  x: number
  y: number
}

/**
 * Checks consecutive periods of REST_DURATION_MS until the pointer rests for a whole period. Listens to pointer
 * movements only during these checks. `startPosition` is the position at the start of the period, if it is known. The
 * distance is measured from this position, because the distance between two events depends on how often the browser
 * sends events.
 */
function waitUntilResting(signal: AbortSignal, onResting: () => void, startPosition?: PointerPosition): void {
  let hasMoved = false
  let position = startPosition
  const trackMovement = ({ clientX: x, clientY: y }: PointerEvent) => {
    startPosition ??= { x, y }
    hasMoved ||= Math.hypot(x - startPosition.x, y - startPosition.y) > MOVE_TOLERANCE_PX
    position = { x, y }
  }
  document.addEventListener('pointermove', trackMovement, { signal, passive: true })
  const timer = setTimeout(() => {
    document.removeEventListener('pointermove', trackMovement)
    if (hasMoved) waitUntilResting(signal, onResting, position)
    else onResting()
  }, REST_DURATION_MS)
  signal.addEventListener('abort', () => clearTimeout(timer))
}
