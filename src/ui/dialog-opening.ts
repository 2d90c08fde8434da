/**
 * Opens modal dialogs in two steps. A modal dialog makes the page behind it inert, and for this the browser computes
 * the style of all elements of the page before it paints the dialog. The dialog therefore opens as a popover, and
 * becomes modal after its first frame. Until then, its attribute `popover` is set.
 */
import { waitForPaint } from '../lib/wait-for-paint.ts'

/**
 * Opens a dialog and moves the focus to its element with `data-first`, or else to its first field, or else to its first
 * control. On a touch screen, the first field does not get the focus, because it might open an on-screen keyboard.
 */
export function openDialog(dialog: HTMLDialogElement): void {
  const firstElement =
    dialog.querySelector<HTMLElement>('[data-first]') ??
    (matchMedia('(pointer:coarse)').matches
      ? null
      : dialog.querySelector<HTMLElement>('input,select,[role=switch]'))
  const makeModal = () => {
    if (!dialog.popover || !dialog.isConnected) return
    const focusedElement = dialog.querySelector<HTMLElement>(':focus') ?? firstElement
    dialog.popover = null
    // `showModal` focuses the element with `autofocus`, or else the first control.
    if (focusedElement) focusedElement.autofocus = true
    dialog.showModal()
    if (focusedElement) focusedElement.autofocus = false
  }
  dialog.popover = 'manual'
  // A popover above a modal dialog would be inert. The second dialog needs no popover anyway, because the page behind
  // both dialogs is inert already.
  if (!('showPopover' in dialog) || document.querySelector('dialog:modal')) {
    makeModal()
    return
  }
  dialog.showPopover()
  firstElement?.focus()
  // Keys need a modal dialog: Escape closes it, and Tab and the arrow keys stay in it.
  addEventListener('keydown', makeModal, { capture: true, once: true })
  void waitForPaint().then(makeModal)
}

export function closeDialog(dialog: HTMLDialogElement): void {
  dialog.popover = null
  dialog.close()
}
