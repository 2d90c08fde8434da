/** Spatial navigation: finds the nearest of several boxes in the direction of an arrow key. */

/** A rectangle in CSS pixels. */
export interface FocusBox {
  left: number
  right: number
  top: number
  bottom: number
}
export type ArrowKey = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown'

/** Weight of the distance across the direction, so that the focus stays in its row or column if possible. */
const CROSS_AXIS_WEIGHT = 2

/** Returns the index of the nearest box that lies in this direction, with at most a small overlap, or -1 if there is none. */
export function findNearestBox(origin: FocusBox, boxes: readonly FocusBox[], direction: ArrowKey): number {
  let nearestIndex = -1
  let minDistance = Number.POSITIVE_INFINITY
  for (const [index, box] of boxes.entries()) {
    const distance = computeDistance(origin, box, direction)
    if (distance !== null && distance < minDistance) {
      nearestIndex = index
      minDistance = distance
    }
  }
  return nearestIndex
}

/** Returns the weighted distance in pixels, or null if the box does not lie in this direction. */
function computeDistance(origin: FocusBox, box: FocusBox, direction: ArrowKey): number | null {
  const gapAhead = {
    ArrowLeft: origin.left - box.right,
    ArrowRight: box.left - origin.right,
    ArrowUp: origin.top - box.bottom,
    ArrowDown: box.top - origin.bottom,
  }[direction]
  const isVertical = direction === 'ArrowUp' || direction === 'ArrowDown'
  const crossGap = isVertical
    ? computeGap(origin.left, origin.right, box.left, box.right)
    : computeGap(origin.top, origin.bottom, box.top, box.bottom)
  const maxOverlap = -0.25 * (isVertical ? origin.bottom - origin.top : origin.right - origin.left)
  if (gapAhead < maxOverlap) return null
  /* Left and right stay on the same line; other lines are reached by up and down. */
  if (!isVertical && crossGap > 0) return null
  const centreOffset = isVertical
    ? Math.abs(origin.left + origin.right - box.left - box.right) / 2
    : Math.abs(origin.top + origin.bottom - box.top - box.bottom) / 2
  return Math.max(0, gapAhead) + CROSS_AXIS_WEIGHT * crossGap + centreOffset / 10
}

/** Returns the gap between two ranges, or 0 if they overlap. */
function computeGap(aStart: number, aEnd: number, bStart: number, bEnd: number): number {
  return Math.max(0, bStart - aEnd, aStart - bEnd)
}
