/** Holding on to a card: a finger on its picture, or the OK key of a remote, half a second long. */

const HOLD_MS = 500
/** After this the press that held is over, whatever the browser told of it. */
const OVER_MS = 1_500

/** A finger came down on the card. What follows its lifting is not a click any more once `then` was called. */
export function whenHeld(card: HTMLElement, then: () => void): void {
  const press = new AbortController()
  const { signal } = press
  const stop = () => press.abort()
  const held = () => {
    stop()
    swallow('click')
    swallow('contextmenu')
    then()
  }
  /* A link that is held would be dragged. */
  card.draggable = false
  const timer = setTimeout(held, HOLD_MS)
  signal.addEventListener('abort', () => clearTimeout(timer))
  for (const end of ['pointerup', 'pointercancel', 'scroll'])
    document.addEventListener(end, stop, { signal, capture: true, passive: true })
  /* Some browsers call it long before. */
  card.addEventListener(
    'contextmenu',
    (event) => {
      event.preventDefault()
      held()
    },
    { signal },
  )
}

/** The next event of that name does nothing; a new press makes an end of that. */
function swallow(name: 'click' | 'contextmenu' | 'keyup'): void {
  const over = new AbortController()
  const { signal } = over
  const eat = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
    over.abort()
  }
  addEventListener(name, eat, { signal, capture: true })
  addEventListener('pointerdown', () => over.abort(), { signal, capture: true })
  setTimeout(() => over.abort(), OVER_MS)
}

/** The menu key opens the browser's own menu when it is let go. */
export const swallowMenu = (): void => swallow('contextmenu')

/** OK went down on a card: lets go soon, and it is a click; else `then`. Until it is up, it means nothing else. */
export function whenKeyHeld(down: KeyboardEvent, card: HTMLElement, then: () => void): void {
  down.preventDefault()
  const press = new AbortController()
  const { signal } = press
  let held = false
  const timer = setTimeout(() => {
    held = true
    then()
  }, HOLD_MS)
  signal.addEventListener('abort', () => clearTimeout(timer))
  const again = (event: KeyboardEvent) => {
    if (event.key === down.key && event.repeat) event.preventDefault()
    else press.abort()
  }
  const up = (event: KeyboardEvent) => {
    press.abort()
    if (event.key === down.key && !held) card.click()
  }
  addEventListener('keydown', again, { signal, capture: true })
  addEventListener('keyup', up, { signal, capture: true })
}
