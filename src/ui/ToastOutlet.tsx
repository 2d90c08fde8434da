import { useLayoutEffect, useRef } from 'react'
import { addToastOutlet } from './toast-outlets.ts'

/** Part of a modal dialog in which messages are displayed while the dialog is open (islands/Toasts.tsx). */
export function ToastOutlet() {
  const outletRef = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => (outletRef.current ? addToastOutlet(outletRef.current) : undefined), [])
  return (
    <div
      ref={outletRef}
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-6 z-50 flex flex-col items-center px-4"
    />
  )
}
