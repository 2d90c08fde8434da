/**
 * Positions the preview of a card over the card and inside the visible area. All values are CSS pixels in the viewport.
 */

export interface PreviewBounds {
  left: number
  right: number
  top: number
  bottom: number
}
interface PreviewSize {
  width: number
  height: number
}
export interface PreviewPosition {
  left: number
  top: number
  /** Centre of the card relative to the top left corner of the preview. It is the origin of the opening animation. */
  origin: { x: number; y: number }
}

/** Width of the preview relative to the width of its card. */
const PREVIEW_SCALE = 1.4

/** Returns the width of the preview: at least `minWidth`, which its buttons need, and at most the width of `bounds`. */
export function getPreviewWidth(cardWidth: number, minWidth: number, bounds: PreviewBounds): number {
  return Math.min(Math.max(cardWidth * PREVIEW_SCALE, minWidth), bounds.right - bounds.left)
}

/**
 * Centres the preview over the card. If the centred preview would extend beyond an edge of `bounds`, the preview is
 * aligned with the same edge of the card, so that it opens towards the middle. A preview that is larger than `bounds`
 * starts at the left or top edge of `bounds`. The rules for left and right are symmetric, so that right-to-left pages
 * get the mirrored position.
 */
export function positionPreview(
  cardBounds: PreviewBounds,
  previewSize: PreviewSize,
  bounds: PreviewBounds,
): PreviewPosition {
  const left = alignInterval({ startPx: cardBounds.left, endPx: cardBounds.right }, previewSize.width, {
    startPx: bounds.left,
    endPx: bounds.right,
  })
  const top = alignInterval({ startPx: cardBounds.top, endPx: cardBounds.bottom }, previewSize.height, {
    startPx: bounds.top,
    endPx: bounds.bottom,
  })
  return {
    left,
    top,
    origin: {
      x: (cardBounds.left + cardBounds.right) / 2 - left,
      y: (cardBounds.top + cardBounds.bottom) / 2 - top,
    },
  }
}

interface AxisInterval {
  startPx: number
  endPx: number
}

/** Returns the start of the preview along one axis. */
function alignInterval(card: AxisInterval, lengthPx: number, bounds: AxisInterval): number {
  const centredStartPx = (card.startPx + card.endPx - lengthPx) / 2
  if (lengthPx >= bounds.endPx - bounds.startPx) return bounds.startPx
  if (centredStartPx < bounds.startPx) return clampStart(card.startPx, bounds, lengthPx)
  if (centredStartPx + lengthPx > bounds.endPx) return clampStart(card.endPx - lengthPx, bounds, lengthPx)
  return centredStartPx
}

const clampStart = (startPx: number, bounds: AxisInterval, lengthPx: number) =>
  Math.min(Math.max(startPx, bounds.startPx), bounds.endPx - lengthPx)
