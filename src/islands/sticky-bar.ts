import { type RefObject, useEffect, useRef } from 'react'

/**
 * Returns the ref of a bar that sticks below the header. While the bar is displayed, a control that receives the focus
 * is scrolled to a position below the bar. Otherwise the bar would cover the control.
 */
export function useStickyBar<E extends HTMLElement>(): RefObject<E | null> {
  const barRef = useRef<E>(null)
  useEffect(() => {
    const bar = barRef.current
    if (!bar) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => {
      const { position, top } = getComputedStyle(bar)
      style.scrollPaddingTop = position === 'sticky' ? `calc(${top} + ${bar.offsetHeight}px + 1rem)` : ''
    })
    observer.observe(bar)
    return () => {
      observer.disconnect()
      style.scrollPaddingTop = ''
    }
  }, [])
  return barRef
}
