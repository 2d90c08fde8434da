/** Finds the element that an arrow key focuses. Measures as few elements as possible. */
import { isPageRightToLeft } from '../lib/page-direction.ts'
import {
  FOCUS_GROUP_SELECTOR,
  GROUP_MEMBER_SELECTOR,
  getNavigationOptions,
  measureFocusTargets,
  ROW_HEADING_SELECTOR,
} from './focus-targets.ts'
import { findFocusableElements, ROW_SELECTOR } from './focusable-elements.ts'
import { type ArrowKey, findNextFocus } from './spatial-navigation.ts'

/**
 * Returns the element that the key focuses; undefined if there is none. The result is the same as that of
 * `searchElements` with all elements of the container. This function measures far rows only if the result depends on
 * them, because on a slow television, measuring all rows of the home page would delay the key.
 */
export function findNextElement(
  container: HTMLElement,
  focusedElement: HTMLElement,
  direction: ArrowKey,
): HTMLElement | undefined {
  const search = (elements: HTMLElement[]) => searchElements(container, elements, focusedElement, direction)
  // In a menu or dialog, the focus may continue at the other end, so all elements are searched.
  if (container !== document.body) return search(findFocusableElements(container))
  const neighbour = findNeighbourInGroup(focusedElement, direction)
  if (neighbour) return neighbour
  const { isNear, isInFarRow } = createDistancePredicates(focusedElement)
  const nextElement = search(findFocusableElements(container, isInFarRow))
  // Left and right stay on the line of the focused element.
  if (isHorizontal(direction)) return nextElement
  // The first search left out far rows. Its result may be wrong in three cases, and all elements are then searched.
  // First, a result that is not near may lie behind a far row. Second, a heading link must be skipped, but it is
  // skipped only if its row is searched too. Third, an element outside <main> is the next element of an element in
  // <main> only if <main> has no further element in this direction.
  const isResultFinal =
    nextElement &&
    isNear(nextElement) &&
    !nextElement.matches(ROW_HEADING_SELECTOR) &&
    (nextElement.closest('main') || !focusedElement.closest('main'))
  return isResultFinal ? nextElement : search(findFocusableElements(container))
}

/** Returns the element among `elements` that the key focuses; undefined if there is none. */
export function searchElements(
  container: HTMLElement,
  elements: HTMLElement[],
  focusedElement: HTMLElement,
  direction: ArrowKey,
): HTMLElement | undefined {
  if (!elements.includes(focusedElement)) elements.push(focusedElement)
  const currentIndex = elements.indexOf(focusedElement)
  return elements[
    findNextFocus(measureFocusTargets(elements), currentIndex, direction, getNavigationOptions(container))
  ]
}

const isHorizontal = (direction: ArrowKey) => direction === 'ArrowLeft' || direction === 'ArrowRight'

/**
 * Returns the element that the left or right key focuses in the same row of cards or tab list; undefined if the key
 * leads out of this group.
 */
function findNeighbourInGroup(element: HTMLElement, direction: ArrowKey): HTMLElement | undefined {
  const group = element.closest<HTMLElement>(FOCUS_GROUP_SELECTOR)
  if (!isHorizontal(direction) || !group || !element.matches(GROUP_MEMBER_SELECTOR)) return undefined
  const members = findFocusableElements(group).filter(
    (member) => member.matches(GROUP_MEMBER_SELECTOR) && member.closest(FOCUS_GROUP_SELECTOR) === group,
  )
  const isForward = (direction === 'ArrowRight') !== isPageRightToLeft()
  const elementIndex = members.indexOf(element)
  return elementIndex === -1 ? undefined : members[elementIndex + (isForward ? 1 : -1)]
}

/**
 * Returns two functions: `isNear` tells whether an element is at most one window height above or below `origin`, and
 * `isInFarRow` whether an element belongs to a row of cards that is further away.
 */
function createDistancePredicates(origin: HTMLElement) {
  const { top, bottom } = origin.getBoundingClientRect()
  const isNear = (element: Element) => {
    const box = element.getBoundingClientRect()
    return box.bottom > top - innerHeight && box.top < bottom + innerHeight
  }
  const isNearByRow = new Map<Element, boolean>()
  const isInFarRow = (element: Element) => {
    const row = element.closest(ROW_SELECTOR)
    if (!row) return false
    const isRowNear = isNearByRow.get(row) ?? isNear(row)
    isNearByRow.set(row, isRowNear)
    return !isRowNear
  }
  return { isNear, isInFarRow }
}
