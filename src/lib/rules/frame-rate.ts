/** Detects a slow device from the time between frames while the page scrolls. */

/** Time between frames from which scrolling looks jerky (20 frames per second). */
const SLOW_FRAME_MS = 50
/** Number of frames needed for a decision, because a page that was just opened is slow on every device. */
export const FRAME_SAMPLE_SIZE = 40

/** Returns whether more than half of the frames were slow. `frameTimesMs` are the times between consecutive frames. */
export function isFrameRateLow(frameTimesMs: readonly number[]): boolean {
  return (
    frameTimesMs.length >= FRAME_SAMPLE_SIZE &&
    frameTimesMs.filter((frameTimeMs) => frameTimeMs > SLOW_FRAME_MS).length > frameTimesMs.length / 2
  )
}
