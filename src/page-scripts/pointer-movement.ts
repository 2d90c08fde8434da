/**
 * Distinguishes a moved pointer from a resting one. Browsers also report a resting pointer, for example when
 * a page is shown or scrolled under it.
 */
import type { PointerPosition } from '../islands/media/hover-intent.ts'

export type PointerReport = Pick<PointerEvent, 'clientX' | 'clientY' | 'movementX' | 'movementY'>

/** Returns a function that returns true if the pointer has moved since the previous call. */
export function createMovementDetector(): (report: PointerReport) => boolean {
  let lastPosition: PointerPosition | null = null
  return ({ clientX: x, clientY: y, movementX, movementY }) => {
    const hasPositionChanged = lastPosition !== null && (lastPosition.x !== x || lastPosition.y !== y)
    lastPosition = { x, y }
    // Some browsers always report a movement of 0. There, only a changed position shows a movement.
    return hasPositionChanged || Boolean(movementX || movementY)
  }
}
