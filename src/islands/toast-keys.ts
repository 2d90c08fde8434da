/** Makes the Undo button of a message reachable with the keys of a remote control. Loaded when a remote is in use. */

/**
 * The first Down key moves the focus to the button, from wherever it is; Up or Down then returns it. Returns a function that
 * stops this, and returns the focus if the button has disappeared with it.
 */
export function handleToastKeys(button: HTMLButtonElement): () => void {
  let origin: Element | null = null
  const returnFocus = () => {
    if (origin instanceof HTMLElement && origin.isConnected) origin.focus()
  }
  const handleKey = (event: KeyboardEvent) => {
    const isFocused = document.activeElement === button
    const isDown = event.key === 'ArrowDown' && !origin
    if (!isDown && !(isFocused && (event.key === 'ArrowUp' || event.key === 'ArrowDown'))) return
    event.preventDefault()
    event.stopPropagation()
    if (isFocused) returnFocus()
    else {
      origin = document.activeElement
      button.focus()
    }
  }
  window.addEventListener('keydown', handleKey, { capture: true })
  return () => {
    window.removeEventListener('keydown', handleKey, { capture: true })
    if (document.activeElement === button || document.activeElement === document.body) returnFocus()
  }
}
