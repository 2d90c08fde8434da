/** Spatial navigation: finds the nearest of several boxes in the direction of an arrow key. */

/** A rectangle in CSS pixels. */
export interface FocusBox {
  left: number
  right: number
  top: number
  bottom: number
}
export type ArrowKey = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown'

/** Weight of the distance across the direction, so that the focus rather stays in its column. */
const CROSS_AXIS_WEIGHT = 2

/** Returns the index of the nearest box that lies on that side, apart from a small overlap, or -1 if there is none. */
export function findNearestBox(from: FocusBox, boxes: readonly FocusBox[], direction: ArrowKey): number {
  let nearestIndex = -1
  let minDistance = Number.POSITIVE_INFINITY
  for (const [index, box] of boxes.entries()) {
    const distance = distanceTo(from, box, direction)
    if (distance !== null && distance < minDistance) {
      nearestIndex = index
      minDistance = distance
    }
  }
  return nearestIndex
}

/** Returns the weighted distance in pixels, or null if the box is not on that side. */
function distanceTo(from: FocusBox, box: FocusBox, direction: ArrowKey): number | null {
  const gapAhead = {
    ArrowLeft: from.left - box.right,
    ArrowRight: box.left - from.right,
    ArrowUp: from.top - box.bottom,
    ArrowDown: box.top - from.bottom,
  }[direction]
  const isVertical = direction === 'ArrowUp' || direction === 'ArrowDown'
  const crossGap = isVertical
    ? gapBetween(from.left, from.right, box.left, box.right)
    : gapBetween(from.top, from.bottom, box.top, box.bottom)
  const maxOverlap = -0.25 * (isVertical ? from.bottom - from.top : from.right - from.left)
  if (gapAhead < maxOverlap) return null
  /* Left and right stay on the same line; other lines are reached by up and down. */
  if (!isVertical && crossGap > 0) return null
  const centreOffset = isVertical
    ? Math.abs(from.left + from.right - box.left - box.right) / 2
    : Math.abs(from.top + from.bottom - box.top - box.bottom) / 2
  return Math.max(0, gapAhead) + CROSS_AXIS_WEIGHT * crossGap + centreOffset / 10
}

/** Returns the gap between two ranges, or 0 if they overlap. */
function gapBetween(aStart: number, aEnd: number, bStart: number, bEnd: number): number {
  return Math.max(0, bStart - aEnd, aStart - bEnd)
}
