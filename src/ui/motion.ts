/** True if the user prefers reduced motion or lite mode is on. */
export function isMotionReduced(): boolean {
  const { lite, motion } = document.documentElement.dataset
  return matchMedia('(prefers-reduced-motion: reduce)').matches || lite !== undefined || motion !== undefined
}
