/** Spatial navigation: arrow keys move the focus, so that a TV remote with six keys can reach everything. */
import { setRemote } from '../islands/remote.ts'
import { nearest, type Way } from './nearest.ts'
import './back-key.ts'
import './keep-focus.ts'
import './keep-scroll.ts'
import { put, room, stopsIn, TEXT } from './stops.ts'

const ARROW_KEYS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'])

/** True while a pointer is in use. Then arrow keys scroll, until the focus is moved by a key. */
let isPointerActive = false

export function onArrow(event: KeyboardEvent): void {
  const direction = event.key as Way
  const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey
  if (!ARROW_KEYS.has(direction) || event.defaultPrevented || hasModifier) return
  const container = room()
  const focused = findFocused(container)
  /* On the player's page, arrow keys seek and change the volume until one of its buttons has the focus. */
  if (!focused && (isPointerActive || document.querySelector('video'))) return
  if (focused && (handlesArrow(focused, direction) || !focused.matches(':focus-visible'))) return
  const candidates = stopsIn(container).filter((element) => element !== focused)
  const mainCandidates = candidates.filter((element) => element.closest('main'))
  /* The header overlaps the page, so it is considered only if <main> has no candidate in this direction. */
  const target = focused
    ? ((focused.closest('main') && findNext(focused, mainCandidates, direction)) ??
      findNext(focused, candidates, direction))
    : (mainCandidates[0] ?? candidates[0])
  if (!target) return
  event.preventDefault()
  isPointerActive = false
  setRemote(true)
  put(target)
}

function findNext(
  focused: HTMLElement,
  candidates: readonly HTMLElement[],
  direction: Way,
): HTMLElement | undefined {
  const boxes = candidates.map((candidate) => candidate.getBoundingClientRect())
  return candidates[nearest(focused.getBoundingClientRect(), boxes, direction)]
}

function findFocused(container: HTMLElement): HTMLElement | null {
  const active = document.activeElement
  const hasNone = active === document.body || active?.id === 'main' || !container.contains(active)
  return hasNone || !(active instanceof HTMLElement) ? null : active
}

/** True if the element itself handles the arrow key: a text field, slider or select. */
function handlesArrow(element: HTMLElement, direction: Way): boolean {
  const isVertical = direction === 'ArrowUp' || direction === 'ArrowDown'
  /* A closed select would handle up and down, so that a remote could not leave it. OK opens it instead, as on macOS. */
  if (element.matches('select')) return isVertical && (isPointerActive || isOpen(element))
  if (element.matches(TEXT)) return !isVertical && !isCaretAtEnd(element, direction)
  return element.matches('textarea,input:not([type=checkbox]),[role=slider]')
}

function isOpen(element: Element): boolean {
  return CSS.supports('selector(:open)') && element.matches(':open')
}

function onEnter(event: KeyboardEvent): void {
  const { target } = event
  if (event.key !== 'Enter' || event.defaultPrevented || !(target instanceof HTMLSelectElement)) return
  if (isOpen(target) || !('showPicker' in target)) return
  event.preventDefault()
  target.showPicker()
}

/** True if the caret cannot move further in this direction. Then the arrow key moves the focus to the next element. */
function isCaretAtEnd(element: HTMLElement, direction: Way): boolean {
  if (!(element instanceof HTMLInputElement)) return false
  const { value, selectionStart: start, selectionEnd: end } = element
  if (value === '') return true
  /* Some input types (email) do not expose their selection. */
  if (start === null || start !== end) return false
  const isForward = (direction === 'ArrowRight') !== (getComputedStyle(element).direction === 'rtl')
  return start === (isForward ? value.length : 0)
}

for (const eventType of ['pointermove', 'pointerdown'])
  document.addEventListener(eventType, () => {
    isPointerActive = true
    setRemote(false)
  })
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Tab') return
  isPointerActive = false
  setRemote(false)
})
/* On the window in the bubbling phase, so that the handlers of the islands run first. */
window.addEventListener('keydown', onArrow)
window.addEventListener('keydown', onEnter)
