/** Spatial navigation: arrow keys move the focus, so that a TV remote with six keys can reach everything. */
import { isInRemoteControlMode, setRemoteControlMode } from '../islands/navigation-state.ts'
import { readStorage } from '../lib/storage.ts'
import { REMOTE_PAIRING_KEY } from '../lib/storage-keys.ts'
import './back-key.ts'
import './focus-restoration.ts'
import './scroll-restoration.ts'
import './search-key.ts'
import './title-announcement.ts'
import {
  findFirstElement,
  findFocusContainer,
  focusElement,
  TEXT_FIELD_SELECTOR,
} from './focusable-elements.ts'
import { findNextElement } from './next-element.ts'
import { createMovementDetector } from './pointer-movement.ts'
import type { ArrowKey } from './spatial-navigation.ts'

const ARROW_KEYS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'])

/**
 * True after a pointer was used, until a key moves the focus. While it is true, arrow keys scroll if nothing
 * has the focus.
 */
let wasPointerUsed = false

export function handleArrowKey(event: KeyboardEvent): void {
  const direction = event.key as ArrowKey
  const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey
  if (!ARROW_KEYS.has(direction) || event.defaultPrevented || hasModifier) return
  const container = findFocusContainer()
  const focusedElement = findFocusedElement(container)
  /* On the watch page, the player handles the arrow keys until a control has the focus. */
  if (!focusedElement && (isUsingPointer() || document.querySelector('video'))) return
  if (focusedElement && canHandleArrow(focusedElement, event)) return
  if (focusedElement && !isInRemoteControlMode() && !focusedElement.matches(':focus-visible')) return
  const nextElement = focusedElement
    ? findNextElement(container, focusedElement, direction)
    : findFirstElement(container)
  if (!nextElement) {
    /* Scrolls the dialog or menu itself, because the browser would scroll the page behind it. */
    if (container !== document.body) scrollContainer(event, container)
    return
  }
  event.preventDefault()
  wasPointerUsed = false
  setRemoteControlMode(true)
  focusElement(nextElement)
}

/** False in remote control mode, for example while a phone is paired, even if a pointer was used before. */
const isUsingPointer = () => wasPointerUsed && !isInRemoteControlMode()

function scrollContainer(event: KeyboardEvent, container: HTMLElement): void {
  event.preventDefault()
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key] ?? 0
  const scroller = container.matches('dialog') ? container : container.querySelector('[data-panel]')
  scroller?.scrollBy({ top: (step * scroller.clientHeight) / 2 })
}

function findFocusedElement(container: HTMLElement): HTMLElement | null {
  const activeElement = document.activeElement
  const isFocusMissing =
    activeElement === document.body ||
    activeElement?.id === 'main' ||
    activeElement === container ||
    !container.contains(activeElement)
  return isFocusMissing || !(activeElement instanceof HTMLElement) ? null : activeElement
}

/** True if the element itself handles the arrow key, as a text field, slider or open select does. */
function canHandleArrow(element: HTMLElement, event: KeyboardEvent): boolean {
  const direction = event.key as ArrowKey
  const isVertical = direction === 'ArrowUp' || direction === 'ArrowDown'
  /*
   * Up and down would change a closed select, so that a remote could not move the focus past it. Therefore, these
   * keys change a closed select only while the pointer is in use. Otherwise they move the focus, and OK opens the
   * select.
   */
  if (element.matches('select')) return isVertical && (isUsingPointer() || isPickerOpen(element))
  /*
   * The arrow keys of a keyboard change the parts of a date. The arrow keys of a remote move the focus out of the
   * field, and OK opens the date picker.
   */
  if (element.matches('input[type=date]')) return !shouldArrowsLeaveDateField(event)
  if (element.matches(TEXT_FIELD_SELECTOR)) return !isVertical && !isCaretAtEnd(element, direction)
  if (element instanceof HTMLTextAreaElement)
    return isVertical ? !isAtEndOfText(element, direction) : !isCaretAtEnd(element, direction)
  /*
   * With a remote, up and down move the focus out of a slider or number field. All arrow keys move the focus out of a
   * radio button, and OK selects the radio button.
   */
  if (element.matches('input[type=radio]')) return !isInRemoteControlMode()
  if (element.matches('input[type=range],input[type=number],[role=slider]'))
    return !isVertical || !isInRemoteControlMode()
  return element.matches('input:not([type=checkbox])')
}

