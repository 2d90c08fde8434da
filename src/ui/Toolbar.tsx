import { type ReactNode, useRef } from 'react'
import { fadeHiddenSides, useFadedSides } from './faded-sides.ts'

/**
 * Controls beside each other. On phones, the row has one line and is scrolled, so that controls that are loaded later
 * do not move the content below. On larger screens the controls wrap, because a mouse cannot scroll sideways.
 */
export function Toolbar({ children }: { children: ReactNode }) {
  const rowRef = useRef<HTMLDivElement>(null)
  useFadedSides(rowRef)
  return (
    <div
      ref={rowRef}
      onScroll={(event) => fadeHiddenSides(event.currentTarget)}
      className="-mx-1 flex min-h-13 max-w-full items-center gap-3 px-1 max-md:w-screen max-md:overflow-x-auto max-md:*:shrink-0 md:flex-wrap [scrollbar-width:none]"
    >
      {children}
    </div>
  )
}
