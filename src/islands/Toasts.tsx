import { useStore } from '@nanostores/react'
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { WifiOff } from '../icons/index.ts'
import { isOffline, onConnectivityChange } from '../lib/client/connectivity.ts'
import { t } from '../lib/i18n/t.ts'
import { startOutbox } from '../lib/stores/lazy-outbox.ts'
import { $areWritesDelayed, $pendingWrites } from '../lib/stores/pending-writes.ts'
import '../lib/stores/sent-removals.ts'
import { $toast, dismissToast, type Toast } from '../lib/stores/toast.ts'
import { getTopToastOutlet, onToastOutletChange } from '../ui/toast-outlets.ts'
import { isInRemoteControlMode } from './navigation-state.ts'
import { listenToUndoKey } from './undo-key.ts'

const TOAST_DURATION_MS = 4_000
/** Display time of a message with Undo. The user needs time to read, decide and reach the button with a remote. */
const UNDO_TOAST_DURATION_MS = 10_000

/**
 * Displays the current toast in the modal dialog that is open, or else in the page. While the server cannot be reached
 * or writes are delayed, also shows this state and the number of pending writes.
 */
export function Toasts() {
  const toast = useStore($toast)
  const outlet = useSyncExternalStore(onToastOutletChange, getTopToastOutlet)
  const isDisconnected = useSyncExternalStore(onConnectivityChange, isOffline)
  const pendingCount = useStore($pendingWrites).length
  const areWritesDelayed = useStore($areWritesDelayed) && pendingCount > 0
  useEffect(startOutbox, [])
  const toastElement = toast && <ToastMessage key={toast.id} toast={toast} />
  const isStatusShown = isDisconnected || areWritesDelayed
  return (
    <>
      {/* Lengthens the page on phones, so that the status below never covers the last line of the page. */}
      {isStatusShown && <div className="pb-24 md:hidden" />}
      <div
        role="status"
        aria-live="polite"
        className="pointer-events-none edge fixed inset-x-0 bottom-6 max-md:bottom-18 z-50 flex flex-col items-center gap-3"
      >
        {isStatusShown && (
          <div className="flex min-h-11 items-center gap-3 rounded-full border border-line bg-overlay px-5 text-sm shadow-(--shadow-card)">
            <WifiOff aria-hidden size={18} className="text-accent" />
            <span>
              {isDisconnected && t('common:offline')}
              {isDisconnected && pendingCount > 0 && ' · '}
              {pendingCount > 0 && t('common:changesWait', { count: pendingCount })}
            </span>
          </div>
        )}
        {outlet ? createPortal(toastElement, outlet) : toastElement}
      </div>
    </>
  )
}

/**
 * A message. In a wide window, the message is at the end edge, where it covers neither the buttons of a title nor those
 * of a dialog. While the pointer or the focus is on the message, the message stays. Afterwards, the full display time
 * starts again.
 */
function ToastMessage({ toast }: { toast: Toast }) {
  const undoButtonRef = useRef<HTMLButtonElement>(null)
  const previousFocusRef = useRef<HTMLElement>(null)
  const [hasPointer, setHasPointer] = useState(false)
  const [hasFocus, setHasFocus] = useState(false)
  useEffect(() => {
    if (hasPointer || hasFocus) return
    const timer = setTimeout(
      () => dismissToast(toast.id),
      toast.undo ? UNDO_TOAST_DURATION_MS : TOAST_DURATION_MS,
    )
    return () => clearTimeout(timer)
  }, [toast, hasPointer, hasFocus])
  useEffect(() => {
    const undoButton = undoButtonRef.current
    if (!undoButton || !isInRemoteControlMode()) return
    const removeKeyHandlerPromise = import('./toast-keys.ts').then(({ listenToToastKeys }) =>
      undoButton.isConnected ? listenToToastKeys(undoButton) : undefined,
    )
    return () => void removeKeyHandlerPromise.then((removeKeyHandler) => removeKeyHandler?.())
  }, [])
  useEffect(() => {
    const { undo } = toast
    if (!undo) return
    return listenToUndoKey(() => {
      dismissToast(toast.id)
      undo()
    })
  }, [toast])
  /*
   * When the message disappears, a focused Undo button gives the focus back to the previous element. The cleanup of a
   * layout effect runs before the button is removed, while the button still has the focus.
   */
  useLayoutEffect(() => {
    const undoButton = undoButtonRef.current
    return () => {
      if (undoButton && undoButton === document.activeElement) previousFocusRef.current?.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the pointer and the focus only keep the message displayed
    <div
      onPointerEnter={() => setHasPointer(true)}
      onPointerLeave={() => setHasPointer(false)}
      onFocus={({ relatedTarget }) => {
        setHasFocus(true)
        if (relatedTarget) previousFocusRef.current = relatedTarget as HTMLElement
      }}
      onBlur={() => setHasFocus(false)}
      className={`pointer-events-auto flex min-h-12 md:self-end items-center gap-4 rounded-md border bg-overlay px-5 shadow-(--shadow-card) animate-[rise_200ms_var(--ease-out)] ${toast.kind === 'bad' ? 'border-danger' : 'border-line'}`}
    >
      <span>{t(toast.key, toast.values)}</span>
      {toast.undo && (
        <button
          ref={undoButtonRef}
          type="button"
          aria-keyshortcuts="Control+Z Meta+Z"
          className="min-h-11 font-semibold text-accent hover:underline"
          onClick={() => {
            dismissToast(toast.id)
            toast.undo?.()
          }}
        >
          {t('common:undo')}
        </button>
      )}
    </div>
  )
}
