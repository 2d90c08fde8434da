/** Makes the Undo button of a toast reachable with a remote control. Loaded only when a remote is in use. */

/**
 * The first Down key moves the focus from any element to the button. Up or Down then moves the focus back to that
 * element. Returns a function that removes the handler.
 */
export function listenToToastKeys(button: HTMLButtonElement): () => void {
  let previousFocus: Element | null = null
  const handleKey = (event: KeyboardEvent) => {
    const isButtonFocused = document.activeElement === button
    const isDownKey = event.key === 'ArrowDown' && !previousFocus
    if (!isDownKey && !(isButtonFocused && (event.key === 'ArrowUp' || event.key === 'ArrowDown'))) return
    event.preventDefault()
    event.stopPropagation()
    if (isButtonFocused) {
      if (previousFocus instanceof HTMLElement) previousFocus.focus()
    } else {
      previousFocus = document.activeElement
      button.focus()
    }
  }
  window.addEventListener('keydown', handleKey, { capture: true })
  return () => window.removeEventListener('keydown', handleKey, { capture: true })
}
