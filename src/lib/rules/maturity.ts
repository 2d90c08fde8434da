/**
 * The age scale and the parental guide, used as limits of a profile and as filters of lists. The age ratings of all
 * countries are mapped to one scale: `age-certificates.ts` converts certificates to ages, and `getDisplayedAgeRating()`
 * of `kids-safety.ts` converts ages to the displayed age rating. A limit is compared with the displayed rating, so that
 * the result matches the label of the limit.
 * Sources: the certification lists named in `age-certificates.ts`.
 */
import { GUIDE_CATEGORIES, GUIDE_SEVERITIES } from './parental-guide.ts'
import { AGE_RATINGS } from './title-options.ts'

export type AgeRating = (typeof AGE_RATINGS)[number]

/**
 * Ages in years to which a profile can be limited. Without a limit, unrated titles and titles rated 18+ are visible
 * too.
 */
export const AGE_LIMITS = [0, 7, 8, 13, 14, 17] as const
export type AgeLimit = (typeof AGE_LIMITS)[number]

/** Returns the age of a displayed age rating in years: 13 for `13+`, and 0 for `All`. */
export const getAgeOfRating = (rating: AgeRating): number =>
  rating === 'All' ? 0 : Number.parseInt(rating, 10)

/** Returns the age ratings that a limit allows. Titles without an age rating are never within a limit. */
export const listAgeRatingsUpTo = (maxAge: number): AgeRating[] =>
  AGE_RATINGS.filter((rating) => getAgeOfRating(rating) <= maxAge)

/** Short names of `GUIDE_CATEGORIES`, in the same order; used on the wire, in URLs and in texts. */
export const GUIDE_KEYS = ['sex', 'violence', 'profanity', 'substances', 'fright'] as const
export type GuideKey = (typeof GUIDE_KEYS)[number]

/** Highest severities that a limit or filter can accept. `Severe` is missing, because it would accept everything. */
export const GUIDE_LEVELS = ['none', 'mild', 'moderate'] as const
export type GuideLevel = (typeof GUIDE_LEVELS)[number]

/** The highest accepted severity by category. A category that is absent has no limit. */
export type GuideLimits = { [Key in GuideKey]?: GuideLevel | undefined }

/** Changes of guide limits by category. Null removes the limit of a category; absent categories stay as they are. */
export type GuideChanges = { [Key in GuideKey]?: GuideLevel | null | undefined }

/** Values of a guide filter in URLs and in the API: `violence-mild` accepts violence up to mild. */
export const GUIDE_FILTERS = GUIDE_KEYS.flatMap((guideKey) =>
  GUIDE_LEVELS.map((level) => `${guideKey}-${level}` as const),
)
export type GuideFilterValue = (typeof GUIDE_FILTERS)[number]

/**
 * Returns the limits of filter values. Unknown values are ignored. Of several values for a category, the lowest
 * severity applies.
 */
export function parseGuideFilter(filterValues: readonly string[]): GuideLimits {
  const guideLimits: GuideLimits = {}
  for (const level of GUIDE_LEVELS.toReversed())
    for (const guideKey of GUIDE_KEYS)
      if (filterValues.includes(`${guideKey}-${level}`)) guideLimits[guideKey] = level
  return guideLimits
}

export const formatGuideFilter = (limits: GuideLimits): GuideFilterValue[] =>
  GUIDE_KEYS.flatMap((guideKey) => {
    const level = limits[guideKey]
    return level ? [`${guideKey}-${level}` as const] : []
  })

interface GuideEntry {
  category: (typeof GUIDE_CATEGORIES)[number]
  severity: (typeof GUIDE_SEVERITIES)[number]
}

/** Each category takes three bits: 0 when unknown or without a limit, else the index of the severity plus one. */
const BITS_PER_CATEGORY = 3
const PACKED_LEVEL_MASK = 7
/** Number of combinations of the bits of a packed guide. Every packed guide is below this number. */
export const PACKED_GUIDE_VALUE_COUNT = 1 << (BITS_PER_CATEGORY * GUIDE_KEYS.length)

export const getGuideShift = (categoryIndex: number): number => categoryIndex * BITS_PER_CATEGORY

