import { useStore } from '@nanostores/react'
import { WifiOff } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { t } from '../lib/i18n/t.ts'
import { $toast, dismissToast, TOAST_MS } from '../lib/stores/toast.ts'

/** The browser's own word for it: a request may still fail while this says true. */
function useOnline(): boolean {
  return useSyncExternalStore(watchConnection, () => navigator.onLine)
}

function watchConnection(tell: () => void): () => void {
  addEventListener('online', tell)
  addEventListener('offline', tell)
  return () => {
    removeEventListener('online', tell)
    removeEventListener('offline', tell)
  }
}

export default function Toasts() {
  const toast = useStore($toast)
  const online = useOnline()
  useEffect(() => {
    if (!toast) return
    const timer = setTimeout(() => dismissToast(toast.id), TOAST_MS)
    return () => clearTimeout(timer)
  }, [toast])
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-6 z-50 flex flex-col items-center gap-3 px-4"
    >
      {!online && (
        <div className="flex min-h-11 items-center gap-3 rounded-full border border-line bg-overlay px-5 text-sm shadow-(--shadow-card)">
          <WifiOff aria-hidden size={18} className="text-accent" />
          {t('common:offline')}
        </div>
      )}
      {toast && (
        <div
          key={toast.id}
          className={`pointer-events-auto flex min-h-12 items-center gap-4 rounded-md border bg-overlay px-5 shadow-(--shadow-card) animate-[rise_200ms_var(--ease-out)] ${toast.kind === 'bad' ? 'border-danger' : 'border-line'}`}
        >
          <span>{t(toast.key, toast.values)}</span>
          {toast.undo && (
            <button
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
      )}
    </div>
  )
}
