/** Long press on a card: by touch, or with the OK key of a remote control. */

const LONG_PRESS_MS = 500
/** The suppression of an event ends after this time, because some browsers never send the event. */
const SUPPRESSION_TIMEOUT_MS = 1_500

/**
 * Call this when a touch on the card begins. Runs `onLongPress` after a long press, and suppresses the click and the
 * context menu that would follow.
 */
export function watchLongTouch(cardElement: HTMLElement, onLongPress: () => void): void {
  const pressController = new AbortController()
  const { signal } = pressController
  const cancelPress = () => pressController.abort()
  const completeLongPress = () => {
    cancelPress()
    suppressNextEvent('click')
    suppressNextEvent('contextmenu')
    onLongPress()
  }
  /* A draggable link would be dragged by a long press. */
  cardElement.draggable = false
  const timer = setTimeout(completeLongPress, LONG_PRESS_MS)
  signal.addEventListener('abort', () => clearTimeout(timer))
  for (const eventName of ['pointerup', 'pointercancel', 'scroll'])
    document.addEventListener(eventName, cancelPress, { signal, capture: true, passive: true })
  /* Some browsers send `contextmenu` well before LONG_PRESS_MS. The event then counts as a long press. */
  cardElement.addEventListener(
    'contextmenu',
    (event) => {
      event.preventDefault()
      completeLongPress()
    },
    { signal },
  )
}

/** Cancels the next event of this name. A new press or the timeout ends the suppression. */
function suppressNextEvent(eventName: 'click' | 'contextmenu' | 'keyup'): void {
  const suppressionController = new AbortController()
  const { signal } = suppressionController
  const suppressEvent = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
    suppressionController.abort()
  }
  addEventListener(eventName, suppressEvent, { signal, capture: true })
  addEventListener('pointerdown', () => suppressionController.abort(), { signal, capture: true })
  setTimeout(() => suppressionController.abort(), SUPPRESSION_TIMEOUT_MS)
}

/** Prevents the context menu that the browser opens when the menu key is released. */
export const suppressContextMenu = (): void => suppressNextEvent('contextmenu')

/**
 * Call this on `keydown` of the OK key. A short press clicks the card, a long press runs `onLongPress`.
 * Repeated `keydown` events of the held key are ignored.
 */
export function watchLongKeyPress(
  keydown: KeyboardEvent,
  cardElement: HTMLElement,
  onLongPress: () => void,
): void {
  keydown.preventDefault()
  const pressController = new AbortController()
  const { signal } = pressController
  let isLongPress = false
  const timer = setTimeout(() => {
    isLongPress = true
    onLongPress()
  }, LONG_PRESS_MS)
  signal.addEventListener('abort', () => clearTimeout(timer))
  const handleKeydown = (event: KeyboardEvent) => {
    if (event.key === keydown.key && event.repeat) event.preventDefault()
    else pressController.abort()
  }
  const handleKeyup = (event: KeyboardEvent) => {
    pressController.abort()
    if (event.key === keydown.key && !isLongPress) cardElement.click()
  }
  addEventListener('keydown', handleKeydown, { signal, capture: true })
  addEventListener('keyup', handleKeyup, { signal, capture: true })
}
