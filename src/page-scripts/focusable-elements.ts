/** The elements that arrow keys can focus. */

/** Includes the cards of a row and tabs: they share a single tab stop, but arrow keys reach each of them. */
const FOCUSABLE =
  ':is(a[href],button,summary,input,select,textarea,[tabindex]):not(:disabled,[tabindex="-1"]),[data-card],[role=tab]'

/** Text fields, which handle arrow keys, Backspace and Escape themselves. */
export const TEXT_FIELD_SELECTOR =
  'input:not([type=checkbox],[type=radio],[type=range],[type=number]),[contenteditable]'

/** The topmost open dialog, or the body. */
export const findFocusContainer = (): HTMLElement =>
  [...document.querySelectorAll<HTMLElement>('dialog[open]')].at(-1) ?? document.body

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
  element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
