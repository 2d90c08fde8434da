/** Ctrl+Z, or Cmd+Z on a Mac, presses the Undo button of the displayed message. */

const EDITABLE_ELEMENT_SELECTOR =
  'textarea,[contenteditable],input:not([type=checkbox],[type=radio],[type=range],[type=file],[type=button])'

/**
 * True for the undo keys, except in a text field, where they undo typed text. On a keyboard without Latin letters, the
 * physical position of the key Z counts.
 */
export function isUndoKey({ key, code, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): boolean {
  if (ctrlKey === metaKey || altKey || shiftKey) return false
  if (target instanceof Element && target.matches(EDITABLE_ELEMENT_SELECTOR)) return false
  return /^[ -~]$/.test(key) ? key.toLowerCase() === 'z' : code === 'KeyZ'
}

/** Calls `undo` when the undo keys are pressed. Returns a function that removes the listener. */
export function listenToUndoKey(undo: () => void): () => void {
  const handleKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat || !isUndoKey(event)) return
    event.preventDefault()
    undo()
  }
  window.addEventListener('keydown', handleKey)
  return () => window.removeEventListener('keydown', handleKey)
}
