import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { t } from '../lib/i18n/t.ts'
import { $toast, dismissToast, TOAST_MS } from '../lib/stores/toast.ts'

export default function Toasts() {
  const toast = useStore($toast)
  useEffect(() => {
    if (!toast) return
    const timer = setTimeout(() => dismissToast(toast.id), TOAST_MS)
    return () => clearTimeout(timer)
  }, [toast])
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-6 z-50 flex justify-center px-4"
    >
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