/** Packs the severities of a parental guide into one number. isGuideWithinLimits() compares it with packed limits. */
export function packGuide(guide: readonly GuideEntry[]): number {
  let packedGuide = 0
  for (const { category, severity } of guide) {
    const bitShift = getGuideShift(GUIDE_CATEGORIES.indexOf(category))
    packedGuide =
      (packedGuide & ~(PACKED_LEVEL_MASK << bitShift)) |
      ((GUIDE_SEVERITIES.indexOf(severity) + 1) << bitShift)
  }
  return packedGuide
}

export function packGuideLimits(limits: GuideLimits): number {
  let packedLimits = 0
  for (const [categoryIndex, guideKey] of GUIDE_KEYS.entries()) {
    const level = limits[guideKey]
    if (level) packedLimits |= (GUIDE_LEVELS.indexOf(level) + 1) << getGuideShift(categoryIndex)
  }
  return packedLimits
}

/** Returns the limits after the changes. */
export function changeGuideLimits(limits: GuideLimits, changes: GuideChanges): GuideLimits {
  const changedLimits = { ...limits }
  for (const guideKey of GUIDE_KEYS) {
    const level = changes[guideKey]
    if (level) changedLimits[guideKey] = level
    else if (level === null) delete changedLimits[guideKey]
  }
  return changedLimits
}

/** Returns the packed limits after the changes. */
export const changePackedLimits = (packedLimits: number, changes: GuideChanges): number =>
  packGuideLimits(changeGuideLimits(unpackGuideLimits(packedLimits), changes))

/** Returns the new limit of each category whose limit differs between `previousLimits` and `nextLimits`. */
export function findGuideChanges(previousLimits: GuideLimits, nextLimits: GuideLimits): GuideChanges {
  const changes: GuideChanges = {}
  for (const guideKey of GUIDE_KEYS)
    if (previousLimits[guideKey] !== nextLimits[guideKey]) changes[guideKey] = nextLimits[guideKey] ?? null
  return changes
}

export function unpackGuideLimits(packedLimits: number): GuideLimits {
  const guideLimits: GuideLimits = {}
  for (const [categoryIndex, guideKey] of GUIDE_KEYS.entries()) {
    const level = GUIDE_LEVELS[getPackedLevel(packedLimits, categoryIndex) - 1]
    if (level) guideLimits[guideKey] = level
  }
  return guideLimits
}

/** Returns the level of a category in a packed guide or packed limits; 0 when unknown or without a limit. */
export const getPackedLevel = (packedLevels: number, categoryIndex: number): number =>
  (packedLevels >> getGuideShift(categoryIndex)) & PACKED_LEVEL_MASK

/**
 * True when a packed guide is within packed limits. Unless `acceptsUnknown`, an unknown severity exceeds every limit.
 */
export function isGuideWithinLimits(
  packedGuide: number,
  packedLimits: number,
  acceptsUnknown: boolean,
): boolean {
  for (let categoryIndex = 0; categoryIndex < GUIDE_KEYS.length; categoryIndex++) {
    const maxLevel = getPackedLevel(packedLimits, categoryIndex)
    if (maxLevel === 0) continue
    const packedLevel = getPackedLevel(packedGuide, categoryIndex)
    if (packedLevel > maxLevel || (packedLevel === 0 && !acceptsUnknown)) return false
  }
  return true
}

interface SuggestedProfileLimits {
  kids: boolean
  max_age: AgeLimit | null
  guide: GuideLimits
}

/**
 * Returns the limits that are proposed for an age in years when a parent sets up a profile for a child. The parent can
 * change each limit.
 */
export function suggestProfileLimits(ageYears: number): SuggestedProfileLimits {
  if (ageYears < 7) return { kids: true, max_age: 0, guide: {} }
  if (ageYears < 8) return { kids: true, max_age: 7, guide: {} }
  if (ageYears < 12) return { kids: true, max_age: 8, guide: {} }
  if (ageYears < 14)
    return {
      kids: false,
      max_age: 13,
      guide: {
        sex: 'mild',
        violence: 'moderate',
        profanity: 'moderate',
        substances: 'moderate',
        fright: 'moderate',
      },
    }
  if (ageYears < 17) return { kids: false, max_age: 14, guide: { sex: 'moderate' } }
  return { kids: false, max_age: 17, guide: {} }
}
