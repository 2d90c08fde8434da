/** The elements that arrow keys can focus. */

/**
 * The selector includes the cards of a row and tabs: each row and each tab list has a single tab stop, but arrow keys
 * reach all its cards or tabs. It excludes the link that skips to the content, which is for the Tab key. It also
 * excludes the volume slider of the player: left and right change its value, so the buttons after it could not be
 * reached. Remotes have keys for the volume.
 */
const FOCUSABLE_SELECTOR =
  ':is(a[href]:not([href="#main"]),button,summary,input,select,textarea,[tabindex]):not(:disabled,[tabindex="-1"],.theatre [type=range]),[data-card],[role=tab]'

/** A row of cards. */
export const ROW_SELECTOR = '.row-track'

/** Text fields other than `textarea`. Text fields handle arrow keys, Backspace and Escape themselves. */
export const TEXT_FIELD_SELECTOR =
  'input:not([type=checkbox],[type=radio],[type=range],[type=number]),[contenteditable]'

/** Returns the topmost open dialog, else the open menu with its button, else the body. */
export const findFocusContainer = (): HTMLElement =>
  [...document.querySelectorAll<HTMLElement>('dialog[open]')].at(-1) ??
  document.querySelector('[data-panel]')?.parentElement ??
  document.body

/** Returns the elements of the container that arrow keys can focus, without those that `isExcluded` excludes. */
export const findFocusableElements = (
  container: ParentNode,
  isExcluded: (element: HTMLElement) => boolean = () => false,
): HTMLElement[] =>
  [...container.querySelectorAll<HTMLElement>(FOCUSABLE_SELECTOR)].filter(
    (element) => !isExcluded(element) && isShown(element),
  )

/**
 * Returns the element that gets the first focus: the first element of the content, or else of the container. In a group
 * of tabs, only the selected tab can get the first focus. If another tab had the focus, the OK key would switch to that
 * tab, although the URL names the selected tab.
 */
export function findFirstElement(container: ParentNode): HTMLElement | undefined {
  const elements = findFocusableElements(container).filter((element) => element.ariaSelected !== 'false')
  return elements.find((element) => element.closest('main')) ?? elements[0]
}

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

/**
 * Rows of cards scroll smoothly, unless motion is reduced. Everything else scrolls without animation, so that the
 * focused element is visible immediately.
 */
function getScrollBehavior(element: HTMLElement): ScrollBehavior {
  const { lite, motion } = document.documentElement.dataset
  const isMotionReduced = lite !== undefined || motion !== undefined
  return element.closest(ROW_SELECTOR) &&
    !isMotionReduced &&
    !matchMedia('(prefers-reduced-motion: reduce)').matches
    ? 'smooth'
    : 'instant'
}
