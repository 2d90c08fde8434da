import { useStore } from '@nanostores/react'
import { WifiOff } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { isOffline, onConnectivityChange } from '../lib/client/connectivity.ts'
import { t } from '../lib/i18n/t.ts'
import { startOutbox } from '../lib/stores/lazy-outbox.ts'
import { $areWritesDelayed, $pendingWrites } from '../lib/stores/pending-writes.ts'
import '../lib/stores/sent-removals.ts'
import { $toast, dismissToast, TOAST_MS, UNDO_TOAST_MS } from '../lib/stores/toast.ts'
import { getTopToastOutlet, onToastOutletChange } from '../ui/toast-outlets.ts'
import { isRemoteControlled } from './navigation-state.ts'

/**
 * Displays the current toast in the modal dialog that is open, or else in the page. Also shows that the server cannot
 * be reached and how many changes are pending.
 */
export function Toasts() {
  const toast = useStore($toast)
  const outlet = useSyncExternalStore(onToastOutletChange, getTopToastOutlet)
  const isDisconnected = useSyncExternalStore(onConnectivityChange, isOffline)
  const pendingCount = useStore($pendingWrites).length
  const areWritesDelayed = useStore($areWritesDelayed) && pendingCount > 0
  useEffect(startOutbox, [])
  const [undoButton, setUndoButton] = useState<HTMLButtonElement | null>(null)
  /** Id of the toast that has the pointer or the focus. Its display time starts again when they leave. */
  const [heldToastId, setHeldToastId] = useState<number>()
  useEffect(() => {
    if (!toast || toast.id === heldToastId) return
    const timer = setTimeout(() => dismissToast(toast.id), toast.undo ? UNDO_TOAST_MS : TOAST_MS)
    return () => clearTimeout(timer)
  }, [toast, heldToastId])
  useEffect(() => {
    if (!undoButton || !isRemoteControlled()) return
    const pendingStopHandling = import('./toast-keys.ts').then(({ handleToastKeys }) =>
      undoButton.isConnected ? handleToastKeys(undoButton) : undefined,
    )
    return () => void pendingStopHandling.then((stopHandling) => stopHandling?.())
  }, [undoButton])
  const toastElement = toast && (
    // biome-ignore lint/a11y/noStaticElementInteractions: the pointer and the focus only keep the message displayed
    <div
      key={toast.id}
      onPointerEnter={() => setHeldToastId(toast.id)}
      onPointerLeave={() => setHeldToastId(undefined)}
      onFocus={() => setHeldToastId(toast.id)}
      onBlur={() => setHeldToastId(undefined)}
      className={`pointer-events-auto flex min-h-12 items-center gap-4 rounded-md border bg-overlay px-5 shadow-(--shadow-card) animate-[rise_200ms_var(--ease-out)] ${toast.kind === 'bad' ? 'border-danger' : 'border-line'}`}
    >
      <span>{t(toast.key, toast.values)}</span>
      {toast.undo && (
        <button
          ref={setUndoButton}
          type="button"
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
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-6 max-md:bottom-18 z-50 flex flex-col items-center gap-3 px-4"
    >
      {(isDisconnected || areWritesDelayed) && (
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
  )
}
