/**
 * Back of a remote: closes what is open, else leaves the page. Browsers of televisions send it under several names; where it
 * comes as Escape or Backspace, it means Back only while arrows drive and nothing is being written.
 */
import { isRemote } from '../islands/remote.ts'
import { room, TEXT } from './stops.ts'

const NAMES = new Set(['BrowserBack', 'GoBack', 'XF86Back'])
/** webOS and Tizen, where the name is missing. */
const CODES = new Set([461, 10009])

let writing = false
let asking = false

/** Before anybody answers: a field that Escape empties is no longer a written one afterwards. */
function look(event: KeyboardEvent): void {
  const { target } = event
  writing =
    target instanceof HTMLElement &&
    (target.matches('textarea') ||
      (target.matches(TEXT) &&
        (event.key === 'Backspace' || !(target instanceof HTMLInputElement) || target.value !== '')))
}

function onBack(event: KeyboardEvent): void {
  if (asking || event.defaultPrevented || event.repeat) return
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const named = NAMES.has(event.key) || CODES.has(event.keyCode)
  const soft = (event.key === 'Escape' || event.key === 'Backspace') && isRemote() && !writing
  if (!named && !soft) return
  const shut = closeTop(event.key === 'Escape')
  if (shut === 'by the browser') return
  event.preventDefault()
  if (shut || (event.key !== 'Escape' && askEscape())) return
  history.back()
}

/** Closes the topmost dialog, popover or menu; Escape on the first two is the browser's own. */
function closeTop(byEscape: boolean): boolean | 'by the browser' {
  const popover = document.querySelector<HTMLElement>('[popover]:popover-open')
  const dialog = room()
  if (!popover && !(dialog instanceof HTMLDialogElement)) return closeMenu()
  if (byEscape) return 'by the browser'
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

/** Whoever answers Escape (a mode that ends, a field that empties) answers Back as well. */
function askEscape(): boolean {
  asking = true
  const pressed = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })
  ;(document.activeElement ?? document.body).dispatchEvent(pressed)
  asking = false
  return pressed.defaultPrevented
}

window.addEventListener('keydown', look, { capture: true })
/* In the bubbling phase: after every island had its say. */
window.addEventListener('keydown', onBack)
