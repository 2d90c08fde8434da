/** Which titles a child may ask for: those whose age rating is one step above the limit of the profile. */
import { AGE_LIMITS } from './maturity.ts'

/** Ages of titles that the kids rule allows, in years. */
const KIDS_AGE = 8

/** Returns the highest age rating in years that a profile may ask for. Unrated titles and those rated 18+ are never among them. */
export function getNeighbourhoodAge({ kids, max_age }: { kids: number; max_age: number | null }): number {
  const ownAge = Math.min(
    max_age ?? Number.POSITIVE_INFINITY,
    kids === 1 ? KIDS_AGE : Number.POSITIVE_INFINITY,
  )
  return AGE_LIMITS.find((age) => age > ownAge) ?? AGE_LIMITS[AGE_LIMITS.length - 1] ?? 0
}
