/** Longest wait for a frame, in milliseconds. A hidden window draws no frames. */
export const FRAME_TIMEOUT_MS = 60

/**
 * Resolves after the next frame is drawn, or after FRAME_TIMEOUT_MS. The reaction to a press is then visible before
 * expensive work starts.
 */
export function waitForPaint(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, FRAME_TIMEOUT_MS)
    requestAnimationFrame(() => setTimeout(resolve))
  })
}
