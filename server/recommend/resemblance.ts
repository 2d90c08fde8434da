/**
 * Measures how well a title fits into the row "similar titles" of another title: content similarity, common genres, a
 * common language and popularity, reduced by differences of audience, format and mood. The weights were tuned with
 * the judged titles of tests/server/recommend/similar-judgements.tsv and then rounded. The functions run for hundreds
 * of pairs per request, so they create no objects.
 */
import { type ContentModel, computeContentSimilarity } from './content.ts'
import {
  genreBits,
  getGuideLevel,
  getLanguageCode,
  getMinAgeYears,
  isKidsTitle,
  UNKNOWN_AGE,
} from './title-traits.ts'

const similarityWeights = {
  content: 2,
  genres: 0.25,
  /** Weight of a common language, multiplied by the rarity of the language in the catalogue. */
  language: 0.4,
  popularity: 0.15,
  /** Bonus for parts of the same franchise, so that they come first. */
  franchise: 0.5,
} as const

/** Penalties for differences between two titles. The similarity is multiplied by e^(-sum of the penalties). */
const differencePenalties = {
  documentary: 2.5,
  /** Penalty if only one title is animated. It is halved if both titles are for families. */
  animation: 1.8,
  /** Penalty if only one title is a horror title. It is halved if both titles are suspense titles. */
  horror: 1.4,
  family: 0.2,
  comedy: 0.35,
  action: 0.4,
  romance: 0.05,
  /**
   * Penalty if only one title is a crime title. It is halved if both titles are action titles, which are often
   * thrillers.
   */
  crime: 0.2,
  drama: 0.1,
  history: 0.15,
  language: 0.35,
  /** Penalty if one title is safe for kids, and the other title is for teenagers or adults. */
  kids: 1.5,
  /** Penalty for a difference of 1 on the scale of `getAgeGroup`. */
  audience: 0.2,
  /**
   * Penalty for each step between the severities of one category of the parental guide. The categories are, in this
   * order, sex, violence, profanity, substances and fright.
   */
  guide: [0.05, 0.2, 0.05, 0, 0.1],
  decade: 0.12,
} as const

/**
 * Minimum content similarity of two titles with the same franchise number. The minimum excludes titles whose names
 * start alike by chance.
 */
const MIN_FRANCHISE_SIMILARITY = 0.1

/** True when two titles are parts of one franchise, and both or neither of them is animated. */
export function isSameFranchise(content: ContentModel, keyA: number, keyB: number): boolean {
  const { franchise, genres } = content
  return (
    franchise[keyA] !== 0 &&
    franchise[keyA] === franchise[keyB] &&
    ((genres[keyA]! ^ genres[keyB]!) & genreBits.animation) === 0 &&
    computeContentSimilarity(content, keyA, keyB) >= MIN_FRANCHISE_SIMILARITY
  )
}

/** Returns the similarity of two titles before `computeDifferenceFactor` reduces it. It is at least 0. */
export function computeBaseSimilarity(content: ContentModel, fromKey: number, toKey: number): number {
  const language = getLanguageCode(content.traits[fromKey]!)
  const languageSimilarity =
    language === getLanguageCode(content.traits[toKey]!) ? content.languageWeight[language]! : 0
  return (
    similarityWeights.content * computeContentSimilarity(content, fromKey, toKey) +
    similarityWeights.genres *
      computeGenreOverlap(content, content.genres[fromKey]!, content.genres[toKey]!) +
    similarityWeights.language * languageSimilarity +
    similarityWeights.popularity * Math.max(0, content.prior[toKey]!)
  )
}

/** Returns the bonus that ranks a part of the same franchise first; 0 for other titles. */
export const getFranchiseBonus = (content: ContentModel, fromKey: number, toKey: number): number =>
  isSameFranchise(content, fromKey, toKey) ? similarityWeights.franchise : 0

/** Returns the weighted Jaccard index of two sets of genres, 0 to 1. */
function computeGenreOverlap({ genreWeight }: ContentModel, genresA: number, genresB: number): number {
  let commonWeight = 0
  let totalWeight = 0
  for (let bits = genresA | genresB; bits !== 0; bits &= bits - 1) {
    const bit = 31 - Math.clz32(bits & -bits)
    totalWeight += genreWeight[bit]!
    if (genresA & genresB & (1 << bit)) commonWeight += genreWeight[bit]!
  }
  return totalWeight > 0 ? commonWeight / totalWeight : 0
}

