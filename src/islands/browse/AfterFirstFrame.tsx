import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { waitForPaint } from '../../lib/wait-for-paint.ts'

/**
 * Content that is drawn one frame later than the rest of the page or dialog. In the first frame, the browser skips the
 * style and the layout of the content, so that the rest is drawn earlier. `initialBlockSize` is the space that is
 * reserved until the size of the content is known.
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
