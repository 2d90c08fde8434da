/**
 * The key "/" opens the search page, or focuses its field, unless single-key shortcuts are off. Pages without a header
 * have no search.
 */
import { areSingleKeyShortcutsOn } from '../lib/single-key-shortcuts.ts'
import { findFocusContainer, TEXT_FIELD_SELECTOR } from './focusable-elements.ts'

function openSearchOnSlash(event: KeyboardEvent): void {
  if (event.key !== '/' || event.defaultPrevented || event.repeat) return
  if (event.altKey || event.ctrlKey || event.metaKey) return
  const { target } = event
  const isTyping = target instanceof HTMLElement && target.matches(`textarea, ${TEXT_FIELD_SELECTOR}`)
  if (isTyping || findFocusContainer() instanceof HTMLDialogElement || !areSingleKeyShortcutsOn()) return
  const field = document.querySelector<HTMLElement>('main search input')
  const link = document.querySelector<HTMLElement>('header a[href*="/search/"]')
  if (!field && !link) return
  event.preventDefault()
  if (field) field.focus()
  else link?.click()
}

window.addEventListener('keydown', openSearchOnSlash)
