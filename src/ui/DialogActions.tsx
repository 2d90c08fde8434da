import type { ReactNode, Ref } from 'react'

/**
 * The buttons at the end of a `Dialog`. In a long dialog they stay in view, except in a window of small height. The
 * row is sticky, and cannot leave the box of its parent element. A form at the end of a dialog therefore has no box
 * (`display: contents`). The row covers the padding of the dialog at both sides and at the bottom, so no element may
 * follow it.
 */
export function DialogActions({ children, ref }: { children: ReactNode; ref?: Ref<HTMLDivElement> }) {
  return (
    <div
      ref={ref}
      data-last-row
      className="bottom-0 -mx-6 -mb-6 flex flex-wrap justify-end gap-3 border-t border-line bg-raised px-6 py-4 [@media(min-height:30rem)]:sticky"
    >
      {children}
    </div>
  )
}