function isAtEndOfText({ value, selectionStart, selectionEnd }: HTMLTextAreaElement, key: ArrowKey): boolean {
  if (selectionStart !== selectionEnd) return false
  return selectionStart === (key === 'ArrowUp' ? 0 : value.length)
}

/** True if a character was typed since the focused element received the focus. */
let hasTypedInField = false

/**
 * True if arrow keys leave a date field instead of changing the date. They always do on a television. So do the keys of
 * a paired phone, which are synthetic events (`isTrusted` is false). On other devices, arrow keys leave the field only
 * in remote control mode, and only until a character is typed into the field: a remote has no digits, so a typed
 * character shows that a keyboard is used. The arrow keys of a keyboard turn on remote control mode too, because some
 * remotes send the same keys.
 */
const shouldArrowsLeaveDateField = (event: KeyboardEvent) =>
  !event.isTrusted ||
  document.documentElement.dataset['tv'] !== undefined ||
  (isInRemoteControlMode() && !hasTypedInField)

/** True if the picker of a select or date field is open. */
function isPickerOpen(element: Element): boolean {
  return CSS.supports('selector(:open)') && element.matches(':open')
}

/**
 * Makes Enter, which the OK key of a remote sends, open a select. With a remote, Enter also opens a date field, and
 * changes a checkbox or radio button. On a keyboard, the space bar opens or changes these controls. The Enter of a
 * paired phone cannot open a select or date field, because browsers require a real key press for this.
 */
function handleEnterKey(event: KeyboardEvent): void {
  const { target } = event
  if (event.key !== 'Enter' || event.defaultPrevented || !(target instanceof HTMLElement)) return
  const hasPicker =
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && target.type === 'date' && shouldArrowsLeaveDateField(event))
  if (hasPicker) {
    if (isPickerOpen(target) || !('showPicker' in target) || !event.isTrusted) return
    event.preventDefault()
    target.showPicker()
  } else if (isInRemoteControlMode() && target.matches('input:is([type=checkbox],[type=radio])')) {
    event.preventDefault()
    target.click()
  }
}

/** True if the caret cannot move further in this direction. Then the arrow key moves the focus to the next element. */
function isCaretAtEnd(element: HTMLElement, direction: ArrowKey): boolean {
  if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) return false
  const { value, selectionStart, selectionEnd } = element
  if (value === '') return true
  /* Some input types (email) do not expose their selection. */
  if (selectionStart === null || selectionStart !== selectionEnd) return false
  const isForward = (direction === 'ArrowRight') !== (getComputedStyle(element).direction === 'rtl')
  return selectionStart === (isForward ? value.length : 0)
}

function turnOffRemoteControlMode(): void {
  wasPointerUsed = true
  setRemoteControlMode(false)
}

const hasPointerMoved = createMovementDetector()
document.addEventListener('pointermove', (event) => hasPointerMoved(event) && turnOffRemoteControlMode())
document.addEventListener('pointerdown', turnOffRemoteControlMode)
document.addEventListener('focusout', () => {
  hasTypedInField = false
})
document.addEventListener('keydown', (event) => {
  if (/^.$/u.test(event.key)) hasTypedInField = true
  if (event.key !== 'Tab') return
  wasPointerUsed = false
  setRemoteControlMode(false)
})
/* The window listens in the bubbling phase, so that the handlers of the islands run first. */
window.addEventListener('keydown', handleArrowKey)
window.addEventListener('keydown', handleEnterKey)
/* Reconnects the phone that controlled the previous page. */
if (readStorage('sessionStorage', REMOTE_PAIRING_KEY))
  void import('../islands/remote/television-pairing.ts')
    .then(({ resumePairing }) => resumePairing())
    .catch(() => {})
