import { isPageRightToLeft } from '../../../lib/page-direction.ts'

const WINDOW_MARGIN_PX = 8

/**
 * Places the panel below the button, or above it if there is no room below. The panel is aligned with the end
 * edge of the button.
 */
export function positionPanel(button: HTMLElement | null, panel: HTMLElement | null): void {
  if (!button || !panel) return
  const buttonRect = button.getBoundingClientRect()
  const { width, height } = panel.getBoundingClientRect()
  const topBelowButtonPx = buttonRect.bottom + 4
  const topPx =
    topBelowButtonPx + height > innerHeight - WINDOW_MARGIN_PX
      ? buttonRect.top - height - 4
      : topBelowButtonPx
  const preferredLeftPx = isPageRightToLeft() ? buttonRect.left : buttonRect.right - width
  panel.style.insetBlockStart = `${Math.max(WINDOW_MARGIN_PX, topPx)}px`
  panel.style.insetBlockEnd = 'auto'
  /* Sets `left` instead of `inset-inline-start`, because getBoundingClientRect() measures from the left edge of the
     window, also on right-to-left pages. */
  panel.style.setProperty(
    'left',
    `${Math.min(Math.max(WINDOW_MARGIN_PX, preferredLeftPx), innerWidth - width - WINDOW_MARGIN_PX)}px`,
  )
  panel.style.setProperty('right', 'auto')
}
