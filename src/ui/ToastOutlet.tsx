import { useLayoutEffect, useRef } from 'react'
import { addToastOutlet } from './toast-outlets.ts'

/**
 * Part of a modal dialog in which messages are displayed while the dialog is open (islands/Toasts.tsx). On phones it is
 * at the top, because the buttons of a long dialog are at the bottom.
 */
export function ToastOutlet() {
  const outletRef = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => (outletRef.current ? addToastOutlet(outletRef.current) : undefined), [])
  return (
    <div
      ref={outletRef}
      aria-live="polite"
      className="pointer-events-none edge fixed inset-x-0 top-6 md:top-auto md:bottom-6 z-50 flex flex-col items-center"
    />
  )
}
