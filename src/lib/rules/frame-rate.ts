/** Detects a slow device from the time between frames while the page scrolls. */

/** Scrolling looks jerky when the time between frames exceeds this value (20 frames per second). */
const SLOW_FRAME_MS = 50
/**
 * Number of frames needed for a decision. A few frames are not enough, because every device is slow just after a page
 * opens.
 */
export const FRAME_SAMPLE_SIZE = 40

/**
 * Returns whether more than half of the frames were slow; false for fewer than FRAME_SAMPLE_SIZE frames. `frameTimesMs`
 * are the times between consecutive frames.
 */
export function isFrameRateLow(frameTimesMs: readonly number[]): boolean {
  return (
    frameTimesMs.length >= FRAME_SAMPLE_SIZE &&
    frameTimesMs.filter((frameTimeMs) => frameTimeMs > SLOW_FRAME_MS).length > frameTimesMs.length / 2
  )
}
