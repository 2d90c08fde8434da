/** True if the user prefers reduced motion, or in lite mode. */
export function isMotionReduced(): boolean {
  const { lite, motion } = document.documentElement.dataset
  return matchMedia('(prefers-reduced-motion: reduce)').matches || lite !== undefined || motion !== undefined
}