/**
 * Returns the factor by which differences of audience, format and mood reduce the similarity; 1 without differences.
 */
export function computeDifferenceFactor(content: ContentModel, fromKey: number, toKey: number): number {
  const genresA = content.genres[fromKey]!
  const genresB = content.genres[toKey]!
  const traitsA = content.traits[fromKey]!
  const traitsB = content.traits[toKey]!
  const isFamilyA = isForFamilies(genresA, traitsA)
  const isFamilyB = isForFamilies(genresB, traitsB)
  const languageA = getLanguageCode(traitsA)
  const languageB = getLanguageCode(traitsB)
  let penalty = sumGenrePenalties(genresA, genresB, isFamilyA && isFamilyB)
  if (isFamilyA !== isFamilyB) penalty += differencePenalties.family
  if (languageA !== 0 && languageB !== 0 && languageA !== languageB) penalty += differencePenalties.language
  const ageA = getMinAgeYears(traitsA)
  const ageB = getMinAgeYears(traitsB)
  if (
    (isKidsTitle(traitsA) && isForTeenagersOrAdults(ageB)) ||
    (isKidsTitle(traitsB) && isForTeenagersOrAdults(ageA))
  )
    penalty += differencePenalties.kids
  if (ageA !== UNKNOWN_AGE && ageB !== UNKNOWN_AGE)
    penalty +=
      differencePenalties.audience * Math.abs(getAgeGroup(ageA, isFamilyA) - getAgeGroup(ageB, isFamilyB))
  const yearA = content.year[fromKey]!
  const yearB = content.year[toKey]!
  if (yearA !== 0 && yearB !== 0) penalty += (differencePenalties.decade * Math.abs(yearA - yearB)) / 10
  return Math.exp(-penalty - sumGuidePenalties(traitsA, traitsB))
}

function sumGenrePenalties(genresA: number, genresB: number, areBothForFamilies: boolean): number {
  const countDifference = (bits: number): number =>
    ((genresA & bits) === 0) === ((genresB & bits) === 0) ? 0 : 1
  const hasCommonSuspense = (genresA & genreBits.suspense) !== 0 && (genresB & genreBits.suspense) !== 0
  const hasCommonAction = (genresA & genreBits.action) !== 0 && (genresB & genreBits.action) !== 0
  return (
    differencePenalties.documentary * countDifference(genreBits.documentary) +
    differencePenalties.animation * countDifference(genreBits.animation) * (areBothForFamilies ? 0.5 : 1) +
    differencePenalties.horror * countDifference(genreBits.horror) * (hasCommonSuspense ? 0.5 : 1) +
    differencePenalties.comedy * countDifference(genreBits.comedy) +
    differencePenalties.action * countDifference(genreBits.action) +
    differencePenalties.romance * countDifference(genreBits.romance) +
    differencePenalties.crime * countDifference(genreBits.crime) * (hasCommonAction ? 0.5 : 1) +
    differencePenalties.drama * countDifference(genreBits.drama) +
    differencePenalties.history * countDifference(genreBits.history)
  )
}

/** Returns the sum of the guide penalties, over the categories whose severity is known for both titles. */
function sumGuidePenalties(traitsA: number, traitsB: number): number {
  let penaltySum = 0
  for (let category = 0; category < differencePenalties.guide.length; category++) {
    const levelA = getGuideLevel(traitsA, category)
    const levelB = getGuideLevel(traitsB, category)
    if (levelA !== 0 && levelB !== 0)
      penaltySum += differencePenalties.guide[category]! * Math.abs(levelA - levelB)
  }
  return penaltySum
}

const isForTeenagersOrAdults = (ageYears: number): boolean => ageYears >= 13 && ageYears !== UNKNOWN_AGE

const isForFamilies = (genres: number, traits: number): boolean =>
  (genres & genreBits.family) !== 0 || isKidsTitle(traits)

/**
 * Places the minimum age of a title on a scale of age groups. Family titles up to age 8 get 0 to 0.5, and other titles
 * up to age 8 get 1. Titles up to age 14 get 1.5, and titles for older viewers get 2.2.
 */
function getAgeGroup(ageYears: number, isFamilyTitle: boolean): number {
  if (ageYears <= 8) return isFamilyTitle ? ageYears / 16 : 1
  return ageYears <= 14 ? 1.5 : 2.2
}
