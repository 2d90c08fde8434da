/** When a device is too slow for everything: frames that come late while the page moves. */

/** Milliseconds between frames from which movement no longer looks like one (20 frames a second). */
const LATE_MS = 50
/** Fewer say nothing: a page that just opened stutters everywhere. */
export const FRAMES = 40

/** Whether more than half of the frames came late. `times`: milliseconds between one frame and the next. */
export function areLate(times: readonly number[]): boolean {
  return times.length >= FRAMES && times.filter((time) => time > LATE_MS).length > times.length / 2
}
