/** Titles that a child may ask for: their age rating is at most one step above the limit of the profile. */
import { AGE_LIMITS } from './maturity.ts'

/** Highest minimum age in years of the titles that kids profiles may see (kids-safety.ts). */
const KIDS_MAX_AGE = 8

/**
 * Returns the highest age rating in years that a profile may ask for. The result is at most 17, so titles rated 18+ can
 * never be asked for. Unrated titles have no age to compare and can never be asked for either.
 */
export function getHighestAskableAge({ kids, max_age }: { kids: number; max_age: number | null }): number {
  const maxVisibleAge = Math.min(
    max_age ?? Number.POSITIVE_INFINITY,
    kids === 1 ? KIDS_MAX_AGE : Number.POSITIVE_INFINITY,
  )
  return AGE_LIMITS.find((ageLimit) => ageLimit > maxVisibleAge) ?? AGE_LIMITS[AGE_LIMITS.length - 1] ?? 0
}
