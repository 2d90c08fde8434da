/**
 * Outlets: elements that display messages, one in each open modal dialog. A modal dialog covers the rest of the page
 * and makes it inert, so messages must be displayed inside the dialog.
 */

/** Outlets in the order in which their dialogs were opened. */
const outlets: HTMLElement[] = []
const listeners = new Set<() => void>()

function notifyListeners(): void {
  for (const listener of listeners) listener()
}

/** Adds the outlet of a dialog that opens. Returns the function that removes it. */
export function addToastOutlet(outlet: HTMLElement): () => void {
  outlets.push(outlet)
  notifyListeners()
  return () => {
    outlets.splice(outlets.indexOf(outlet), 1)
    notifyListeners()
  }
}

/** Returns the outlet of the dialog that was opened last; null when no dialog is open. */
export const getTopToastOutlet = (): HTMLElement | null => outlets.at(-1) ?? null

/** Calls `listener` after a dialog was opened or closed. Returns the function that unsubscribes. */
export function onToastOutletChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
