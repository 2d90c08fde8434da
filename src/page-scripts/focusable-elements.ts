/** The elements that arrow keys can focus. */

/**
 * Includes the cards of a row and tabs: they share a single tab stop, but arrow keys reach each of them. The link that skips to the
 * content is for the Tab key. The volume slider of the player would wall off the buttons behind it, because left and right change
 * its value; remotes have keys for the volume.
 */
const FOCUSABLE =
  ':is(a[href]:not([href="#main"]),button,summary,input,select,textarea,[tabindex]):not(:disabled,[tabindex="-1"],.theatre [type=range]),[data-card],[role=tab]'

/** Text fields, which handle arrow keys, Backspace and Escape themselves. */
export const TEXT_FIELD_SELECTOR =
  'input:not([type=checkbox],[type=radio],[type=range],[type=number]),[contenteditable]'

/** The topmost open dialog, the open menu with its button, or the body. */
export const findFocusContainer = (): HTMLElement =>
  [...document.querySelectorAll<HTMLElement>('dialog[open]')].at(-1) ??
  document.querySelector('[data-panel]')?.parentElement ??
  document.body

export const findFocusableElements = (container: ParentNode): HTMLElement[] =>
  [...container.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(isShown)

function isShown(element: HTMLElement): boolean {
  return (
    element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert],[aria-hidden=true]')
  )
}

/** Focuses an element and scrolls it into view with as little movement as possible. */
export function focusElement(element: HTMLElement): void {
  element.focus({ preventScroll: true })
  element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: getScrollBehavior(element) })
}

/** Rows of cards glide; everything else jumps, so that the focused element is in view at once. */
function getScrollBehavior(element: HTMLElement): ScrollBehavior {
  const { lite, motion } = document.documentElement.dataset
  const isReduced = lite !== undefined || motion !== undefined
  return element.closest('.row-track') &&
    !isReduced &&
    !matchMedia('(prefers-reduced-motion: reduce)').matches
    ? 'smooth'
    : 'instant'
}
