/**
 * Handles the Back key of a TV remote: closes the topmost overlay, or else goes back in the history. TV browsers send
 * different keys for Back. Escape and Backspace count as Back only in remote control mode and not while text is edited.
 */
import { isInRemoteControlMode } from '../islands/navigation-state.ts'
import { findFocusContainer, TEXT_FIELD_SELECTOR } from './focusable-elements.ts'

const BACK_KEYS = new Set(['BrowserBack', 'GoBack', 'XF86Back'])
/** Codes of the Back key on webOS and Tizen, which do not set `key`. */
const BACK_KEY_CODES = new Set([461, 10009])

let isEditingText = false
let isSendingEscape = false

/**
 * Records whether the user is editing text. For Escape, an empty `input` does not count, but a `textarea` always does.
 * An empty PIN field (`data-leave-on-backspace`) never counts. This listener runs before the other handlers, because
 * one of them clears a search field on Escape.
 */
function detectTextEditing(event: KeyboardEvent): void {
  const { target } = event
  isEditingText =
    target instanceof HTMLElement &&
    (target.matches('textarea') ||
      (target.matches(TEXT_FIELD_SELECTOR) &&
        !target.matches('[data-leave-on-backspace]') &&
        (event.key === 'Backspace' || !(target instanceof HTMLInputElement) || target.value !== '')))
}

function handleBackKey(event: KeyboardEvent): void {
  if (isSendingEscape || event.defaultPrevented || event.repeat) return
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const isBackKey = BACK_KEYS.has(event.key) || BACK_KEY_CODES.has(event.keyCode)
  const isEscapeAsBack =
    (event.key === 'Escape' || event.key === 'Backspace') && isInRemoteControlMode() && !isEditingText
  if (!isBackKey && !isEscapeAsBack) return
  const closeResult = closeTopmostLayer(event.key === 'Escape')
  if (closeResult === 'by the browser') return
  event.preventDefault()
  if (closeResult || (event.key !== 'Escape' && sendEscape())) return
  history.back()
}

/**
 * Closes the topmost dialog, popover or menu and returns true, also if a dialog prevents its closing. Returns false if
 * nothing is open. Browsers close a dialog or popover on Escape themselves: the function then closes nothing and
 * returns `by the browser`.
 */
function closeTopmostLayer(isEscape: boolean): boolean | 'by the browser' {
  const popover = document.querySelector<HTMLElement>('[popover]:popover-open')
  const dialog = findFocusContainer()
  if (!popover && !(dialog instanceof HTMLDialogElement)) return closeMenu()
  if (isEscape) return 'by the browser'
  if (popover) popover.hidePopover()
  else if (!dialog.dispatchEvent(new Event('cancel', { cancelable: true }))) return true
  else if (dialog instanceof HTMLDialogElement) dialog.close()
  return true
}

function closeMenu(): boolean {
  const panel = document.querySelector('[data-panel]')
  const opener = panel?.parentElement?.querySelector<HTMLElement>('button[aria-expanded=true]')
  opener?.click()
  opener?.focus()
  return opener !== undefined && opener !== null
}

/**
 * Sends Escape to the focused element, so that its Escape handlers also handle Back. Returns true if a handler has
 * prevented the default action.
 */
function sendEscape(): boolean {
  isSendingEscape = true
  const escapeEvent = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })
  ;(document.activeElement ?? document.body).dispatchEvent(escapeEvent)
  isSendingEscape = false
  return escapeEvent.defaultPrevented
}

window.addEventListener('keydown', detectTextEditing, { capture: true })
/* The window listens in the bubbling phase, so that the handlers of the islands run first. */
window.addEventListener('keydown', handleBackKey)
