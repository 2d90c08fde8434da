/** Measures the elements that arrow keys can focus, for spatial-navigation.ts. */
import { isPageRightToLeft } from '../lib/page-direction.ts'
import { ROW_SELECTOR } from './focusable-elements.ts'
import {
  type FocusBox,
  type FocusTarget,
  isInside,
  type SpatialNavigationOptions,
} from './spatial-navigation.ts'

export const FOCUS_GROUP_SELECTOR = `${ROW_SELECTOR},[role=tablist]`
/** The link in the heading of a row. */
export const ROW_HEADING_SELECTOR = '[data-see-all]'
export const GROUP_MEMBER_SELECTOR = '[data-card],[role=tab]'

/** Returns one target per element, in the same order. Positions are relative to the window. */
export function measureFocusTargets(elements: readonly HTMLElement[]): FocusTarget[] {
  const groups = [...new Set(elements.map((element) => element.closest(FOCUS_GROUP_SELECTOR)))]
  const indexByElement = new Map(elements.map((element, index) => [element, index]))
  const boxesByElement = new Map<Element, DOMRect>()
  const measureElement = (element: Element) => {
    const box = boxesByElement.get(element) ?? element.getBoundingClientRect()
    boxesByElement.set(element, box)
    return box
  }
  return elements.map((element) => {
    const target: FocusTarget = {
      box: getBoxAtScrollEnd(element, measureElement(element)),
      isInMain: element.closest('main') !== null,
    }
    const column = element.closest('[data-column]')
    if (column) {
      target.columnBox = measureElement(column)
      target.isClipped =
        target.box.bottom <= target.columnBox.top || target.box.top >= target.columnBox.bottom
    }
    const list = element.closest(FOCUS_GROUP_SELECTOR)
    const card = findCardBelow(element)
    const cardIndex = card ? indexByElement.get(card) : undefined
    if (cardIndex !== undefined && isInside(measureElement(element), measureElement(card as HTMLElement)))
      target.cardIndex = cardIndex
    else if (list && element.matches(GROUP_MEMBER_SELECTOR)) {
      const listBox = measureElement(list)
      target.group = groups.indexOf(list)
      target.isClipped = target.box.right <= listBox.left || target.box.left >= listBox.right
      target.isGroupEntry = element.ariaSelected === 'true'
      target.box = clampBoxToList(target.box, listBox)
    }
    if (element.matches(ROW_HEADING_SELECTOR)) {
      const row = element.closest('section')?.querySelector(ROW_SELECTOR)
      if (row && groups.includes(row)) target.rowOfHeading = groups.indexOf(row)
    }
    return target
  })
}

/**
 * Returns the box of an element. The last row of a dialog or menu (`data-last-row`) is always in view, even while the
 * controls before this row are out of view. For an element of this row, returns the box that the element has when the
 * dialog or menu is scrolled to the end.
 */
function getBoxAtScrollEnd(element: HTMLElement, box: FocusBox): FocusBox {
  const scroller = element.closest('[data-last-row]')?.closest('dialog,[data-panel]')
  if (!scroller) return box
  const shiftPx = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop
  return { left: box.left, right: box.right, top: box.top + shiftPx, bottom: box.bottom + shiftPx }
}

/**
 * Returns the card in the same list item as the element. Returns null if the element is a card itself, and if the list
 * item contains no card.
 */
function findCardBelow(element: HTMLElement): HTMLElement | null {
  if (element.matches('[data-card]')) return null
  return element.closest('li')?.querySelector<HTMLElement>(':scope > [data-card]') ?? null
}

/**
 * Returns the box of an element inside the visible part of its list. A box that is scrolled out of view is moved to the
 * edge of the list, where the element appears when it gets the focus.
 */
function clampBoxToList(box: FocusBox, listBox: FocusBox): FocusBox {
  const shiftPx = Math.max(0, listBox.left - box.left) - Math.max(0, box.right - listBox.right)
  return { left: box.left + shiftPx, right: box.right + shiftPx, top: box.top, bottom: box.bottom }
}

export const getNavigationOptions = (container: HTMLElement): SpatialNavigationOptions => ({
  isRightToLeft: isPageRightToLeft(),
  // The focus does not wrap on the page itself, although the page can contain a hidden dialog that matches the
  // selector.
  shouldWrap:
    container !== document.body && container.querySelector(':scope > [data-panel], [data-last-row]') !== null,
})
