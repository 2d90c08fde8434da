/** Which of many boxes lies next in a direction; the arrow keys of a keyboard and of a television remote ask it. */

export interface Box {
  left: number
  right: number
  top: number
  bottom: number
}
export type Way = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown'

/** Sideways distance counts double: a column is kept rather than a shortcut taken. */
const SIDEWAYS = 2

/** The index of the nearest box that lies wholly on that side (a shared edge may overlap a little); -1 for none. */
export function nearest(from: Box, boxes: readonly Box[], way: Way): number {
  let best = -1
  let bestCost = Number.POSITIVE_INFINITY
  for (const [index, box] of boxes.entries()) {
    const cost = costOf(from, box, way)
    if (cost !== null && cost < bestCost) {
      best = index
      bestCost = cost
    }
  }
  return best
}

/** Pixels to go, null for a box that is not on that side. */
function costOf(from: Box, box: Box, way: Way): number | null {
  const ahead = {
    ArrowLeft: from.left - box.right,
    ArrowRight: box.left - from.right,
    ArrowUp: from.top - box.bottom,
    ArrowDown: box.top - from.bottom,
  }[way]
  const upright = way === 'ArrowUp' || way === 'ArrowDown'
  const aside = upright
    ? apart(from.left, from.right, box.left, box.right)
    : apart(from.top, from.bottom, box.top, box.bottom)
  const slack = -0.25 * (upright ? from.bottom - from.top : from.right - from.left)
  if (ahead < slack) return null
  /* To the side, only what stands on the same line: another line is reached by up and down. */
  if (!upright && aside > 0) return null
  const centres = upright
    ? Math.abs(from.left + from.right - box.left - box.right) / 2
    : Math.abs(from.top + from.bottom - box.top - box.bottom) / 2
  return Math.max(0, ahead) + SIDEWAYS * aside + centres / 10
}

/** The gap between two spans; 0 when they overlap. */
function apart(aStart: number, aEnd: number, bStart: number, bEnd: number): number {
  return Math.max(0, bStart - aEnd, aStart - bEnd)
}
