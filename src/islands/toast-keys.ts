/** Makes the Undo button of a toast reachable with a remote control. Loaded only when a remote is in use. */

/**
 * The first Down key moves the focus from any element to the button. Up or Down then moves it back. The returned
 * function removes the key handler and, if the button had the focus, moves the focus back.
 */
export function handleToastKeys(button: HTMLButtonElement): () => void {
  let previousFocus: Element | null = null
  const returnFocus = () => {
    if (previousFocus instanceof HTMLElement && previousFocus.isConnected) previousFocus.focus()
  }
  const handleKey = (event: KeyboardEvent) => {
    const isFocused = document.activeElement === button
    const isDownKey = event.key === 'ArrowDown' && !previousFocus
    if (!isDownKey && !(isFocused && (event.key === 'ArrowUp' || event.key === 'ArrowDown'))) return
    event.preventDefault()
    event.stopPropagation()
    if (isFocused) returnFocus()
    else {
      previousFocus = document.activeElement
      button.focus()
    }
  }
  window.addEventListener('keydown', handleKey, { capture: true })
  return () => {
    window.removeEventListener('keydown', handleKey, { capture: true })
    if (document.activeElement === button || document.activeElement === document.body) returnFocus()
  }
}
