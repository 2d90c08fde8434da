/** What a remote can stand on. */

/** A row's cards and tabs share one tab stop, yet each can be reached by arrows. */
const STOPS =
  ':is(a[href],button,input,select,textarea,[tabindex]):not(:disabled,[tabindex="-1"]),[data-card],[role=tab]'

/** Text fields: there arrows, Backspace and Escape belong to the writing. */
export const TEXT = 'input:not([type=checkbox],[type=radio],[type=range],[type=number]),[contenteditable]'

/** What lies on top: an open dialog, or the page. */
export const room = (): HTMLElement =>
  [...document.querySelectorAll<HTMLElement>('dialog[open]')].at(-1) ?? document.body

export const stopsIn = (place: ParentNode): HTMLElement[] =>
  [...place.querySelectorAll<HTMLElement>(STOPS)].filter(isShown)

function isShown(element: HTMLElement): boolean {
  return (
    element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert],[aria-hidden=true]')
  )
}

export function put(element: HTMLElement): void {
  element.focus({ preventScroll: true })
  element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
