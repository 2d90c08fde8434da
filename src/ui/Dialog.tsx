import { type ReactNode, useEffect, useId, useRef } from 'react'
import { X } from '../icons/index.ts'
import { closeDialog, openDialog } from './dialog-opening.ts'
import { ToastOutlet } from './ToastOutlet.tsx'
import { isDialogBusy } from './use-action.ts'

interface Props {
  title: string
  closeLabel: string
  onClose: () => void
  children: ReactNode
  isWide?: boolean
}

/**
 * A modal dialog with a native focus trap. Escape and a click on the backdrop close the dialog and restore the focus.
 * While an action that was started in the dialog runs (`useAction`), the dialog stays open, so that the user sees the
 * result.
 */
export function Dialog({ title, closeLabel, onClose, children, isWide = false }: Props) {
  const dialogRef = useRef<HTMLDialogElement>(null)
  const hasPressedBackdropRef = useRef(false)
  const titleId = useId()
  const isBusy = () => dialogRef.current !== null && isDialogBusy(dialogRef.current)
  const closeUnlessBusy = () => {
    if (!isBusy()) onClose()
  }
  useEffect(() => {
    const [previousFocus, element] = [document.activeElement, dialogRef.current]
    if (!element) return
    openDialog(element)
    return () => {
      /* React Activity may hide the component instead of removing it. In that case, the dialog is still open. */
      if (element.isConnected) closeDialog(element)
      if (previousFocus instanceof HTMLElement) previousFocus.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes the dialog on Escape
    <dialog
      ref={dialogRef}
      // Scrolls a focused control above the action buttons (`DialogActions`), which are sticky in tall windows and
      // would cover the control. On phones, the buttons can take two lines.
      style={{ scrollPaddingBottom: '9rem' }}
      aria-labelledby={titleId}
      // Browsers close a dialog on the second Escape even if its `cancel` event is prevented. A busy dialog reopens.
      onClose={() => (isBusy() ? dialogRef.current?.showModal() : onClose())}
      onCancel={(event) => {
        event.preventDefault()
        closeUnlessBusy()
      }}
      onPointerDown={(event) => {
        hasPressedBackdropRef.current = event.target === dialogRef.current
      }}
      // A drag from a text to the backdrop or back, for example to select the text, also sends a click to the dialog.
      // Only a click that starts and ends on the backdrop closes the dialog.
      onPointerUp={(event) => {
        hasPressedBackdropRef.current &&= event.target === dialogRef.current
      }}
      onClick={(event) => {
        if (event.target === dialogRef.current && hasPressedBackdropRef.current) closeUnlessBusy()
      }}
      className={`m-auto max-h-[92dvh] w-[calc(100%-2rem)] ${isWide ? 'max-w-3xl' : 'max-w-md'} overflow-y-auto rounded-lg border border-line bg-raised p-0 shadow-(--shadow-dialog) backdrop:bg-black/70 open:animate-[rise_200ms_var(--ease-out)]`}
    >
      <div className="flex flex-col gap-5 p-6">
        <header className="flex items-start justify-between gap-4">
          <h2 id={titleId} className="text-lg font-bold">
            <bdi>{title}</bdi>
          </h2>
          <button
            type="button"
            aria-label={closeLabel}
            onClick={closeUnlessBusy}
            className="-m-2 grid size-11 place-items-center rounded-full text-muted hover:text-ink"
          >
            <X aria-hidden size={20} />
          </button>
        </header>
        {children}
      </div>
      <ToastOutlet />
    </dialog>
  )
}
