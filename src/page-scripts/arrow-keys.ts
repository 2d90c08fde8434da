/** Spatial navigation: arrow keys move the focus, so that a TV remote with six keys can reach everything. */
import { setRemoteControlled } from '../islands/navigation-state.ts'
import { type ArrowKey, findNearestBox } from './spatial-navigation.ts'
import './back-key.ts'
import './focus-restoration.ts'
import './scroll-restoration.ts'
import {
  findFocusableElements,
  findFocusContainer,
  focusElement,
  TEXT_FIELD_SELECTOR,
} from './focusable-elements.ts'

const ARROW_KEYS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'])

/** True while a pointer is in use. Then arrow keys scroll, until the focus is moved by a key. */
let isPointerActive = false

export function handleArrowKey(event: KeyboardEvent): void {
  const direction = event.key as ArrowKey
  const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey
  if (!ARROW_KEYS.has(direction) || event.defaultPrevented || hasModifier) return
  const container = findFocusContainer()
  const focusedElement = findFocusedElement(container)
  /* On the player's page, arrow keys seek and change the volume until one of its buttons has the focus. */
  if (!focusedElement && (isPointerActive || document.querySelector('video'))) return
  if (
    focusedElement &&
    (handlesArrow(focusedElement, direction) || !focusedElement.matches(':focus-visible'))
  )
    return
  const candidates = findFocusableElements(container).filter((element) => element !== focusedElement)
  const mainCandidates = candidates.filter((element) => element.closest('main'))
  /* The header overlaps the page, so it is considered only if <main> has no candidate in this direction. */
  const target = focusedElement
    ? ((focusedElement.closest('main') && findNextElement(focusedElement, mainCandidates, direction)) ??
      findNextElement(focusedElement, candidates, direction))
    : (mainCandidates[0] ?? candidates[0])
  if (!target) return
  event.preventDefault()
  isPointerActive = false
  setRemoteControlled(true)
  focusElement(target)
}

function findNextElement(
  focusedElement: HTMLElement,
  candidates: readonly HTMLElement[],
  direction: ArrowKey,
): HTMLElement | undefined {
  const boxes = candidates.map((candidate) => candidate.getBoundingClientRect())
  return candidates[findNearestBox(focusedElement.getBoundingClientRect(), boxes, direction)]
}

function findFocusedElement(container: HTMLElement): HTMLElement | null {
  const activeElement = document.activeElement
  const hasNoFocus =
    activeElement === document.body || activeElement?.id === 'main' || !container.contains(activeElement)
  return hasNoFocus || !(activeElement instanceof HTMLElement) ? null : activeElement
}

/** True if the element itself handles the arrow key: a text field, slider or select. */
function handlesArrow(element: HTMLElement, direction: ArrowKey): boolean {
  const isVertical = direction === 'ArrowUp' || direction === 'ArrowDown'
  /* A closed select would handle up and down, so that a remote could not leave it. OK opens it instead, as on macOS. */
  if (element.matches('select')) return isVertical && (isPointerActive || isOpen(element))
  if (element.matches(TEXT_FIELD_SELECTOR)) return !isVertical && !isCaretAtEnd(element, direction)
  return element.matches('textarea,input:not([type=checkbox]),[role=slider]')
}

function isOpen(element: Element): boolean {
  return CSS.supports('selector(:open)') && element.matches(':open')
}

function handleEnterKey(event: KeyboardEvent): void {
  const { target } = event
  if (event.key !== 'Enter' || event.defaultPrevented || !(target instanceof HTMLSelectElement)) return
  if (isOpen(target) || !('showPicker' in target)) return
  event.preventDefault()
  target.showPicker()
}

/** True if the caret cannot move further in this direction. Then the arrow key moves the focus to the next element. */
function isCaretAtEnd(element: HTMLElement, direction: ArrowKey): boolean {
  if (!(element instanceof HTMLInputElement)) return false
  const { value, selectionStart, selectionEnd } = element
  if (value === '') return true
  /* Some input types (email) do not expose their selection. */
  if (selectionStart === null || selectionStart !== selectionEnd) return false
  const isForward = (direction === 'ArrowRight') !== (getComputedStyle(element).direction === 'rtl')
  return selectionStart === (isForward ? value.length : 0)
}

for (const eventType of ['pointermove', 'pointerdown'])
  document.addEventListener(eventType, () => {
    isPointerActive = true
    setRemoteControlled(false)
  })
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Tab') return
  isPointerActive = false
  setRemoteControlled(false)
})
/* On the window in the bubbling phase, so that the handlers of the islands run first. */
window.addEventListener('keydown', handleArrowKey)
window.addEventListener('keydown', handleEnterKey)
