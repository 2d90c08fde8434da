import type { ReactNode } from 'react'

/**
 * The buttons at the end of a dialog. In a long dialog they stay in view, except in a window of small height.
 */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div
      data-last-row
      className="bottom-0 -mx-6 -mb-6 flex flex-wrap justify-end gap-3 border-t border-line bg-raised px-6 py-4 [@media(min-height:30rem)]:sticky"
    >
      {children}
    </div>
  )
}
