import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { waitForPaint } from '../../lib/wait-for-paint.ts'

/**
 * Content that follows one frame later. The browser neither styles nor lays out the content in the first frame after
 * the content has appeared, so this frame is drawn earlier. `initialBlockSize` is the space that is reserved for the
 * content before its size is known.
 */
export function AfterFirstFrame({
  initialBlockSize,
  className,
  children,
}: {
  initialBlockSize: string
  className: string
  children: ReactNode
}) {
  const contentRef = useRef<HTMLDivElement>(null)
  // Runs before the browser draws, each time React shows the content, also within `Activity`.
  useLayoutEffect(() => {
    const content = contentRef.current
    if (!content) return
    content.style.contentVisibility = 'hidden'
    void waitForPaint().then(() => content.style.removeProperty('content-visibility'))
  }, [])
  return (
    <div
      ref={contentRef}
      style={{ containIntrinsicBlockSize: `auto ${initialBlockSize}` }}
      className={className}
    >
      {children}
    </div>
  )
}
