import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'

interface Props {
  title: string
  closeLabel: string
  onClose: () => void
  children: ReactNode
  wide?: boolean
}

/** A modal dialog: the browser keeps the focus inside, Escape and the backdrop close it, focus returns where it was. */
export function Dialog({ title, closeLabel, onClose, children, wide = false }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const [before, box] = [document.activeElement, dialog.current]
    box?.showModal()
    box?.querySelector<HTMLElement>('[data-first]')?.focus()
    return () => {
      /* It may only be hidden, and drawn for the next time. */
      if (box?.isConnected) box.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does it for the keyboard, by the browser
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onClose={onClose}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
      className={`m-auto max-h-[92dvh] w-[calc(100%-2rem)] ${wide ? 'max-w-3xl' : 'max-w-md'} overflow-y-auto rounded-lg border border-line bg-raised p-0 shadow-(--shadow-dialog) backdrop:bg-black/70 open:animate-[rise_200ms_var(--ease-out)]`}
    >
      <div className="flex flex-col gap-5 p-6">
        <header className="flex items-start justify-between gap-4">
          <h2 id={titleId} className="text-lg font-bold">
            <bdi>{title}</bdi>
          </h2>
          <button
            type="button"
            aria-label={closeLabel}
            onClick={onClose}
            className="-m-2 grid size-11 place-items-center rounded-full text-muted hover:text-ink"
          >
            <X aria-hidden size={20} />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
