import { type RefObject, useEffect } from 'react'
import { isPageRightToLeft } from '../lib/page-direction.ts'

/**
 * Fades the sides of a row at which content is hidden. Otherwise, a row whose visible part ends between two elements
 * would look complete. A mask uses only the opacity of its colours, so `currentColor` could be any opaque colour.
 */
export function fadeHiddenSides(row: HTMLElement) {
  // On a right-to-left page, the scroll offset is negative.
  const startPx = Math.abs(row.scrollLeft)
  const endPx = row.scrollWidth - row.clientWidth - startPx
  const [startFade, endFade] = [startPx, endPx].map((hiddenPx) => (hiddenPx > 1 ? '2rem' : '0px'))
  row.style.maskImage = `linear-gradient(to ${isPageRightToLeft() ? 'left' : 'right'}, transparent, currentColor ${startFade} calc(100% - ${endFade}), transparent)`
}

/** Fades the sides of a row again when the row or one of its elements changes its size. */
export function useFadedSides(rowRef: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const row = rowRef.current
    if (!row) return
    const resizeObserver = new ResizeObserver(() => fadeHiddenSides(row))
    const observeRow = () => {
      for (const element of [row, ...row.children]) resizeObserver.observe(element)
    }
    observeRow()
    // Elements that are loaded later are observed too.
    const childObserver = new MutationObserver(observeRow)
    childObserver.observe(row, { childList: true })
    return () => {
      resizeObserver.disconnect()
      childObserver.disconnect()
    }
  }, [rowRef])
}
